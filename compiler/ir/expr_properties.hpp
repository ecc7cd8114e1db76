// What printer, parser and verifier must agree on: operators, their precedence, and the names that are taken.
#pragma once

#include "compiler/ir/expr.hpp"
#include "dsl/base/operators.hpp"

#include <string_view>

namespace hetc::ir {

/// The most nesting and operators that an expression may have, and the most nesting of a program: whoever walks them
/// needs neither a deep stack nor long.
inline constexpr unsigned maxNesting = 250;
inline constexpr unsigned maxOperators = 1000;
/// Whether the expression, as a tree, has no more operators. Takes time for that many only.
bool hasAtMost(const Expr &expr, unsigned operators);

/// The operation of an expression on two operands; nothing for other kinds.
constexpr std::optional<tla::BinaryOperator> operatorOf(ExprKind kind) { return tla::operatorOf<ExprKind::Add>(kind); }
/// The kind of an expression with this operation.
constexpr ExprKind kindOf(tla::BinaryOperator op) {
  return static_cast<ExprKind>(static_cast<int>(ExprKind::Add) + static_cast<int>(op));
}
static_assert(kindOf(tla::BinaryOperator::Max) == ExprKind::Max && kindOf(tla::BinaryOperator::Or) == ExprKind::Or);
/// The kind of an expression with an infix operator of this spelling; nothing: there is none.
constexpr std::optional<ExprKind> kindOf(std::string_view spelling) {
  const tla::InfixOperator *const infix = tla::findInfix(spelling);
  return infix ? std::optional(kindOf(infix->op)) : std::nullopt;
}
/// The operator that stands between the operands of such an expression; null: none does.
constexpr const tla::InfixOperator *findInfix(ExprKind kind) {
  const auto op = operatorOf(kind);
  return op ? tla::findInfix(*op) : nullptr;
}

/// < <= > >= == !=, and what also has the value 0 or 1: !, &&, ||.
bool isComparison(ExprKind kind);
bool isCondition(ExprKind kind);

/// Whether the variable occurs in it.
bool hasVariable(const Expr &expr, const std::string &name);

/// Whether it names the size of a matrix or tile.
bool asksSize(const Expr &expr);
/// Whether it names the size of this one.
bool asksSizeOf(const Expr &expr, const std::string &matrix);

/// Whether it asks which tiles a matrix has.
bool asksTiles(const Expr &expr);

/// Operands an expression of this kind must have; an extent has as many as it has arguments.
std::size_t operandCount(ExprKind kind);

/// Value of one of tla's enumerators ("NoTrans" -> 111).
std::optional<std::int64_t> enumeratorValue(std::string_view name);

/// "T", "real" (RealType<T>), a C++ arithmetic type, its words separated by one space, or one of castName()'s.
bool isCastType(std::string_view type);
/// One word of such a type: "unsigned", "long", "size_t".
bool isCastTypeWord(std::string_view word);

/// A C++ identifier that means nothing else in an expression, so that a variable may have it.
bool isFreeName(std::string_view name);

/// Literal of type float, double or long double, as C++ writes it (decimal or hexadecimal).
bool isRealLiteral(std::string_view text);

} // namespace hetc::ir
