// How long a problem would take on tiles of some size, by the times of its kernels: the task graph of the whole
// problem, simulated.
#pragma once

#include "runtime/core/places/node_places.hpp"
#include "runtime/interfaces/simulation.hpp"
#include "runtime/predict/plan/plan_case.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// One tile size with values of the tuning parameters.
struct TileTrial {
  int nb;
  Cut cut;
  std::vector<runtime::ScalarValue> scalars;
  KernelTimes times = {};
  double cost = 0;                          ///< seconds that measuring took, the last time
  double seconds = INFINITY;                ///< predicted, with the fastest owners
  std::optional<Distribution> distribution; ///< theirs; of several ranks
  std::size_t limit = 1'000'000;            ///< tasks that are simulated of it
};

/// The tasks of a problem, or of a part of it that has its shape (tiles/part_of_problem.hpp).
struct RecordedTasks {
  runtime::TaskGraph graph;
  double share = 1;      ///< the part of each side of the whole
  std::size_t tasks = 0; ///< the number of the whole's
};

/// The sizes of the case's problem, with these scalars, to which they refer.
runtime::Values valuesOf(const PlanCase &plan, const std::vector<runtime::ScalarValue> &scalars);
/// The arguments of a run on these storages; `pointers`, which is empty, holds them.
runtime::Arguments argumentsOf(const std::vector<StorageRef> &storages,
                               const std::vector<runtime::ScalarValue> &scalars, std::vector<Storage *> &pointers);

/// Records and simulates; changes nothing. Refers to the case.
class TileForecast {
public:
  explicit TileForecast(const PlanCase &plan) : plan_(plan) {}

  /// How tiles of nb are cut; nullopt where they are too narrow for it.
  std::optional<Cut> cutOf(int nb) const;
  /// The tasks of the whole problem, or of a part with about as many as the trial may have. Nothing when the program
  /// cannot be recorded, or has too many to be counted.
  std::optional<RecordedTasks> record(const TileTrial &trial, const Distribution &owners) const;
  /// The seconds of a run of the whole problem, with the trial's times of kernels: no less than one thread of each rank
  /// takes to make the tasks.
  double seconds(const RecordedTasks &recorded, const TileTrial &trial) const;
  /// The part of the operations, on tiles of nb with no size above the limit, that kernels of the program's own do,
  /// other than those that move memory.
  double ownShare(int nb, long limit) const;

private:
  int places() const { return 1 + static_cast<int>(plan_.devices.size()); }
  runtime::Values valuesWith(const TileTrial &trial, const Distribution &owners) const;
  std::optional<std::size_t> countTasks(const TileTrial &trial, const runtime::Values &values) const;
  std::optional<runtime::TaskGraph> recordTasks(const TileTrial &trial, const Distribution &owners,
                                                const runtime::Values &values) const;
  std::vector<runtime::NodePlaces> nodePlaces(int nb, const Distribution &owners) const;
  double speedup(const std::string &kernel, int place, int nb) const;
  double copySeconds(double nb) const;
  double messageSeconds(double nb) const;

  const PlanCase &plan_;
};

} // namespace tla::host
