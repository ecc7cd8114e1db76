// Distributions chosen by the time that a cluster takes, where bytes alone do not say which is best.
#pragma once

#include "runtime/predict/commands/cluster.hpp"

namespace tla::host {

/// Plans as planCluster() does, and chooses the distribution by time where `owners` is Family::Any: distributions are
/// simulated, without noise, on smaller problems of the same tiles and proportions, or on the problem itself if it is
/// small. In a first round these are all that chooseDistribution() lists and that send no more than four times as much
/// as the one that sends least, on some 40,000 tasks. The best few of them, with the one that sends least and the best
/// grid, are simulated on some 200,000,
/// or up to `mostTasks` where nodes have too few tiles on fewer. The distribution that sends least is kept where no
/// other ends a hundredth earlier, where nodes would have too few tiles of so small a problem to be compared, and where
/// the network is a platform of SimGrid. Small problems are simulated by replay, for which no loops of nodes have to be
/// compiled. Throws as planCluster().
ClusterPlan planFastestCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                               const WantedOwners &owners, int nodes, double mostTasks);

/// Tasks of a trial at most: where the whole is simulated anyway, and in a plan.
inline constexpr double mostTasksOfTrial = 800e3, mostTasksOfPlannedTrial = 300e3;

} // namespace tla::host
