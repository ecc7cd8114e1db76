#include "runtime/predict/commands/copies_choice.hpp"

#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/commands/cost_count.hpp"

#include <cmath>

namespace tla::host {

std::vector<int> copiesWorthTrying(int nodes) {
  constexpr double beyond = 1.26; // the cube root of 2
  std::vector<int> counts;
  for (int copies = 2; copies <= beyond * std::cbrt(nodes) + 1e-9; ++copies)
    if (nodes % copies == 0)
      counts.push_back(copies);
  return counts;
}

std::vector<const runtime::Algorithm *> programsInCopies(const runtime::Algorithm &algorithm, int nodes) {
  std::vector<const runtime::Algorithm *> programs;
  for (const int copies : copiesWorthTrying(nodes))
    if (const runtime::Algorithm *const program = forCopies(algorithm, copies))
      programs.push_back(program);
  return programs;
}

CopiesCandidate candidateOf(const runtime::Cost &cost) {
  return {bytesOfNode(cost), static_cast<double>(cost.total().transfers.bytes) * unevenness(cost), std::nullopt};
}

bool isBetter(const CopiesCandidate &one, const CopiesCandidate &other, double memory) {
  const bool fits = one.bytesPerNode <= memory;
  if (fits != (other.bytesPerNode <= memory))
    return fits;
  if (!fits)
    return one.bytesPerNode < other.bytesPerNode;
  if (one.seconds && other.seconds)
    return *one.seconds < *other.seconds;
  return one.weighted < other.weighted;
}

} // namespace tla::host
