// How long a problem would take on tiles of some size, by the times of its kernels: the task graph of the whole
// problem, simulated.
#pragma once

#include "runtime/core/places/node_places.hpp"
#include "runtime/interfaces/simulation.hpp"
#include "runtime/predict/plan/plan_case.hpp"

#include <cmath>
#include <limits>
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
  /// The tasks of the whole problem, or of one of which no size is above the limit. Nothing when there are too many or
  /// the program cannot be recorded.
  std::optional<runtime::TaskGraph> record(const TileTrial &trial, const Distribution &owners,
                                           long limit = std::numeric_limits<long>::max()) const;
  /// The seconds of a run, with the trial's times of kernels.
  double seconds(const runtime::TaskGraph &graph, const TileTrial &trial) const;
  /// The part of the operations, on tiles of nb with no size above the limit, that kernels of the program's own do,
  /// other than those that move memory.
  double ownShare(int nb, long limit) const;

private:
  int places() const { return 1 + static_cast<int>(plan_.devices.size()); }
  std::vector<runtime::NodePlaces> nodePlaces(int nb, const Distribution &owners) const;
  double speedup(const std::string &kernel, int place, int nb) const;
  double copySeconds(double nb) const;
  double messageSeconds(double nb) const;

  const PlanCase &plan_;
};

} // namespace tla::host
