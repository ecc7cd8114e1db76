#include "tests/fuzz/program.hpp"

#include <set>

namespace fuzz {

const Matrix *Program::find(const std::string &matrix) const {
  for (const Matrix &candidate : matrices)
    if (candidate.name == matrix)
      return &candidate;
  return nullptr;
}

namespace {

std::string list(const std::vector<Expression> &expressions) {
  std::string text;
  for (const Expression &expression : expressions)
    text += (text.empty() ? "" : ", ") + print(expression);
  return text;
}

const char *typeName(MatrixKind kind) {
  switch (kind) {
  case MatrixKind::General:
    return "tla::Matrix";
  case MatrixKind::Lower:
    return "tla::LowerMatrix";
  case MatrixKind::Upper:
    return "tla::UpperMatrix";
  case MatrixKind::Workspace:
    break;
  }
  return "tla::Workspace";
}

class Printer {
public:
  std::string print(const Program &program) {
    text_ = "#include \"kernels.hpp\"\n\n";
    for (const Callee &callee : program.callees)
      print(callee, program);
    text_ += "#pragma tla algorithm " + clauses(program) + "\ntemplate <typename T>\nvoid " + program.name + "(" +
             parameters(program) + ") {\n";
    declareWorkspaces(program, "");
    print(program.body, 1);
    return text_ + "}\n";
  }

private:
  static std::string clauses(const Program &program) {
    std::string shapes, inputs;
    for (const Matrix &matrix : program.matrices) {
      if (matrix.own)
        continue;
      shapes += (shapes.empty() ? "" : ", ") + matrix.name + "(" + list(matrix.sizes) + ")";
      if (matrix.kind != MatrixKind::Workspace)
        inputs +=
            (inputs.empty() ? "" : ", ") + matrix.name + (matrix.kind == MatrixKind::General ? " : random" : " : spd");
    }
    return "shape(" + shapes + ") input(" + inputs + ") default(shift : 1, ib : 2, factor : 0.375)";
  }

  static std::string parameters(const Program &program) {
    std::string text;
    for (const Matrix &matrix : program.matrices)
      if (!matrix.own)
        text += std::string(typeName(matrix.kind)) + "<" + matrix.element + "> " + matrix.name + ", ";
    return text + "int shift, int ib, T factor";
  }

  void declareWorkspaces(const Program &program, const std::string &owner) {
    for (const Matrix &matrix : program.matrices)
      if (matrix.own && matrix.owner == owner)
        line(1, "tla::Workspace<" + matrix.element + "> " + matrix.name + "(" + list(matrix.sizes) + ");");
  }

