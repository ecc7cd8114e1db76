// What the IR's operators do to integers. Shared by evaluate() and by the unroller's compiled expressions, so that both
// mean the same.
#pragma once

#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// The value of a two-operand operator other than && and ||; empty on overflow and division by zero.
inline std::optional<std::int64_t> applyBinary(ExprKind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (kind) {
  case ExprKind::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case ExprKind::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case ExprKind::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case ExprKind::Div:
  case ExprKind::Rem:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return std::nullopt;
    return kind == ExprKind::Div ? a / b : a % b;
  case ExprKind::Min:
    return a < b ? a : b;
  case ExprKind::Max:
    return a < b ? b : a;
  case ExprKind::Lt:
    return a < b;
  case ExprKind::Le:
    return a <= b;
  case ExprKind::Gt:
    return a > b;
  case ExprKind::Ge:
    return a >= b;
  case ExprKind::Eq:
    return a == b;
  case ExprKind::Ne:
    return a != b;
  default:
    return std::nullopt;
  }
}

/// The value of -a or !a; empty on overflow.
inline std::optional<std::int64_t> applyUnary(ExprKind kind, std::int64_t a) {
  if (kind == ExprKind::Not)
    return !a;
  return a == INT64_MIN ? std::nullopt : std::optional(-a);
}

/// A.has(i, j) of a matrix with all tiles that its kind has.
inline bool hasTile(MatrixKind kind, std::int64_t mt, std::int64_t nt, std::int64_t i, std::int64_t j) {
  return i >= 0 && i < mt && j >= 0 && j < nt && (kind != MatrixKind::Lower || i >= j) &&
         (kind != MatrixKind::Upper || i <= j);
}

/// The value of a cast to `type`; empty when the type is not an integer type.
std::optional<std::int64_t> applyCast(const std::string &type, std::int64_t a);

} // namespace hetc::ir
