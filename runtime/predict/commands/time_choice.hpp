// Distributions chosen by the time that a cluster takes, where bytes alone do not say which is best.
#pragma once

#include "runtime/predict/commands/cluster.hpp"

namespace tla::host {

/// Plans as planCluster() does, and chooses the distribution by time where `owners` is Family::Any: the one with fewest
/// bytes, the grid with fewest, and one row and one column of nodes are simulated, without noise, on the problem, or a
/// smaller one of the same tiles and proportions. The one with fewest bytes is kept where none ends a hundredth
/// earlier, where nodes would have too few tiles of so small a problem to be compared, and where the network is a
/// platform of SimGrid. Throws as planCluster().
ClusterPlan planFastestCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                               const WantedOwners &owners, int nodes);

} // namespace tla::host
