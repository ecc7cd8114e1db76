// Sums of terms as expressions that read well.
#pragma once

#include "compiler/ir/expr.hpp"

#include <cstdint>
#include <vector>

namespace hetc::ir {

/// Terms in the order in which they come, split by sign so that text needs no negative numbers.
struct Sum {
  std::vector<ExprRef> positive, negative;
  std::int64_t constant = 0;

  /// factor * name; nothing for a factor of 0.
  void add(const ExprRef &name, std::int64_t factor);
};

/// a + 2 * b - c - 1.
ExprRef toExpr(const Sum &sum);

/// sum >= 0, or sum == 0, as a comparison without negative terms: c < a + 2 * b.
ExprRef toComparison(const Sum &sum, bool isEquality);

/// ((left kind t1) kind t2) ...; without `left` it begins with t1.
ExprRef chain(ExprRef left, ExprKind kind, const std::vector<ExprRef> &terms);

} // namespace hetc::ir
