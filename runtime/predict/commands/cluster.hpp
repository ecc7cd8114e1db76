// A problem on so many nodes of a machine: what is chosen for it, and how long it takes in virtual time.
#pragma once

#include "runtime/predict/commands/counting.hpp"
#include "runtime/predict/commands/sim_report.hpp"
#include "runtime/predict/plan/rivals.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tla::host {

struct ClusterPlan {
  std::unique_ptr<Problem> problem; ///< problem on the plan's tiles and distribution
  Plan plan;
  std::optional<OwnersByTime> byTime = {}; ///< how the distribution was chosen; nothing: not by time
};

/// The settings with all sizes times the factor, none below 1. A matrix whose tiles a file names (--pattern) is not
/// made smaller.
Settings scaledSettings(Settings settings, double factor);

/// Plans a run on many nodes. Each node chooses by rates for its part of the problem, whose sizes `part` has. Loops of
/// nodes are not made yet. Throws UsageError.
ClusterPlan planCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                        const WantedOwners &owners, int nodes);
/// Plans with the distribution that choose() returns for the problem, whose tiles are known by then.
ClusterPlan planCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                        const std::function<Distribution(const Problem &)> &choose, int nodes);
/// The same plan for a problem of these sizes and for this distribution.
ClusterPlan withOwners(const Plan &plan, const runtime::Algorithm &algorithm, const Settings &whole,
                       const Distribution &distribution);

/// In the time of the settings' machine, with the noise of this seed on its cores, as the profile has it, else as
/// shared machines have; nothing: without. Throws UsageError, Error.
SimRecord runCluster(ClusterPlan cluster, const Settings &settings, std::optional<std::uint64_t> noiseSeed = {});

/// Runs the plan on one node by another policy than hetc's. Throws UsageError, Error.
SimRecord runRival(ClusterPlan cluster, const Settings &settings, Rival rival);

} // namespace tla::host
