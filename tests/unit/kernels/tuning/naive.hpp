// A space enumerated with no plan: every point of the raw nest, every constraint at every point. What plans
// and nests are held against.
#pragma once

#include "kernels/tuning/enumerate.hpp"

namespace hetc::tuning {

/// The space of a text that is right.
Space spaceOf(const std::string &text);
EnumerationPlan planOf(const std::string &text);

/// The message of a text's first error from reading or planning, as "LINE:COLUMN: MESSAGE"; "none" when it has none.
std::string errorOf(const std::string &text);

struct NaiveResult {
  double raw = 0;
  std::vector<Point> points;         ///< points that are left
  std::vector<double> firstFailures; ///< by constraint: the points at which it fails before all others of `order`
};

/// Goes up to the values `last` in open-ended loops. Throws EvaluationError.
NaiveResult enumerateNaively(const EnumerationPlan &plan, const std::vector<std::int64_t> &last,
                             const std::vector<int> &order);

} // namespace hetc::tuning
