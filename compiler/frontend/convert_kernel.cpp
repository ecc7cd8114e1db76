// Kernels: their declarations and the clauses of '#pragma tla kernel'.
#include "compiler/frontend/converter.hpp"
#include "compiler/frontend/only_read.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <iterator>

namespace hetc::frontend {

using ir::ExprKind;

namespace {

const ir::KernelParameter *findParameter(const ir::Kernel &kernel, const std::string &name) {
  const auto found = std::ranges::find(kernel.parameters, name, &ir::KernelParameter::name);
  return found == kernel.parameters.end() ? nullptr : &*found;
}

/// True for what is true or false.
bool isCondition(const ir::Expr &expr) {
  if (expr.kind == ExprKind::Select)
    return isCondition(*expr.operands[1]) && isCondition(*expr.operands[2]);
  return ir::isCondition(expr.kind);
}

} // namespace

std::optional<ir::Kernel> Converter::convertKernel(const clang::FunctionDecl &kernel, const PragmaRecord &pragma) {
  const ir::Kernel *converted = declareKernel(kernel, pragma);
  return converted ? std::optional(*converted) : std::nullopt;
}

const ir::Kernel *Converter::declareKernel(const clang::FunctionDecl &callee, const PragmaRecord &pragma) {
  const std::string name = calledName(callee);
  if (const ir::Kernel *known = program_.findKernel(name))
    return known;
  kernelDeclarations_[name] = canonicalFunction(callee);
  const auto &annotation = std::get<annotations::KernelAnnotation>(pragma.annotation);
  ir::Kernel kernel;
  kernel.name = name;
  kernel.isTemplate = callee.getPrimaryTemplate() != nullptr;
  kernel.location = locate(callee.getLocation());
  kernel.bound = annotation.bound ? convertBound(*annotation.bound) : ir::Bound::Compute;
  if (!callee.getReturnType()->isVoidType() && elementType(callee.getReturnType()) != ir::ElementType::I) {
    error(callee.getLocation(), "kernel '" + name + "' must return void, or int for LAPACK's info");
    return nullptr;
  }
  kernel.returnsInfo = !callee.getReturnType()->isVoidType();
  kernel.infoContinues = annotation.onInfo == annotations::OnInfo::Continue;
  if (annotation.onInfo && !kernel.returnsInfo) {
    error(callee.getLocation(),
          "kernel '" + name + "' has info(...) and returns void; it must return int, LAPACK's info");
    return nullptr;
  }
  for (const clang::ParmVarDecl *declared : callee.parameters()) {
    ir::KernelParameter parameter;
    parameter.name = declared->getNameAsString();
    if (const auto type = tileType(declared->getType())) {
      parameter.isPanel = type->panel;
      parameter.isTile = !type->panel;
      parameter.access = type->access;
    } else if (requireScalar(name, *declared))
      parameter.number = arithmeticName(declared->getType());
    else
      return nullptr;
    kernel.parameters.push_back(std::move(parameter));
  }
  if ((annotation.flops && !addFlops(*annotation.flops, kernel, pragma)) ||
      !addConditions(callee, kernel, annotation, pragma))
    return nullptr;
  judgeOutputs(callee, kernel);
  program_.kernels.push_back(std::move(kernel));
  return &program_.kernels.back();
}

/// A parameter that is no tile: generated code passes numbers and tla's options, as values.
bool Converter::requireScalar(const std::string &kernel, const clang::ParmVarDecl &parameter) {
  const clang::QualType type = parameter.getType();
  const bool isChanged = type->isRValueReferenceType() ||
                         (type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified());
  if (!isChanged && (!arithmeticName(type).empty() || elementType(type) || !tlaEnumName(type).empty()))
    return true;
  error(parameter.getLocation(), "parameter '" + parameter.getNameAsString() + "' of kernel '" + kernel +
                                     "' is of type '" + type.getAsString() +
                                     "': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, "
                                     "Diag and Side, by value or by const reference");
  return false;
}

/// By the kernel's body, where it is seen: outputs that are inputs alone, since tiles that a kernel may write wait for
/// their readers, and these for each other; and outputs whose old content is used, which OutTile does not keep.
void Converter::judgeOutputs(const clang::FunctionDecl &callee, const ir::Kernel &kernel) {
  std::vector<ir::Diagnostic> found;
  std::size_t written = 0;
  for (unsigned i = 0; i < callee.getNumParams(); ++i) {
    const ir::KernelParameter &parameter = kernel.parameters[i];
    if (parameter.isScalar() || parameter.access == ir::Access::Read)
      continue;
    const clang::ParmVarDecl &declared = *callee.getParamDecl(i);
    if (parameter.access == ir::Access::Write && isOnlyChanged(callee, declared))
      error(declared.getLocation(), "kernel '" + kernel.name + "' changes elements of '" + parameter.name +
                                        "' and gives them no values before; what an " +
                                        (parameter.isPanel ? "OutPanel" : "OutTile") +
                                        " had before is lost: make it a " + (parameter.isPanel ? "Panel" : "Tile"));
    if (!isOnlyRead(callee, declared)) {
      ++written;
      continue;
    }
    found.push_back({ir::Diagnostic::Severity::Remark,
                     locate(declared.getLocation()),
                     "kernel '" + kernel.name + "' never writes '" + parameter.name + "': make it a " +
                         (parameter.isPanel ? "ConstPanel" : "ConstTile") +
                         ", so that tasks which only read a tile need not wait for each other",
                     {}});
  }
  if (written > 0) // a kernel has an output
    std::ranges::move(found, std::back_inserter(remarks_));
}

/// flops(...) speaks of the kernel's own parameters: m() and n() of tiles, the values of scalars.
bool Converter::requireKnownFlops(const annotations::Expr &expr, const ir::Kernel &kernel, const PragmaRecord &pragma) {
  using Kind = annotations::Expr::Kind;
  if (expr.kind == Kind::Name && !findParameter(kernel, expr.text) && !tlaEnumerator(expr.text)) {
    error(pragma.at(expr.offset), "'" + expr.text + "' is not a parameter of kernel '" + kernel.name + "'");
    return false;
  }
  if (expr.kind == Kind::Member) {
    const ir::KernelParameter *object = findParameter(kernel, expr.operands[0].text);
    if (object && !object->isScalar() && (expr.text == "m" || expr.text == "n") && expr.operands.size() == 1)
      return true;
    error(pragma.at(expr.offset), "flops(...) knows m() and n() of the kernel's tiles");
    return false;
  }
  if (expr.kind == Kind::Call) {
    error(pragma.at(expr.offset), "'" + expr.text + "(...)' is not known in flops(...)");
    return false;
  }
  return std::all_of(expr.operands.begin(), expr.operands.end(),
                     [&](const annotations::Expr &operand) { return requireKnownFlops(operand, kernel, pragma); });
}

/// flops(...); false after an error.
bool Converter::addFlops(const annotations::Expr &expr, ir::Kernel &kernel, const PragmaRecord &pragma) {
  if (requireKnownFlops(expr, kernel, pragma))
    kernel.flops = resolveForKernel(expr, kernel, pragma);
  return kernel.flops != nullptr;
}

/// requires(...) and alias(...); false after an error.
bool Converter::addConditions(const clang::FunctionDecl &callee, ir::Kernel &kernel,
                              const annotations::KernelAnnotation &annotation, const PragmaRecord &pragma) {
  for (const annotations::Expr &expr : annotation.requirements) {
    const ir::ExprRef requirement = resolveForKernel(expr, kernel, pragma);
    if (!requirement || !requireCondition(requirement, pragma.at(expr.offset)))
      return false;
    std::ranges::move(conjunction(requirement), std::back_inserter(kernel.requirements));
  }
  return std::ranges::all_of(annotation.aliases,
                             [&](const annotations::Alias &alias) { return addAlias(kernel, alias, pragma); }) &&
         std::ranges::all_of(
             annotation.writes,
             [&](const annotations::ConditionalWrite &write) { return addConditionalWrite(kernel, write, pragma); }) &&
         std::ranges::all_of(annotation.sums,
                             [&](const annotations::Sum &sum) { return addSum(callee, kernel, sum, pragma); });
}

/// The parameter that a clause names, a tile that is read and written; null after an error, which `says` what for.
ir::KernelParameter *Converter::updatedTile(ir::Kernel &kernel, const annotations::ParameterName &name,
                                            const std::string &says, const PragmaRecord &pragma) {
  const auto parameter = std::ranges::find(kernel.parameters, name.name, &ir::KernelParameter::name);
  if (parameter != kernel.parameters.end() && parameter->isTile && parameter->access == ir::Access::ReadWrite)
    return &*parameter;
  error(pragma.at(name.offset), "'" + name.name + "' is not a tla::Tile<T> of kernel '" + kernel.name + "': " + says);
  return nullptr;
}

/// The condition on scalars of writes(C if beta == 0) and sum(C if beta == 1).
ir::ExprRef Converter::scalarCondition(const annotations::Expr &expr, const ir::Kernel &kernel,
                                       const std::string &clause, const std::string &example,
                                       const PragmaRecord &pragma) {
  const ir::ExprRef condition = resolveForKernel(expr, kernel, pragma);
  if (!condition || (isCondition(*condition) && !ir::asksSize(*condition)))
    return condition;
  error(pragma.at(expr.offset), clause + "(...) takes a condition on scalar parameters, as in " + example);
  return nullptr;
}

bool Converter::addConditionalWrite(ir::Kernel &kernel, const annotations::ConditionalWrite &write,
                                    const PragmaRecord &pragma) {
  ir::KernelParameter *parameter =
      updatedTile(kernel, write.parameter, "writes(...) says when such a tile is not read", pragma);
  if (parameter)
    parameter->writtenIf = scalarCondition(write.condition, kernel, "writes", "writes(C if beta == 0)", pragma);
  return parameter && parameter->writtenIf;
}

bool Converter::addSum(const clang::FunctionDecl &callee, ir::Kernel &kernel, const annotations::Sum &sum,
                       const PragmaRecord &pragma) {
  ir::KernelParameter *parameter =
      updatedTile(kernel, sum.parameter, "sum(...) says when something is added to such a tile", pragma);
  if (parameter && kernel.returnsInfo) {
    error(pragma.at(sum.parameter.offset), "kernel '" + kernel.name +
                                               "' returns info, which may depend on the whole sum: sum(...) is for "
                                               "kernels that return void");
    return false;
  }
  if (parameter && sum.triangle) {
    const auto parameters = callee.parameters();
    const auto triangle = std::ranges::find_if(parameters, [&](const clang::ParmVarDecl *declared) {
      return declared->getName() == sum.triangle->name && tlaEnumName(declared->getType()) == "Uplo";
    });
    if (triangle == parameters.end()) {
      error(pragma.at(sum.triangle->offset), "'" + sum.triangle->name + "' is not a tla::Uplo of kernel '" +
                                                 kernel.name +
                                                 "': sum(C in uplo) names the parameter that says which "
                                                 "triangle of C is added to");
      return false;
    }
    parameter->addsIn = sum.triangle->name;
  }
  if (parameter)
    parameter->addsIf =
        sum.condition ? scalarCondition(*sum.condition, kernel, "sum", "sum(C if beta == 1)", pragma) : ir::makeInt(1);
  return parameter && parameter->addsIf;
}

bool Converter::requireCondition(const ir::ExprRef &expr, clang::SourceLocation location) {
  if (isCondition(*expr))
    return true;
  error(location, "requires(...) takes a condition, such as A.n() == B.m()");
  return false;
}

/// Each operand of && by itself, so that a message says which one does not hold.
std::vector<ir::ExprRef> Converter::conjunction(const ir::ExprRef &condition) {
  if (condition->kind != ExprKind::And)
    return {condition};
  std::vector<ir::ExprRef> conditions;
  for (const ir::ExprRef &operand : condition->operands)
    std::ranges::move(conjunction(operand), std::back_inserter(conditions));
  return conditions;
}

bool Converter::addAlias(ir::Kernel &kernel, const annotations::Alias &alias, const PragmaRecord &pragma) {
  std::vector<std::string> &names = kernel.aliases.emplace_back();
  for (const annotations::ParameterName &parameter : alias.parameters) {
    const ir::KernelParameter *known = findParameter(kernel, parameter.name);
    if (!known || known->isScalar()) {
      error(pragma.at(parameter.offset),
            "'" + parameter.name + "' is not a tile or panel of kernel '" + kernel.name + "'");
      return false;
    }
    names.push_back(parameter.name);
  }
  return true;
}

/// Resolves an expression over the kernel's own parameters: sizes of tiles, values of scalars; null after an error.
ir::ExprRef Converter::resolveForKernel(const annotations::Expr &expr, const ir::Kernel &kernel,
                                        const PragmaRecord &pragma) {
  using Kind = annotations::Expr::Kind;
  if (expr.kind == Kind::Member)
    return resolveTileSize(expr, kernel, pragma);
  if (expr.kind != Kind::Name)
    return resolveOperator(expr, pragma,
                           [&](const annotations::Expr &operand) { return resolveForKernel(operand, kernel, pragma); });
  if (const ir::KernelParameter *parameter = findParameter(kernel, expr.text); parameter && parameter->isScalar())
    return ir::makeVar(expr.text);
  if (const auto value = tlaEnumerator(expr.text))
    return ir::makeEnum(expr.text, *value);
  error(pragma.at(expr.offset), "'" + expr.text + "' is not a scalar parameter of kernel '" + kernel.name + "'");
  return nullptr;
}

ir::ExprRef Converter::resolveTileSize(const annotations::Expr &expr, const ir::Kernel &kernel,
                                       const PragmaRecord &pragma) {
  const ir::KernelParameter *parameter = findParameter(kernel, expr.operands[0].text);
  const bool isTile = parameter && !parameter->isScalar() && expr.operands.size() == 1;
  if (isTile && (expr.text == "m" || expr.text == "n"))
    return ir::makeExtent(parameter->name, expr.text == "m" ? ir::Extent::M : ir::Extent::N);
  if (isTile && expr.text == "mt" && parameter->isPanel)
    return ir::makeExtent(parameter->name, ir::Extent::Mt);
  error(pragma.at(expr.offset), "requires(...) knows m() and n() of the kernel's tiles, and mt() of panels");
  return nullptr;
}

} // namespace hetc::frontend
