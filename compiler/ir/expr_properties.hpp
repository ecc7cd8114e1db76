// What printer, parser and verifier must agree on: operators, their precedence, and the names that are taken.
#pragma once

#include "compiler/ir/expr.hpp"

#include <string_view>

namespace hetc::ir {

/// The most nesting and operators that an expression may have, and the most nesting of a program: whoever walks them
/// needs neither a deep stack nor long.
inline constexpr unsigned maxNesting = 250;
inline constexpr unsigned maxOperators = 1000;
/// Whether the expression, as a tree, has no more operators. Takes time for that many only.
bool hasAtMost(const Expr &expr, unsigned operators);

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

/// A two-operand infix operator; min and max are not infix.
struct InfixOperator {
  ExprKind kind;
  std::string_view spelling;
  int precedence;
};
const InfixOperator *findInfix(ExprKind kind);
const InfixOperator *findInfix(std::string_view spelling);

/// < <= > >= == !=, and what also has the value 0 or 1: !, &&, ||.
bool isComparison(ExprKind kind);
bool isCondition(ExprKind kind);

/// Whether it names the size of a matrix or tile.
bool asksSize(const Expr &expr);

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
