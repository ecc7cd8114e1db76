// The distribution that costs least.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "runtime/host/problem/problem.hpp"

#include "runtime/interfaces/cost.hpp"

#include <string>
#include <vector>

namespace tla::host {

/// The number of the problem's tasks, about, and rather too large.
double largestTaskCount(const Problem &problem);

/// The flops of the node with most, in means, to a thousandth: less says nothing.
double unevenness(const runtime::Cost &cost);

/// A call for counting: storages without memory, for these sizes and these tiles.
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
    double bytes; ///< bytes sent on the problem, about
  };
  std::vector<Candidate> candidates; ///< candidates that were tried, in their order
  runtime::Values counted;           ///< sizes of the problem that the best were counted on; no scalars
};

/// How long a choice may take: some hundredths of a second, more for hundreds of nodes; or about a second, after
/// which few problems have not been counted themselves, or half as large. Both are numbers of tasks: every rank of a
/// run comes to the same choice.
enum class Effort { Quick, Thorough };

/// The family of candidateDistributions() to choose from: all, those for one triangle if isSymmetric(problem); 2dbc;
/// g2dbc, which is 2dbc for some numbers of nodes. sbc is one at the most, which nobody chooses.
enum class Family { Any, Grid, Generalized, Symmetric };

/// Chooses a distribution; for a program for copies of the nodes also among those in copies.
///
/// The one of the family with the fewest predicted bytes, where a part of the work that the node with most has above
/// the mean counts as much as the same part of the bytes: bytes times most flops / mean flops. Of several the first.
/// They are counted on a problem of the same proportions and the same tiles, as large as the effort allows. What a node
/// has above the mean is, as a part of the whole, inversely proportional to the tiles of a side, and that is how it is
/// carried over to the problem. With Effort::Thorough those that are within a quarter of the best are then counted on
/// the problem itself, or one that is much larger. Candidates that leave more nodes without tiles of this problem than
/// others do are passed over.
DistributionChoice chooseDistribution(const Problem &problem, int nodes, Effort effort, Family family = Family::Any);
/// The choice, and behind it, in their order, candidates that move few bytes more: who knows how long tasks take finds
/// the fastest among them.
std::vector<Distribution> contenders(const DistributionChoice &choice);
/// Whether every matrix that is more than a few vectors stores a triangle.
bool isSymmetric(const Problem &problem);

} // namespace tla::host
