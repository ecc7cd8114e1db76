#include "tests/fuzz/expression.hpp"

#include <algorithm>

namespace fuzz {

Expression number(long value) {
  if (value < 0)
    return unary(Operator::Negate, number(-value));
  return {Operator::Number, value, "", "", {}};
}
Expression real(const std::string &text) { return {Operator::Real, 0, text, "", {}}; }
Expression name(const std::string &text) { return {Operator::Name, 0, text, "", {}}; }
Expression extent(const std::string &matrix, const std::string &member) {
  return {Operator::Extent, 0, matrix, member, {}};
}
Expression has(const std::string &matrix, Expression row, Expression column) {
  return {Operator::Extent, 0, matrix, "has", {std::move(row), std::move(column)}};
}
Expression unary(Operator kind, Expression a) { return {kind, 0, "", "", {std::move(a)}}; }
Expression binary(Operator kind, Expression a, Expression b) { return {kind, 0, "", "", {std::move(a), std::move(b)}}; }
Expression choose(Expression condition, Expression yes, Expression no) {
  return {Operator::Choose, 0, "", "", {std::move(condition), std::move(yes), std::move(no)}};
}
Expression convert(const std::string &type, Expression a) { return {Operator::Convert, 0, type, "", {std::move(a)}}; }
Expression wide(Expression plain, Expression byLargeNumbers) {
  return {Operator::Wide, 0, "", "", {std::move(plain), std::move(byLargeNumbers)}};
}

namespace {

/// How tightly an operator binds; the more, the tighter.
int strength(Operator kind) {
  switch (kind) {
  case Operator::Choose:
    return 1;
  case Operator::Or:
    return 2;
  case Operator::And:
    return 3;
  case Operator::Equal:
  case Operator::Unequal:
    return 4;
  case Operator::Less:
  case Operator::LessEqual:
  case Operator::Greater:
  case Operator::GreaterEqual:
    return 5;
  case Operator::Add:
  case Operator::Subtract:
    return 6;
  case Operator::Multiply:
  case Operator::Divide:
  case Operator::Remainder:
    return 7;
  case Operator::Negate:
  case Operator::Not:
    return 8;
  default:
    return 9;
  }
}

const char *sign(Operator kind) {
  switch (kind) {
  case Operator::Multiply:
    return " * ";
  case Operator::Divide:
    return " / ";
  case Operator::Remainder:
    return " % ";
  case Operator::Add:
    return " + ";
  case Operator::Subtract:
    return " - ";
  case Operator::Less:
    return " < ";
  case Operator::LessEqual:
    return " <= ";
  case Operator::Greater:
    return " > ";
  case Operator::GreaterEqual:
    return " >= ";
  case Operator::Equal:
    return " == ";
  case Operator::Unequal:
    return " != ";
  case Operator::And:
    return " && ";
  default:
    return " || ";
  }
}

/// Prints an expression, in parentheses unless it binds at least so tightly.
std::string printAt(const Expression &expression, int least) {
  if (expression.kind == Operator::Wide)
    return printAt(expression.operands[1], least);
  const std::string text = print(expression);
  return strength(expression.kind) < least ? "(" + text + ")" : text;
}

std::string printCall(const std::string &function, const std::vector<Expression> &operands) {
  std::string text;
  for (const Expression &operand : operands)
    text += (text.empty() ? "" : ", ") + print(operand);
  return function + "(" + text + ")";
}

constexpr long double endOfIntegers = 9223372036854775808.0L; // 2^63

/// An integer, of 64 bits.
Number integer(long double value) {
  if (value >= endOfIntegers || value < -endOfIntegers)
    throw Overflow{};
  return {value, false};
}

/// A double, rounded as one, or an integer.
Number rounded(long double value, bool real) {
  return real ? Number{static_cast<double>(value), true} : integer(value);
}

Number divide(const Number &a, const Number &b) {
  if (a.real || b.real)
    return rounded(a.value / b.value, true);
  if (b.value == 0)
    throw Invalid{"division by zero"};
  return integer(static_cast<long double>(a.integer() / b.integer()));
}

Number remainder(const Number &a, const Number &b) {
  if (b.value == 0)
    throw Invalid{"division by zero"};
  return integer(static_cast<long double>(a.integer() % b.integer()));
}

Number convertTo(const std::string &type, const Number &a) {
  if (type == "int")
    return integer(static_cast<long double>(a.integer()));
  return type == "bool" ? integer(a.truth()) : Number{a.value, true};
}

Number arithmetic(Operator kind, const Number &a, const Number &b) {
  const bool real = a.real || b.real;
  switch (kind) {
  case Operator::Multiply:
    return rounded(a.value * b.value, real);
  case Operator::Divide:
    return divide(a, b);
  case Operator::Remainder:
    return remainder(a, b);
  case Operator::Add:
    return rounded(a.value + b.value, real);
  case Operator::Subtract:
    return rounded(a.value - b.value, real);
  case Operator::Less:
    return integer(a.value < b.value);
  case Operator::LessEqual:
    return integer(a.value <= b.value);
  case Operator::Greater:
    return integer(a.value > b.value);
  case Operator::GreaterEqual:
    return integer(a.value >= b.value);
  case Operator::Equal:
    return integer(a.value == b.value);
  case Operator::Unequal:
    return integer(a.value != b.value);
  case Operator::Minimum:
    return {std::min(a.value, b.value), real};
  default:
    return {std::max(a.value, b.value), real};
  }
}

} // namespace

std::string print(const Expression &expression) {
  const std::vector<Expression> &operands = expression.operands;
  const int own = strength(expression.kind);
  switch (expression.kind) {
  case Operator::Number:
    return std::to_string(expression.value);
  case Operator::Real:
  case Operator::Name:
    return expression.text;
  case Operator::Extent:
    return printCall(expression.text + "." + expression.member, operands);
  case Operator::Negate: // -(-1) is not --1
    return "-" + printAt(operands[0], own + (operands[0].kind == Operator::Negate));
  case Operator::Not:
    return "!" + printAt(operands[0], own);
  case Operator::Choose:
    return printAt(operands[0], own + 1) + " ? " + printAt(operands[1], own + 1) + " : " + printAt(operands[2], own);
  case Operator::Minimum:
    return printCall("min", operands);
  case Operator::Maximum:
    return printCall("max", operands);
  case Operator::Convert:
    return printCall(expression.text, operands);
  case Operator::Wide:
    return print(operands[1]);
  default: // of equal strength from left to right
    return printAt(operands[0], own) + sign(expression.kind) + printAt(operands[1], own + 1);
  }
}

Number evaluate(const Expression &expression, const Meaning &meaning) {
  const auto operand = [&](int i) { return evaluate(expression.operands[i], meaning); };
  switch (expression.kind) {
  case Operator::Number:
    return integer(static_cast<long double>(expression.value));
  case Operator::Real:
    return {std::stod(expression.text), true};
  case Operator::Name:
    return meaning.name(expression.text);
  case Operator::Extent:
    if (expression.member == "has")
      return integer(meaning.has(expression.text, operand(0).integer(), operand(1).integer()));
    return integer(static_cast<long double>(meaning.extent(expression.text, expression.member)));
  case Operator::Negate: {
    const Number a = operand(0);
    return rounded(-a.value, a.real);
  }
  case Operator::Not:
    return integer(!operand(0).truth());
  case Operator::And:
    return integer(operand(0).truth() && operand(1).truth());
  case Operator::Or:
    return integer(operand(0).truth() || operand(1).truth());
  case Operator::Choose:
    return operand(0).truth() ? operand(1) : operand(2);
  case Operator::Convert:
    return convertTo(expression.text, operand(0));
  case Operator::Wide:
    return operand(1);
  default:
    return arithmetic(expression.kind, operand(0), operand(1));
  }
}

Expression plain(const Expression &expression) {
  if (expression.kind == Operator::Wide)
    return plain(expression.operands[0]);
  Expression result = expression;
  for (Expression &operand : result.operands)
    operand = plain(operand);
  return result;
}

} // namespace fuzz
