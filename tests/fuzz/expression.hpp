// Expressions of random programs: trees that are printed with no more parentheses than C++ needs, and evaluated as C++
// evaluates them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

enum class Operator {
  Number,   // value
  Real,     // text: 0.25
  Name,     // text: a loop variable, a local constant, a scalar parameter, an option as NoTrans
  Extent,   // text: "A", member: "mt", or "has" with two operands
  Negate,   // -a
  Not,      // !a
  Multiply, // a * b
  Divide,
  Remainder,
  Add,
  Subtract,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  Unequal,
  And,
  Or,
  Choose,  // a ? b : c
  Minimum, // min(a, b)
  Maximum,
  Convert, // T(a), where text is T
  Wide     // operands[1]: another way to compute operands[0], by numbers that no int holds
};

struct Expression {
  Operator kind = Operator::Number;
  long value = 0;
  std::string text, member;
  std::vector<Expression> operands;

  bool operator==(const Expression &) const = default;
};

Expression number(long value);
Expression real(const std::string &text);
Expression name(const std::string &text);
Expression extent(const std::string &matrix, const std::string &member);
Expression has(const std::string &matrix, Expression row, Expression column);
Expression unary(Operator kind, Expression a);
Expression binary(Operator kind, Expression a, Expression b);
Expression choose(Expression condition, Expression yes, Expression no);
Expression convert(const std::string &type, Expression a);
Expression wide(Expression plain, Expression byLargeNumbers);

std::string print(const Expression &expression);

/// A number as programs have it: an integer of 64 bits, all of which a long double holds, whose division cuts off, or a
/// double.
struct Number {
  long double value = 0;
  bool real = false;

  long integer() const { return static_cast<long>(value); }
  bool truth() const { return value != 0; }
};

/// The values of names and extents. The functions may throw Invalid.
struct Meaning {
  std::function<Number(const std::string &)> name;
  std::function<long(const std::string &matrix, const std::string &member)> extent;
  std::function<bool(const std::string &matrix, long row, long column)> has;
};

/// An error that must not be in a program, with its text.
struct Invalid {
  std::string text;
};

/// An integer that does not fit 64 bits.
struct Overflow {};

/// Throws Invalid for a division by zero, Overflow for an integer that does not fit 64 bits.
Number evaluate(const Expression &expression, const Meaning &meaning);

/// Calls visit for the expression and all below it.
template <typename E, typename Visit> void forEach(E &expression, const Visit &visit) {
  visit(expression);
  for (auto &operand : expression.operands)
    forEach(operand, visit);
}

/// The expression with the plain operand of everything wide in it.
Expression plain(const Expression &expression);

} // namespace fuzz
