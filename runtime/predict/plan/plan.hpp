// Everything that is chosen before a run, as one value: made once, the same on all ranks, for a run and its cost.
#pragma once

#include "runtime/host/ranks/ranks.hpp"
#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/plan/virtual_run.hpp"

#include <tla/runtime/executor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tla::host {

/// Where a problem is to run, as far as choices depend on it.
struct Machine {
  Ranks &ranks; ///< ranks of the run; planning is collective
  Neighbours neighbours = {};
  int threads = 1;                                          ///< threads of each rank
  int cores = 1;                                            ///< cores that each rank has, for all threads
  std::vector<runtime::AcceleratorProperties> devices = {}; ///< devices of this rank
  std::string hostKernels = {};                             ///< hostKernelsText() of the bodies in use
};

/// Run: what takes time is searched, the memory must suffice, and the nodes get loops. Count: nothing but rates of
/// devices is measured, nothing is allocated, and the caller says which distributions are counted.
enum class Purpose { Run, Count };

/// Whom planRun() tells what it does while it takes time.
struct PlanEvents {
  std::function<void(const std::string &)> remark = {}; ///< tells the user what may be of interest
  std::function<void()> checkpoint = {};                ///< between measurements; may throw Interrupted (parallel.hpp)
  /// One with measuringOptions(), whose interrupt ends the search; null: the search makes its own.
  runtime::Executor *measuring = nullptr;
  Interruptible interruptible = {}; ///< for runs in a profile's time
};

struct Plan {
  int nb = 0; ///< columns of a tile
  Cut cut;
  std::vector<runtime::ScalarValue> scalars; ///< the problem's, those that a search may choose chosen
  Distribution distribution;                 ///< distribution; on one node the one of one node
  runtime::DeviceShares shares;              ///< shares of this rank's accelerators; empty: there are none
  /// How long kernels and copies take, where that is known of accelerators that are not the host's cores; else null.
  std::shared_ptr<const runtime::VirtualHardware> timing;
  runtime::Algorithm algorithm; ///< with loops for this distribution's nodes, where there are such
  double bytes = 0;             ///< upper bound of this rank's bytes, for Purpose::Run
  /// Options::lookaheadBytes with which this rank has memory enough.
  std::size_t lookaheadBytes = runtime::Options::usualLookahead;
  bool searched = false;    ///< tile size and parameters were measured just now
  double searchSeconds = 0; ///< time of the search

  /// "nodes" or "replay"; empty on one node.
  std::string generator() const;
};

/// The host's threads that compute beside so many accelerators: as the settings say, else the cores of this machine
/// that these leave (threadsBeside()), or those of a profile's that its own do.
int plannedThreads(const Settings &settings, std::size_t accelerators);

/// Rank 0 decides what is the same for all and sends it once; what depends on a rank's devices is decided there, by the
/// same rates on ranks with the same hardware. The problem's own nb, cut and distribution are not looked at, but its
/// rank is. Throws UsageError for settings that do not fit, or a problem that does not fit into memory; RankFailure.
Plan planRun(const Problem &problem, const Machine &machine, const Settings &settings, Purpose purpose,
             const PlanEvents &events = {});

/// Whether hetc's cache has no tile size but that of one search, which was the first with this cache.
bool isFirstSearch();

/// Changes the problem in place to the plan's tiles, parameters and distribution; its values stay where they are.
void applyPlan(const Plan &plan, Problem &problem);

/// Describes the plan: planText() for people, in a few lines; planJson() for programs, as one object in one line,
/// ending in a newline; keys always present, in this order: algorithm, type, m, n, k (null when the algorithm does not
/// use it), ranks, threads (of each rank, that compute), cores (of each rank), tile, split, slice (null: whole tiles),
/// tuned (an object: the parameters that a search may choose), dist, generator (nodes or replay; null: one rank),
/// kernels (with versions), device_weights and host_weight (of rank 0), planned_bytes (of rank 0, at most),
/// search_seconds.
std::string planText(const Problem &problem, const Plan &plan, const Machine &machine);
std::string planJson(const Problem &problem, const Plan &plan, const Machine &machine);

} // namespace tla::host
