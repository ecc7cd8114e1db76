// Integers by way of numbers that no int holds: what a program computes with 32 bits somewhere, or with wrapping 64, is
// another program then.
#include "tests/fuzz/make/wide.hpp"

#include <set>

namespace fuzz {

namespace {

using Kind = Statement::Kind;

/// The names of the ints that loops and declarations make, and those of every program.
std::set<std::string> intNames(const Program &program) {
  std::set<std::string> names = {"shift", "ib"};
  const auto ofBlock = [&](const Block &block) {
    forEachStatement(block, [&](const Statement &statement) {
      if (statement.kind == Kind::Loop || (statement.kind == Kind::Local && statement.type == "int"))
        names.insert(statement.variable);
    });
  };
  ofBlock(program.body);
  for (const Callee &callee : program.callees)
    ofBlock(callee.body);
  return names;
}

class Widener {
public:
  Widener(Random &random, std::set<std::string> ints) : random_(random), ints_(std::move(ints)) {}

  void widen(Block &block) {
    forEachStatement(block, [this](Statement &statement) { widen(statement); });
  }

private:
  void widen(Statement &statement) {
    if (statement.kind == Kind::Until)
      return;
    const Expression step = statement.step, condition = statement.condition;
    forEachExpression(statement, [this](Expression &expression) { widen(expression); });
    if (statement.kind == Kind::Loop) { // what a loop counts, and by how much, is said as it is
      statement.step = step;
      statement.condition.operands[0] = condition.operands[0];
    }
  }

  void widen(Expression &expression) {
    if (isInt(expression)) {
      if (random_.chance(15))
        expression = another(expression);
      return;
    }
    for (Expression &operand : expression.operands)
      widen(operand);
  }

  bool isInt(const Expression &expression) const {
    return (expression.kind == Operator::Extent && expression.member != "has") ||
           (expression.kind == Operator::Name && ints_.count(expression.text));
  }

  /// Returns an expression with the same value, unless one of its numbers does not fit 64 bits.
  Expression another(const Expression &x) {
    const auto times = [](const Expression &a, long factor) { return binary(Operator::Multiply, a, number(factor)); };
    const auto over = [](const Expression &a, long by) { return binary(Operator::Divide, a, number(by)); };
    const long factor = random_.one({65536, 1000003, 2147483647});
    switch (random_.below(30)) {
    case 0: // far beyond 64 bits, perhaps
      return wide(x,
                  over(over(over(times(times(times(x, mostOfInt), mostOfInt), factor), mostOfInt), mostOfInt), factor));
    case 1:
    case 2:
    case 3:
    case 4: // there and back
      return wide(x, binary(Operator::Subtract, binary(Operator::Add, x, number(mostOfInt)), number(mostOfInt)));
    case 5:
    case 6:
    case 7:
    case 8: // a difference of two products
      return wide(x, binary(Operator::Subtract, times(x, factor), times(x, factor - 1)));
    case 9:
    case 10:
    case 11: // a comparison
      return wide(
          x, choose(binary(Operator::Greater, times(x, factor), number(mostOfInt)), over(times(x, factor), factor), x));
    default:
      return wide(x, over(over(times(times(x, factor), 65536), 65536), factor));
    }
  }
  static constexpr long mostOfInt = 2147483647;

  Random &random_;
  const std::set<std::string> ints_;
};

} // namespace

void widen(Program &program, Random &random) {
  Widener widener(random, intNames(program));
  widener.widen(program.body);
  for (Callee &callee : program.callees)
    widener.widen(callee.body);
}

} // namespace fuzz
