// What 'hetc plan' prints.
#pragma once

#include "runtime/predict/commands/cost_report.hpp"
#include "runtime/predict/commands/sim_report.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// How long a run would take.
struct PlannedTime {
  double seconds = 0, gflops = 0;
  double part = 1; ///< size, as a part of each side, of the problem that was run in virtual time; below 1 the rest is
                   ///< extrapolated
};

/// A problem on so many nodes.
struct PlanRecord {
  std::unique_ptr<Problem> problem; ///< problem on its tiles and distribution
  CostRecord cost;
  double bytesPerNode = 0; ///< upper bound of the memory on the node that takes most
  int window = 0;          ///< tasks in flight at most
  std::string usual = {};  ///< why this is not the plan of a run without further options; empty: it is
  std::optional<PlannedTime> time;
  /// A time with devices of other memory. None: the run evicts no tiles, so that more memory changes nothing, or its
  /// time is not known.
  struct OtherMemory {
    std::size_t bytes; ///< memory of each device
    double seconds;
  };
  std::vector<OtherMemory> otherMemories = {};
  std::optional<OwnersByTime> byTime = {};                     ///< nothing: the distribution was not chosen by time
  double choiceSeconds = 0, countSeconds = 0, timeSeconds = 0; ///< time of the parts of planning

  int nodes() const { return static_cast<int>(cost.cost.nodes.size()); }
};

struct PlanReport {
  std::string machine;             ///< machine of each node; empty: it is not known
  std::optional<double> memory;    ///< bytes of each node
  double watts = 0;                ///< power of each node while it computes; 0: not known
  std::optional<double> nodeHour;  ///< price of a node for an hour
  bool largest = false;            ///< each record has the largest n that fits
  const Settings *settings;        ///< settings of the plan
  std::vector<PlanRecord> records; ///< one for each number of nodes, ascending
};

/// The number of nodes beyond which doubling them speeds the run up by less than 1.5x; nothing: it never does,
/// or times are not known.
std::optional<std::size_t> saturation(const PlanReport &report);

/// The line that runs a plan: "mpirun -n 8 --map-by ppr:1:node --bind-to none hetc run cholesky.tla -n 1000 ...".
std::string commandOf(const PlanReport &report, const PlanRecord &record);

std::string planTable(const PlanReport &report);
/// One object; the keys are in docs/json.md.
std::string plansJson(const PlanReport &report);

} // namespace tla::host
