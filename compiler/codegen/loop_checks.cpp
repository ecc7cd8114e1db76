// What generated code says when a loop would never end, and what it checks before the first task.
#include "compiler/codegen/emitter.hpp"

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
  const ir::ExprRef fails = ir::makeBinary(ir::ExprKind::And, condition.reached,
                                           ir::makeUnary(ir::ExprKind::Not, condition.holds));
  out << "  if (" << ir::print(condition.reached->kind == ir::ExprKind::Int ? *fails->operands[1] : *fails)
      << ")\n    rt::failStep(" << loopText(program, *condition.loop) << ", {" << values << "}, "
      << quoted(remedy(program, *condition.holds)) << ");\n";
}

} // namespace

std::string loopText(const ir::Program &program, const ir::Loop &loop) {
  return "{" + quoted(placeOf(program, loop.location)) + ", " + quoted(loop.variable) + ", " +
         quoted(ir::printStep(loop)) + "}";
}

void emitStepConditions(std::ostream &out, const ir::Program &program) {
  const std::vector<ir::StepCondition> conditions = ir::stepConditions(program);
  if (conditions.empty())
    return;
  std::vector<std::string> scalars, matrices;
  for (const ir::StepCondition &condition : conditions)
    for (const ir::ExprRef &expr : {condition.holds, condition.reached})
      collect(program, *expr, scalars, matrices);
  out << "\n// Arguments with which a loop would never end.\n"
      << "void requireSteps([[maybe_unused]] const rt::Arguments &arguments) {\n";
  declareScalars(out, program, scalars, "arguments.scalars", "  ");
  for (std::size_t i = 0; i < program.matrices.size(); ++i) // parameters come first
    if (std::ranges::find(matrices, program.matrices[i].name) != matrices.end())
      out << "  const " << matrixTypeName(program, program.matrices[i]) << " " << program.matrices[i].name
          << "(*arguments.matrices[" << i << "]);\n";
  for (const ir::StepCondition &condition : conditions)
    emitCondition(out, program, condition);
  out << "}\n";
}

} // namespace hetc::codegen
