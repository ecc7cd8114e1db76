// Owners of tiles that move fewer bytes than any closed form, found by trying.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "runtime/host/problem/problem.hpp"

#include "runtime/interfaces/owner_graph.hpp"

#include <string>

#include <vector>

namespace tla::host {

/// The cost by which partitions of a graph are judged, as distributions are (chooseDistribution).
struct OwnersCost {
  double bytes = 0;
  double unevenness = 1; ///< most flops of a node, in those that it is due: in means, or by its weight
  double weighted() const { return bytes * unevenness; }
};

/// `owners` by tile of the graph, nodes 0, 1, ... `weights` by node, positive; empty: all nodes have the same.
OwnersCost costOfOwners(const runtime::OwnerGraph &graph, const std::vector<int> &owners,
                        const std::vector<int> &weights = {});

/// Owners by simulated annealing from these: in each step two tiles change owners, or one gets another owner. Every
/// node keeps a tile. The best that were seen, which are no worse; the same for the same arguments. Takes some
/// microseconds a step, and two bytes for each edge and node.
std::vector<int> improveOwners(const runtime::OwnerGraph &graph, std::vector<int> owners, long steps, unsigned seed,
                               const std::vector<int> &weights = {});

/// The best table for as many nodes as the distribution has, with its weights, under this name: improved in so many
/// steps from the distribution, and from a square period in which nodes have some twenty tiles each, for problems of
/// one triangle above all, which are far better off with those. Throws UsageError where there is one node, or where a
/// search would take too much memory.
Distribution searchOwners(const Problem &problem, const Distribution &from, long steps, const std::string &name);

} // namespace tla::host
