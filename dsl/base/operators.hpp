// The operators that annotations, the IR and tuning spaces have in common: how they are written, how tight they bind,
// and what they do to integers. All of it is C++'s, but overflow and division by zero have no value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tla {

/// C++'s precedence, tightest highest.
enum Precedence {
  SelectLevel = 1,
  OrLevel,
  AndLevel,
  EqualityLevel,
  RelationalLevel,
  AdditiveLevel,
  MultiplicativeLevel,
  UnaryLevel,
  PrimaryLevel
};

/// The operations on two values. Enumerations of other rooms list them in this order (operatorOf()).
enum class BinaryOperator { Add, Sub, Mul, Div, Rem, Min, Max, Lt, Le, Gt, Ge, Eq, Ne, And, Or };

/// An operator that stands between its operands; min and max do not.
struct InfixOperator {
  BinaryOperator op;
  std::string_view spelling;
  Precedence precedence;
};

inline constexpr std::array<InfixOperator, 13> infixOperators{{
    {BinaryOperator::Or, "||", OrLevel},
    {BinaryOperator::And, "&&", AndLevel},
    {BinaryOperator::Eq, "==", EqualityLevel},
    {BinaryOperator::Ne, "!=", EqualityLevel},
    {BinaryOperator::Lt, "<", RelationalLevel},
    {BinaryOperator::Le, "<=", RelationalLevel},
    {BinaryOperator::Gt, ">", RelationalLevel},
    {BinaryOperator::Ge, ">=", RelationalLevel},
    {BinaryOperator::Add, "+", AdditiveLevel},
    {BinaryOperator::Sub, "-", AdditiveLevel},
    {BinaryOperator::Mul, "*", MultiplicativeLevel},
    {BinaryOperator::Div, "/", MultiplicativeLevel},
    {BinaryOperator::Rem, "%", MultiplicativeLevel},
}};

/// The operator with this spelling; null: there is none.
constexpr const InfixOperator *findInfix(std::string_view spelling) {
  for (const InfixOperator &each : infixOperators)
    if (each.spelling == spelling)
      return &each;
  return nullptr;
}
/// The infix operator of an operation; null for min and max.
constexpr const InfixOperator *findInfix(BinaryOperator op) {
  for (const InfixOperator &each : infixOperators)
    if (each.op == op)
      return &each;
  return nullptr;
}

/// The operation that an enumerator of another enumeration stands for, in which `first` stands for the sum and the
/// others follow in BinaryOperator's order; nothing for all others of that enumeration.
template <auto first> constexpr std::optional<BinaryOperator> operatorOf(decltype(first) kind) {
  const int number = static_cast<int>(kind) - static_cast<int>(first);
  return number >= 0 && number <= static_cast<int>(BinaryOperator::Or)
             ? std::optional(static_cast<BinaryOperator>(number))
             : std::nullopt;
}

/// The value of an operation on integers; empty on overflow and on division by zero. Comparisons give 0 or 1.
constexpr std::optional<std::int64_t> apply(BinaryOperator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
  case BinaryOperator::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOperator::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOperator::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOperator::Div:
  case BinaryOperator::Rem:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return std::nullopt;
    return op == BinaryOperator::Div ? a / b : a % b;
  case BinaryOperator::Min:
    return a < b ? a : b;
  case BinaryOperator::Max:
    return a < b ? b : a;
  case BinaryOperator::Lt:
    return a < b;
  case BinaryOperator::Le:
    return a <= b;
  case BinaryOperator::Gt:
    return a > b;
  case BinaryOperator::Ge:
    return a >= b;
  case BinaryOperator::Eq:
    return a == b;
  case BinaryOperator::Ne:
    return a != b;
  case BinaryOperator::And:
    return a && b;
  case BinaryOperator::Or:
    return a || b;
  }
  return std::nullopt;
}

/// -a; empty on overflow.
constexpr std::optional<std::int64_t> negated(std::int64_t a) {
  return a == INT64_MIN ? std::nullopt : std::optional(-a);
}

} // namespace tla
