#include "kernels/tuning/evaluate.hpp"

#include <limits>
#include <numeric>

namespace hetc::tuning {

namespace {
using Integer = std::int64_t;
constexpr Integer least = std::numeric_limits<Integer>::min();

[[noreturn]] void overflow(const Expr &expr) {
  throw EvaluationError{expr.offset, "a value does not fit into 64 bits"};
}

Integer greatestDivisor(const Expr &expr, Integer a, Integer b) {
  if (a == least || b == least)
    overflow(expr);
  return std::gcd(a, b);
}

Integer binary(const Expr &expr, Integer a, Integer b) {
  const auto op = tla::operatorOf<Op::Add>(expr.op);
  if (!op)
    return greatestDivisor(expr, a, b);
  const std::optional<Integer> result = tla::apply(*op, a, b);
  if (!result && b == 0) // a product, sum or difference with 0 fits
    throw EvaluationError{expr.operands[1].offset, "division by zero"};
  if (!result)
    overflow(expr);
  return *result;
}

} // namespace

Integer evaluate(const Expr &expr, const std::vector<Integer> &values) {
  const auto operand = [&](std::size_t index) { return evaluate(expr.operands[index], values); };
  switch (expr.op) {
  case Op::Number:
    return expr.value;
  case Op::Symbol:
    return values[expr.symbol];
  case Op::Negate: {
    const std::optional<Integer> value = tla::negated(operand(0));
    if (!value)
      overflow(expr);
    return *value;
  }
  case Op::Not:
    return !operand(0);
  case Op::And:
    return operand(0) && operand(1);
  case Op::Or:
    return operand(0) || operand(1);
  case Op::Select:
    return operand(operand(0) ? 1 : 2);
  default: {
    Integer result = operand(0);
    for (std::size_t index = 1; index < expr.operands.size(); ++index)
      result = binary(expr, result, operand(index));
    return result;
  }
  }
}

} // namespace hetc::tuning