  void print(const Callee &callee, const Program &program) {
    std::string parameters;
    for (const Callee::Parameter &parameter : callee.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.type + " " + parameter.name;
    text_ += "#pragma tla algorithm\ntemplate <typename T>\nvoid " + callee.name + "(" + parameters + ") {\n";
    declareWorkspaces(program, callee.name);
    print(callee.body, 1);
    text_ += "}\n\n";
  }

  void print(const Block &block, int depth) {
    for (const Statement &statement : block)
      print(statement, depth);
  }

  void print(const Statement &statement, int depth) {
    switch (statement.kind) {
    case Statement::Kind::Loop:
      line(depth, loopHead(statement) + " {");
      print(statement.body, depth + 1);
      return line(depth, "}");
    case Statement::Kind::If:
      line(depth, "if (" + fuzz::print(statement.condition) + ") {");
      print(statement.body, depth + 1);
      if (!statement.otherwise.empty()) {
        line(depth, "} else {");
        print(statement.otherwise, depth + 1);
      }
      return line(depth, "}");
    case Statement::Kind::Task:
      line(depth, "#pragma tla task" + taskClauses(statement));
      return line(depth, call(statement));
    case Statement::Kind::Call:
    case Statement::Kind::Swap:
      return line(depth, call(statement));
    case Statement::Kind::Until:
      line(depth, "if (tla::value(" + statement.arguments[0].matrix + ") " + statement.stepSign + " " +
                      fuzz::print(statement.first) + ")");
      return line(depth + 1, "break;");
    case Statement::Kind::Local:
      return line(depth,
                  "const " + statement.type + " " + statement.variable + " = " + fuzz::print(statement.first) + ";");
    }
  }

  static std::string loopHead(const Statement &loop) {
    const bool one = loop.step == number(1) && loop.stepSign != "*=";
    const std::string step = one ? (loop.stepSign == "+=" ? "++" : "--") + loop.variable
                                 : loop.variable + " " + loop.stepSign + " " + fuzz::print(loop.step);
    return "for (int " + loop.variable + " = " + fuzz::print(loop.first) + "; " + fuzz::print(loop.condition) + "; " +
           step + ")";
  }

  static std::string taskClauses(const Statement &task) {
    std::string text;
    if (!task.priority.empty())
      text += " priority(" + fuzz::print(task.priority[0]) + ")";
    if (task.at >= 0)
      text += " at(" + plainTile(task.arguments[task.at]) + ")";
    if (!task.device.empty())
      text += " device(" + task.device + ")";
    if (task.release >= 0)
      text += " release(" + plainTile(task.arguments[task.release]) + ")";
    return text;
  }

  static std::string plainTile(const Argument &argument) {
    return argument.matrix + "(" + fuzz::print(argument.row) + ", " + fuzz::print(argument.column) + ")";
  }

  static std::string call(const Statement &statement) {
    std::string arguments;
    for (const Argument &argument : statement.arguments)
      arguments += (arguments.empty() ? "" : ", ") + fuzz::print(argument);
    return statement.callee + "(" + arguments + ");";
  }

  void line(int depth, const std::string &text) {
    text_.append(2 * static_cast<std::size_t>(depth), ' ').append(text).append("\n");
  }

  std::string text_;
};

} // namespace

std::string print(const Argument &argument) {
  switch (argument.kind) {
  case Argument::Kind::Value:
    return print(argument.value);
  case Argument::Kind::Matrix: {
    std::string bounds;
    for (const Expression &bound : argument.tiles)
      bounds += (bounds.empty() ? "" : ", ") + print(bound);
    const std::string text = argument.matrix + (bounds.empty() ? "" : ".tiles(" + bounds + ")");
    return argument.transposed ? "conjTrans(" + text + ")" : text;
  }
  case Argument::Kind::Panel:
    return argument.matrix + ".panel(" + print(argument.row) + ", " + print(argument.rowEnd) + ", " +
           print(argument.column) + (argument.rowStep == number(1) ? "" : ", " + print(argument.rowStep)) + ")";
  case Argument::Kind::Tile:
    break;
  }
  std::string text = argument.matrix + "(" + print(argument.row) + ", " + print(argument.column) + ")";
  if (argument.transposed)
    text = "conjTrans(" + text + ")";
  if (!argument.view.empty())
    text += "." + argument.view + "(" + print(argument.viewFirst) + ", " + print(argument.viewCount) + ")";
  return argument.half.empty() ? text : text + "." + argument.half + "()";
}

/// Whether it asks some matrix for one of these.
static bool asksFor(const Program &program, const std::set<std::string> &members) {
  bool found = false;
  const auto look = [&](const Statement &statement) {
    forEachExpression(statement, [&](const Expression &expression) {
      forEach(expression,
              [&](const Expression &part) { found |= part.kind == Operator::Extent && members.contains(part.member); });
    });
  };
  forEachStatement(program.body, look);
  for (const Callee &callee : program.callees)
    forEachStatement(callee.body, look);
  return found;
}

bool asksPeriod(const Program &program) { return asksFor(program, {"p", "q"}); }
bool asksTiles(const Program &program) { return asksFor(program, {"has"}); }

bool endsByElement(const Program &program) {
  bool found = false;
  forEachStatement(program.body,
                   [&](const Statement &statement) { found |= statement.kind == Statement::Kind::Until; });
  return found;
}

bool callsItself(const Program &program) {
  bool found = false;
  for (const Callee &callee : program.callees)
    forEachStatement(callee.body, [&](const Statement &statement) {
      found |= statement.kind == Statement::Kind::Call && statement.callee == callee.name;
    });
  return found;
}

namespace {

/// Calls visit for every expression of the program's statements, not for those inside it.
template <typename P, typename Visit> void forEachExpressionOf(P &program, const Visit &visit) {
  const auto ofBlock = [&](auto &block) {
    forEachStatement(block, [&](auto &statement) { forEachExpression(statement, visit); });
  };
  ofBlock(program.body);
  for (auto &callee : program.callees)
    ofBlock(callee.body);
}

} // namespace

bool isWide(const Program &program) {
  bool found = false;
  forEachExpressionOf(program, [&](const Expression &whole) {
    forEach(whole, [&](const Expression &expression) { found |= expression.kind == Operator::Wide; });
  });
  return found;
}

Program plain(Program program) {
  forEachExpressionOf(program, [](Expression &expression) { expression = plain(expression); });
  return program;
}

bool addsUp(const Program &program) {
  bool found = false;
  forEachStatement(program.body, [&](const Statement &statement) {
    found |= statement.kind == Statement::Kind::Task && (statement.callee == "increase" || statement.callee == "raise");
  });
  return found;
}

std::string print(const Program &program) { return Printer().print(program); }

} // namespace fuzz
