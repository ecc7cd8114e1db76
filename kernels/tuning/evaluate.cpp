#include "kernels/tuning/evaluate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hetc::tuning {

namespace {
using Integer = std::int64_t;
constexpr Integer least = std::numeric_limits<Integer>::min();

[[noreturn]] void overflow(const Expr &expr) {
  throw EvaluationError{expr.offset, "a value does not fit into 64 bits"};
}

Integer divide(const Expr &expr, Integer a, Integer b) {
  if (b == 0)
    throw EvaluationError{expr.operands[1].offset, "division by zero"};
  if (a == least && b == -1)
    overflow(expr);
  return expr.op == Op::Divide ? a / b : a % b;
}

Integer greatestDivisor(const Expr &expr, Integer a, Integer b) {
  if (a == least || b == least)
    overflow(expr);
  return std::gcd(a, b);
}

Integer binary(const Expr &expr, Integer a, Integer b) {
  Integer result = 0;
  bool overflows = false;
  switch (expr.op) {
  case Op::Multiply:
    overflows = __builtin_mul_overflow(a, b, &result);
    break;
  case Op::Add:
    overflows = __builtin_add_overflow(a, b, &result);
    break;
  case Op::Subtract:
    overflows = __builtin_sub_overflow(a, b, &result);
    break;
  case Op::Divide:
  case Op::Remainder:
    return divide(expr, a, b);
  case Op::Less:
    return a < b;
  case Op::LessEqual:
    return a <= b;
  case Op::Greater:
    return a > b;
  case Op::GreaterEqual:
    return a >= b;
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  default:
    return greatestDivisor(expr, a, b);
  }
  if (overflows)
    overflow(expr);
  return result;
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
    const Integer value = operand(0);
    if (value == least)
      overflow(expr);
    return -value;
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
