// Going through a space: which candidates are left, and the funnel, which says what each constraint removed.
//
// The funnel counts in points of the raw nest, that is without constraints. There an open-ended iterator ends after its
// largest value among the candidates left: [Dongarra14] finds its INF by "going up until further increase has no effect
// on the number of kernels". If there are none left it ends after the largest value that it took. A point is removed by
// the first constraint that fails for it, in the order of the nest; a cut removes all later points of its loop at once.
#pragma once

#include "kernels/tuning/nest.hpp"

namespace hetc::tuning {

struct FunnelRow {
  int constraint = 0;
  std::vector<int> levels; ///< loops in which it is tested, its own last
  std::int64_t tests = 0;  ///< how often it was evaluated
  double removed = 0;      ///< points; like all such counts exact below 2^53
  double left = 0;         ///< points after this and the rows above
};

struct Enumeration {
  double raw = 0;
  std::int64_t left = 0;
  std::int64_t visited = 0;         ///< iterations of all loops, in both passes
  std::vector<FunnelRow> funnel;    ///< rows from the outermost loop inwards
  std::vector<std::int64_t> last;   ///< by loop: where an open-ended iterator ends in the raw nest; else unknownLast
  std::vector<std::int64_t> visits; ///< visits of each loop
  std::vector<Point> points;        ///< ascending; if asked for
};

struct EnumerationOptions {
  int workers = 1;
  bool collectPoints = false;
};

/// The result is the same for every number of workers.
std::variant<Enumeration, Diagnostic> enumerate(const EnumerationPlan &plan, const EnumerationOptions &options);

/// Why nothing is left: the constraint that removed the last points, or the iterator that has no values.
Diagnostic explainEmpty(const EnumerationPlan &plan, const Enumeration &enumeration);

} // namespace hetc::tuning
