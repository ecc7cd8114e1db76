// What the IR's operators do to integers. Shared by evaluate() and by the unroller's compiled expressions, so that both
// mean the same.
#pragma once

#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// The value of a two-operand operator other than && and ||; empty on overflow and division by zero.
constexpr std::optional<std::int64_t> applyBinary(ExprKind kind, std::int64_t a, std::int64_t b) {
  const std::optional<tla::BinaryOperator> op = operatorOf(kind);
  return op ? tla::apply(*op, a, b) : std::nullopt;
}

/// The value of -a or !a; empty on overflow.
constexpr std::optional<std::int64_t> applyUnary(ExprKind kind, std::int64_t a) {
  return kind == ExprKind::Not ? !a : tla::negated(a);
}

/// A.has(i, j) of a matrix with all tiles that its kind has.
inline bool hasTile(MatrixKind kind, std::int64_t mt, std::int64_t nt, std::int64_t i, std::int64_t j) {
  return i >= 0 && i < mt && j >= 0 && j < nt && (kind != MatrixKind::Lower || i >= j) &&
         (kind != MatrixKind::Upper || i <= j);
}

/// The value of a cast to `type`; empty when the type is not an integer type.
std::optional<std::int64_t> applyCast(const std::string &type, std::int64_t a);

} // namespace hetc::ir
