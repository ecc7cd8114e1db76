#include "compiler/ir/sum.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::ir {

namespace {
ExprRef addConstant(const ExprRef &expr, std::int64_t constant) {
  if (!expr)
    return makeInt(constant);
  if (constant == 0)
    return expr;
  return makeBinary(constant > 0 ? ExprKind::Add : ExprKind::Sub, expr, makeInt(std::abs(constant)));
}
} // namespace

void Sum::add(const ExprRef &name, std::int64_t factor) {
  if (factor == 0)
    return;
  const ExprRef term = std::abs(factor) == 1 ? name : makeBinary(ExprKind::Mul, makeInt(std::abs(factor)), name);
  (factor > 0 ? positive : negative).push_back(term);
}

ExprRef chain(ExprRef left, ExprKind kind, const std::vector<ExprRef> &terms) {
  for (const ExprRef &term : terms)
    left = left ? makeBinary(kind, left, term) : term;
  return left;
}

ExprRef toExpr(const Sum &sum) {
  ExprRef result = chain(nullptr, ExprKind::Add, sum.positive);
  std::vector<ExprRef> negative = sum.negative;
  if (!result && !negative.empty()) {
    result = makeUnary(ExprKind::Neg, negative.front());
    negative.erase(negative.begin());
  }
  return addConstant(chain(result, ExprKind::Sub, negative), sum.constant);
}

ExprRef toComparison(const Sum &sum, bool isEquality) {
  const ExprRef more = chain(nullptr, ExprKind::Add, sum.positive), less = chain(nullptr, ExprKind::Add, sum.negative);
  const bool isStrict = !isEquality && sum.constant < 0; // a <= b - 1 reads a < b
  const std::int64_t left = std::max<std::int64_t>(0, -sum.constant - isStrict);
  const std::int64_t right = std::max<std::int64_t>(0, sum.constant);
  const ExprKind kind = isEquality ? ExprKind::Eq : isStrict ? ExprKind::Lt : ExprKind::Le;
  return makeBinary(kind, addConstant(less, left), addConstant(more, right));
}

} // namespace hetc::ir
