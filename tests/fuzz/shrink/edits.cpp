#include "tests/fuzz/shrink/edits.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace fuzz {

namespace {

/// Calls visit(block) for all blocks of the program, until it returns true.
bool anyBlock(Block &block, const std::function<bool(Block &)> &visit) {
  if (visit(block))
    return true;
  for (Statement &statement : block)
    if (anyBlock(statement.body, visit) || anyBlock(statement.otherwise, visit))
      return true;
  return false;
}

bool anyBlock(Program &program, const std::function<bool(Block &)> &visit) {
  if (anyBlock(program.body, visit))
    return true;
  return std::any_of(program.callees.begin(), program.callees.end(),
                     [&](Callee &callee) { return anyBlock(callee.body, visit); });
}

void substitute(Block &block, const std::string &variable, const Expression &value) {
  forEachStatement(block, [&](Statement &statement) {
    forEachExpression(statement, [&](Expression &expression) {
      const std::function<void(Expression &)> replace = [&](Expression &inner) {
        if (inner.kind == Operator::Name && inner.text == variable)
          inner = value;
        else
          for (Expression &operand : inner.operands)
            replace(operand);
      };
      replace(expression);
    });
  });
}

/// The statements that may replace a statement; there are two possibilities at most.
bool replacement(const Statement &statement, int which, Block &result) {
  if (statement.kind == Statement::Kind::If) {
    result = which == 0 ? statement.body : statement.otherwise;
    return which == 0 || !statement.otherwise.empty();
  }
  if (statement.kind != Statement::Kind::Loop || which > 0)
    return false;
  result = statement.body;
  substitute(result, statement.variable, statement.first);
  return true;
}

/// The clauses of a task, as functions that take one away and say whether it was there.
std::vector<std::function<bool(Statement &)>> clauses() {
  std::vector<std::function<bool(Statement &)>> drops = {
      [](Statement &task) { return !task.priority.empty() && (task.priority.clear(), true); },
      [](Statement &task) { return !task.device.empty() && (task.device.clear(), true); },
      [](Statement &task) { return task.at >= 0 && (task.at = -1, true); },
      [](Statement &task) { return task.release >= 0 && (task.release = -1, true); },
      [](Statement &loop) {
        const bool stepped = loop.kind == Statement::Kind::Loop && loop.stepSign != "*=" && !(loop.step == number(1));
        if (stepped)
          loop.step = number(1);
        return stepped;
      }};
  for (std::size_t i = 0; i < 8; ++i) {
    const auto argument = [i](Statement &task) { return i < task.arguments.size() ? &task.arguments[i] : nullptr; };
    drops.push_back([=](Statement &task) {
      return argument(task) && !argument(task)->half.empty() && (argument(task)->half.clear(), true);
    });
    drops.push_back([=](Statement &task) {
      return argument(task) && argument(task)->transposed && !(argument(task)->transposed = false);
    });
    drops.push_back([=](Statement &call) {
      return argument(call) && !argument(call)->tiles.empty() && (argument(call)->tiles.clear(), true);
    });
    drops.push_back([=](Statement &task) {
      return argument(task) && !argument(task)->view.empty() && (argument(task)->view.clear(), true);
    });
  }
  return drops;
}

/// The n-th simpler form of an expression, of those that differ from it.
bool simpler(const Expression &expression, int which, Expression &result) {
  std::vector<Expression> forms = expression.operands;
  const bool leaf = expression.kind == Operator::Number || expression.kind == Operator::Real;
  const bool option = expression.kind == Operator::Name && expression.text[0] >= 'A' && expression.text[0] <= 'Z';
  if (!leaf && !option && expression.kind != Operator::Convert)
    for (const long value : {0, 1})
      forms.push_back(number(value));
  if (expression.kind == Operator::Number && expression.value > 1)
    forms.push_back(number(1));
  if (which >= static_cast<int>(forms.size()))
    return false;
  result = forms[which];
  return true;
}

bool simplifyNth(Expression &expression, int &left) {
  Expression form;
  for (int which = 0; simpler(expression, which, form); ++which)
    if (left-- == 0) {
      expression = form;
      return true;
    }
  return std::any_of(expression.operands.begin(), expression.operands.end(),
                     [&](Expression &operand) { return simplifyNth(operand, left); });
}

void noteNames(const Expression &expression, std::set<std::string> &names) {
  forEach(expression, [&](const Expression &inner) {
    if (inner.kind == Operator::Extent)
      names.insert(inner.text);
  });
}

} // namespace

bool removeRun(Program &program, int length, int number) {
  return anyBlock(program, [&](Block &block) {
    const int places = static_cast<int>(block.size()) - length + 1;
    if (places <= 0)
      return false;
    if (number >= places) {
      number -= places;
      return false;
    }
    block.erase(block.begin() + number, block.begin() + number + length);
    return true;
  });
}

bool unwrap(Program &program, int number) {
  return anyBlock(program, [&](Block &block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      Block result;
      for (int which = 0; replacement(block[i], which, result); ++which)
        if (number-- == 0) {
          block.erase(block.begin() + static_cast<long>(i));
          block.insert(block.begin() + static_cast<long>(i), result.begin(), result.end());
          return true;
        }
    }
    return false;
  });
}

bool dropClause(Program &program, int number) {
  const auto drops = clauses();
  return anyBlock(program, [&](Block &block) {
    for (Statement &statement : block)
      for (const auto &drop : drops) {
        Statement without = statement;
        if (drop(without) && number-- == 0) {
          statement = without;
          return true;
        }
      }
    return false;
  });
}

bool simplifyExpression(Program &program, int number) {
  bool done = false;
  const auto visit = [&](Block &block) {
    for (Statement &statement : block)
      forEachExpression(statement, [&](Expression &expression) { done = done || simplifyNth(expression, number); });
    return done;
  };
  return anyBlock(program, visit);
}

void tidy(Program &program) {
  std::set<std::string> matrices, calls;
  const auto note = [&](const Statement &statement) {
    if (statement.kind == Statement::Kind::Call)
      calls.insert(statement.callee);
    for (const Argument &argument : statement.arguments)
      matrices.insert(argument.matrix);
    forEachExpression(statement, [&](const Expression &expression) { noteNames(expression, matrices); });
  };
  forEachStatement(program.body, note);
  for (auto callee = program.callees.rbegin(); callee != program.callees.rend(); ++callee)
    if (calls.count(callee->name))
      forEachStatement(callee->body, note);
  for (const Matrix &matrix : program.matrices)
    if (matrices.count(matrix.name))
      for (const Expression &size : matrix.sizes)
        noteNames(size, matrices);
  std::erase_if(program.callees, [&](const Callee &callee) { return !calls.count(callee.name); });
  std::erase_if(program.matrices, [&](const Matrix &matrix) { return !matrices.count(matrix.name); });
}

} // namespace fuzz
