// What generated code checks before the first task: what the algorithm requires, and that its loops end. And what it
// says when a loop does not.
#include "compiler/codegen/emitter.hpp"
#include "compiler/codegen/integers.hpp"

#include "compiler/ir/loop_ends.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

/// The scalar parameters that an expression names, and the matrices of which it asks a size.
void collect(const ir::Program &program, const ir::Expr &expr, std::vector<std::string> &scalars,
             std::vector<std::string> &matrices) {
  const auto add = [](std::vector<std::string> &names, const std::string &name) {
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  };
  if (expr.kind == ir::ExprKind::Var && program.findScalar(expr.text))
    add(scalars, expr.text);
  if (expr.kind == ir::ExprKind::Extent)
    add(matrices, expr.text);
  for (const ir::ExprRef &operand : expr.operands)
    collect(program, *operand, scalars, matrices);
}

/// "--set step=1 or larger": where one int decides the condition, which small values do.
std::string remedy(const ir::Program &program, const ir::Expr &holds) {
  std::vector<std::string> scalars, matrices;
  collect(program, holds, scalars, matrices);
  if (scalars.size() != 1 || !matrices.empty() || program.findScalar(scalars[0])->type != "int")
    return "";
  const auto suits = [&](std::int64_t value) {
    ir::Environment environment;
    environment.variables[scalars[0]] = value;
    return ir::evaluate(holds, environment).value_or(0) != 0;
  };
  constexpr std::int64_t largest = 1000;
  for (std::int64_t value = 1; value <= largest; ++value)
    if (suits(value))
      return "--set " + scalars[0] + "=" + std::to_string(value) + (suits(largest) ? " or larger" : "");
  for (std::int64_t value = 0; value >= -largest; --value)
    if (suits(value))
      return "--set " + scalars[0] + "=" + std::to_string(value) + (suits(-largest) ? " or smaller" : "");
  return "";
}

void emitCondition(std::ostream &out, const ir::Program &program, const ir::StepCondition &condition) {
  std::vector<std::string> scalars, matrices;
  collect(program, *condition.holds, scalars, matrices);
  std::string values;
  for (const std::string &name : scalars)
    if (program.findScalar(name)->type == "int")
      values += (values.empty() ? "{" : ", {") + quoted(name) + ", " + name + "}";
  const ir::ExprRef fails =
      ir::makeBinary(ir::ExprKind::And, condition.reached, ir::makeUnary(ir::ExprKind::Not, condition.holds));
  out << "  if (" << Integers(program).value(condition.reached->kind == ir::ExprKind::Int ? fails->operands[1] : fails)
      << ")\n    rt::failStep(" << loopText(program, *condition.loop) << ", {" << values << "}, "
      << quoted(remedy(program, *condition.holds)) << ");\n";
}

/// Whether an expression asks how large the matrix's tiles are, or how many there are.
bool asksTileSize(const ir::Expr &expr, const std::string &matrix) {
  using enum ir::Extent;
  const bool asks = expr.extent == Mb || expr.extent == Nb || expr.extent == Mt || expr.extent == Nt;
  return (expr.kind == ir::ExprKind::Extent && expr.text == matrix && asks) ||
         std::ranges::any_of(expr.operands, [&](const ir::ExprRef &operand) { return asksTileSize(*operand, matrix); });
}

} // namespace

void emitRequirement(std::ostream &out, const ir::Program &program, const ir::Requirement &requirement,
                     const std::vector<std::string> &parameters) {
  std::vector<std::string> scalars, matrices;
  collect(program, *requirement.condition, scalars, matrices);
  for (const std::string &name : ir::variables(*requirement.condition))
    if (std::ranges::count(parameters, name) && !std::ranges::count(scalars, name))
      scalars.push_back(name);
  std::string seen;
  for (const std::string &name : scalars)
    seen += (seen.empty() ? "rt::seenScalar(" : ", rt::seenScalar(") + quoted(name) + ", " + name + ")";
  for (const std::string &name : matrices) {
    const std::string tiles = asksTileSize(*requirement.condition, name) ? ", 0, 0, " + name + ".nb()" : "";
    seen += std::string(seen.empty() ? "" : ", ") + "{" + quoted(name) + ", \"\", " + name + ".m(), " + name + ".n()" +
            tiles + "}";
  }
  const std::string text = ir::print(*requirement.condition);
  const std::string who =
      program.name + (requirement.callee.empty() ? "" : ", which calls " + requirement.callee + ",");
  out << "  if (!(" << Integers(program).value(requirement.condition) << "))\n    rt::failArguments(" << quoted(who)
      << ", " << quoted(text) << ", {" << seen << "});\n";
}

std::string loopText(const ir::Program &program, const ir::Loop &loop) {
  return "{" + quoted(placeOf(program, loop.location)) + ", " + quoted(loop.variable) + ", " +
         quoted(ir::printStep(loop)) + "}";
}

bool checksArguments(const ir::Program &program) {
  return !program.requirements.empty() || !ir::stepConditions(program).empty();
}

void emitArgumentChecks(std::ostream &out, const ir::Program &program) {
  if (!checksArguments(program))
    return;
  const std::vector<ir::StepCondition> conditions = ir::stepConditions(program);
  std::vector<std::string> scalars, matrices;
  for (const ir::Requirement &requirement : program.requirements)
    collect(program, *requirement.condition, scalars, matrices);
  for (const ir::StepCondition &condition : conditions)
    for (const ir::ExprRef &expr : {condition.holds, condition.reached})
      collect(program, *expr, scalars, matrices);
  out << "\n// Arguments that it is not for, and those with which a loop would never end.\n"
      << "void requireArguments([[maybe_unused]] const rt::Arguments &arguments) {\n";
  declareScalars(out, program, scalars, "arguments.scalars", "  ");
  declareStage(out, program, "  ");
  for (std::size_t i = 0; i < program.matrices.size(); ++i) // parameters come first
    if (std::ranges::find(matrices, program.matrices[i].name) != matrices.end())
      out << "  const " << matrixTypeName(program, program.matrices[i]) << " " << program.matrices[i].name
          << "(*arguments.matrices[" << i << "]);\n";
  for (const ir::Requirement &requirement : program.requirements)
    emitRequirement(out, program, requirement, {});
  for (const ir::StepCondition &condition : conditions)
    emitCondition(out, program, condition);
  out << "}\n";
}

} // namespace hetc::codegen
