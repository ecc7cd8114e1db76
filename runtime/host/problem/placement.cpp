#include "runtime/host/problem/placement.hpp"

#include "runtime/distribution/weighted.hpp"

#include <tla/runtime/error.hpp>

#include <string>

namespace tla::host {

// "--dist 2dbc:2x3 is for 6 nodes, but this run has 4 ranks; --dist 2dbc:2x2 would fit"
void requireFit(const Distribution &distribution, int ranks) {
  const int nodes = distribution.nodes();
  if (nodes == ranks)
    return;
  const auto count = [](int number, const char *what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  if (const NodeWeights weights = weightsOf(distribution); !weights.weights.empty() && distribution.copies() == 1)
    throw UsageError(count(nodes, "node") + " have weights, " + distribution.name() + ", but this run has " +
                     count(ranks, "rank") + ": give one weight for each, or mpirun -n " + std::to_string(nodes));
  throw UsageError("--dist " + distribution.name() + " is for " + count(nodes, "node") + ", but this run has " +
                   count(ranks, "rank") + "; --dist " + squareDistribution(ranks).name() + " would fit, or mpirun -n " +
                   std::to_string(nodes));
}

void requireOneNode(int nodes, const runtime::Algorithm &algorithm) {
  if (algorithm.isDealt() && nodes > 1)
    throw UsageError(std::string(algorithm.name) +
                     " deals its updates to the elements of one node (--tasks octal), and " + std::to_string(nodes) +
                     " nodes are asked for; leave --tasks out, or use copies of the nodes: "
                     "--dist 2dbc:PxQ,copies=C");
}

void requireCopies(const Distribution &distribution, const runtime::Algorithm &algorithm) {
  if (distribution.copies() > 1 && distribution.copies() != algorithm.copies())
    throw UsageError("--dist " + distribution.name() + ": this program was compiled for " +
                     (algorithm.copies() == 1 ? "nodes that stand once"
                                              : std::to_string(algorithm.copies()) + " copies of the nodes") +
                     "; compile it again with --copies=" + std::to_string(distribution.copies()));
}

} // namespace tla::host
