// The distribution that costs least.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "runtime/host/problem/problem.hpp"

#include <tla/runtime/cost.hpp>

#include <string>
#include <vector>

namespace tla::host {

/// The number of the problem's tasks, about, and rather too large.
double largestTaskCount(const Problem &problem);

/// What counting needs of a call: storages without memory, for these sizes and these tiles.
class DryCall {
public:
  /// Throws UsageError when counting would take hours or more memory than there is. `nodes`: of those whose copies are
  /// to be counted by replay; 0: none.
  DryCall(const runtime::Algorithm &algorithm, const runtime::Values &values,
          const std::vector<runtime::ScalarValue> &scalars, int nb, Cut cut, int nodes);
  runtime::Arguments arguments() const { return {pointers_.data(), scalars_.data()}; }

private:
  std::vector<runtime::ScalarValue> scalars_;
  std::vector<StorageRef> storages_;
  std::vector<Storage *> pointers_;
};

struct DistributionChoice {
  Distribution distribution;
  struct Candidate {
    Distribution distribution;
    std::uint64_t bytes; ///< on the reduced problem
  };
  std::vector<Candidate> candidates; ///< those that were tried, in their order
  runtime::Values reduced;           ///< sizes of the problem they were tried on; no scalars
};

/// The one of candidateDistributions(), those for one triangle among them or not, with the fewest predicted bytes,
/// where a part of the work that the node with most has above the mean counts as much as the same part of the bytes:
/// bytes times most flops / mean flops. Of several the first. They are tried on a problem of the same proportions and
/// the same tiles that takes about 20 ms to count for all of them together, longer for hundreds of nodes. That is a
/// number of tasks and not a time: every rank of a run comes to the same choice. Candidates that leave more nodes
/// without tiles of this problem than others do are passed over.
DistributionChoice chooseDistribution(const Problem &problem, int nodes, bool symmetric);

/// The choice with distributions for one triangle among the candidates if isSymmetric(problem).
DistributionChoice chooseDistribution(const Problem &problem, int nodes);
/// The choice, and behind it, in their order, candidates that move few bytes more: who knows how long tasks take finds
/// the fastest among them.
std::vector<Distribution> contenders(const DistributionChoice &choice);
/// Whether every matrix that is more than a few vectors stores a triangle.
bool isSymmetric(const Problem &problem);

} // namespace tla::host
