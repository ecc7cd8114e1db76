#include "dsl/annotations/annotation.hpp"

#include "dsl/base/operators.hpp"

namespace hetc::annotations {

namespace {
int precedence(const Expr &expr) {
  if (expr.kind == Expr::Kind::Select)
    return tla::SelectLevel;
  if (expr.kind == Expr::Kind::Unary)
    return tla::UnaryLevel;
  return expr.kind == Expr::Kind::Binary ? tla::findInfix(expr.text)->precedence : tla::PrimaryLevel;
}

std::string printOperand(const Expr &operand, int atLeast) {
  const std::string text = print(operand);
  return precedence(operand) < atLeast ? "(" + text + ")" : text;
}

std::string printArguments(const Expr &call, std::size_t first) {
  std::string result = "(";
  for (std::size_t index = first; index < call.operands.size(); ++index)
    result.append(index == first ? "" : ", ").append(print(call.operands[index]));
  return result + ")";
}

std::string printUnary(const Expr &expr) {
  const std::string operand = printOperand(expr.operands[0], tla::UnaryLevel);
  const bool decrement = expr.text == "-" && operand.starts_with('-');
  return decrement ? "-(" + operand + ")" : expr.text + operand;
}
} // namespace

std::string print(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Number:
  case Expr::Kind::Name:
    return expr.text;
  case Expr::Kind::Call:
    return expr.text + printArguments(expr, 0);
  case Expr::Kind::Member:
    return printOperand(expr.operands[0], tla::PrimaryLevel) + "." + expr.text + printArguments(expr, 1);
  case Expr::Kind::Unary:
    return printUnary(expr);
  case Expr::Kind::Binary: {
    const int level = precedence(expr);
    return printOperand(expr.operands[0], level) + " " + expr.text + " " + printOperand(expr.operands[1], level + 1);
  }
  case Expr::Kind::Select:
    return printOperand(expr.operands[0], tla::OrLevel) + " ? " + print(expr.operands[1]) + " : " +
           print(expr.operands[2]);
  }
  return {};
}

} // namespace hetc::annotations
