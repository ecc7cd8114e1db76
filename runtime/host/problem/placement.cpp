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
  if (const NodeWeights weights = weightsOf(distribution); !weights.weights.empty())
    throw UsageError(count(nodes, "node") + " have weights, " + distribution.name() + ", but this run has " +
                     count(ranks, "rank") + ": give one weight for each, or mpirun -n " + std::to_string(nodes));
  throw UsageError("--dist " + distribution.name() + " is for " + count(nodes, "node") + ", but this run has " +
                   count(ranks, "rank") + "; --dist " + squareDistribution(ranks).name() + " would fit, or mpirun -n " +
                   std::to_string(nodes));
}

} // namespace tla::host
