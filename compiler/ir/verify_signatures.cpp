#include "compiler/ir/verifier.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {

std::string quoted(const std::string &name) { return "'" + name + "'"; }

const KernelParameter *findParameter(const Kernel &kernel, const std::string &name) {
  const auto found = std::ranges::find(kernel.parameters, name, &KernelParameter::name);
  return found == kernel.parameters.end() ? nullptr : &*found;
}

/// Names are the kernel's own parameters. `of`: what the expression is.
std::string checkExpression(const ExprRef &expr, const Kernel &kernel, const std::string &of = "a requirement") {
  const std::string what = of + " of kernel " + quoted(kernel.name);
  if (!expr)
    return what + " is missing";
  const KernelParameter *parameter =
      expr->kind == ExprKind::Var || expr->kind == ExprKind::Extent ? findParameter(kernel, expr->text) : nullptr;
  if (expr->kind == ExprKind::Var && (!parameter || !parameter->isScalar()))
    return what + ": " + quoted(expr->text) + " is not a scalar parameter";
  if (expr->kind == ExprKind::Extent) {
    const bool known = expr->extent == Extent::M || expr->extent == Extent::N || expr->extent == Extent::Mt;
    if (!known || !parameter || parameter->isScalar() || (expr->extent == Extent::Mt && !parameter->isPanel))
      return what + ": " + quoted(print(*expr)) + " is not a size of a tile";
  }
  for (const ExprRef &operand : expr->operands)
    if (std::string error = checkExpression(operand, kernel, of); !error.empty())
      return error;
  return {};
}

} // namespace

std::string verifyKernel(const Kernel &kernel) {
  if (kernel.name.empty())
    return "a kernel has no name";
  if (kernel.infoContinues && !kernel.returnsInfo)
    return "kernel " + quoted(kernel.name) + " continues after an info that it does not return";
  for (const KernelParameter &parameter : kernel.parameters)
    if (parameter.isTile && parameter.isPanel)
      return "parameter " + quoted(parameter.name) + " of kernel " + quoted(kernel.name) + " is both tile and panel";
  if (std::string error = kernel.flops ? checkExpression(kernel.flops, kernel, "flops") : ""; !error.empty())
    return error;
  for (const ExprRef &requirement : kernel.requirements)
    if (std::string error = checkExpression(requirement, kernel); !error.empty())
      return error;
  for (const KernelParameter &parameter : kernel.parameters)
    for (const ExprRef &condition : {parameter.writtenIf, parameter.addsIf})
      if (std::string error = condition ? checkExpression(condition, kernel) : ""; !error.empty())
        return error;
  for (const KernelParameter &parameter : kernel.parameters)
    if (const KernelParameter *triangle = findParameter(kernel, parameter.addsIn);
        !parameter.addsIn.empty() && (!triangle || !triangle->isScalar()))
      return "kernel " + quoted(kernel.name) + " has no scalar " + quoted(parameter.addsIn) + " to name a triangle";
  for (const std::vector<std::string> &names : kernel.aliases)
    for (const std::string &name : names)
      if (const KernelParameter *parameter = findParameter(kernel, name); !parameter || parameter->isScalar())
        return "kernel " + quoted(kernel.name) + " has no tile " + quoted(name) + " to be an alias";
  return {};
}

std::string verifyMainOutput(const Task &task) {
  const auto isWritten = [](const Argument &argument) {
    const auto *tile = std::get_if<TileAccess>(&argument);
    return tile && tile->access != Access::Read;
  };
  if (task.mainOutput < task.arguments.size() && isWritten(task.arguments[task.mainOutput]))
    return {};
  return std::ranges::any_of(task.arguments, isWritten) ? ": the main output is not a tile it writes"
                                                        : ": it writes no tile";
}

std::string verifySignature(const Program &program, const Function &function) {
  const std::string what = "function " + quoted(function.name);
  if (program.findFunction(function.name) != &function)
    return what + " is declared twice";
  for (const std::string &name : function.parameters)
    if (!isFreeName(name))
      return what + ": " + quoted(name) + " is not a name that a parameter can have";
  for (const MatrixPart &part : function.parts)
    if (!program.findMatrix(part.matrix) ||
        std::max({part.row, part.rowEnd, part.column, part.columnEnd}) >= function.parameters.size())
      return what + ": " + quoted(part.name) + " is not a part of a matrix";
  return {};
}

} // namespace hetc::ir
