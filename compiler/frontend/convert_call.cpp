// Calls: tasks, and algorithms whose statements stand in their place.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/until.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <utility>

namespace hetc::frontend {

using ir::ExprKind;

void Converter::convertCall(const clang::CallExpr &call, ir::Block &block) {
  const clang::FunctionDecl &callee = *call.getDirectCallee();
  if (isSwap(call))
    return convertSwap(call);
  const clang::NamedDecl *canonical = canonicalFunction(callee);
  const auto pragma = declarations_.tasks.find(call.getBeginLoc());
  if (declarations_.kernels.count(canonical))
    return pragma == declarations_.tasks.end() ? reportMissingTaskPragma(call, callee)
                                               : convertTask(call, callee, block);
  const std::string name = callee.getNameAsString();
  if (declarations_.algorithms.count(canonical)) {
    if (pragma != declarations_.tasks.end())
      error(pragma->second->begin, "'" + name + "' is an algorithm, not a kernel: call it without '#pragma tla task'");
    else
      inlineAlgorithm(call, callee, block);
    return;
  }
  if (declarations_.rules.count(canonical)) {
    error(call.getBeginLoc(), "'" + name + "' is a split rule; rules call kernels on slices, and none calls itself");
    return;
  }
  error(call.getBeginLoc(), "'" + name +
                                "' is neither a kernel nor an algorithm; declare it under '#pragma tla kernel' or "
                                "'#pragma tla algorithm'");
  note(callee.getLocation(), "'" + name + "' is declared here");
}

void Converter::inlineAlgorithm(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block) {
  const clang::FunctionDecl *definition = nullptr;
  if (!callee.hasBody(definition)) {
    error(call.getBeginLoc(),
          "algorithm '" + callee.getNameAsString() + "' has no body here: include the file that defines it");
    return;
  }
  std::vector<Binding> arguments;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    if (auto argument = convertArgumentOfCall(*definition->getParamDecl(i), *call.getArg(i)))
      arguments.push_back(std::move(*argument));
    else
      return;
  if (isRecursive(*definition))
    return callFunction(*definition, arguments, call.getBeginLoc(), block);
  Names inner;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    bindParameter(*definition->getParamDecl(i), std::move(arguments[i]), inner);
  names_.swap(inner);
  const unsigned outerDepth = std::exchange(loopDepth_, 0), outerControl = std::exchange(controlDepth_, 0);
  inlining_.push_back(definition);
  calls_.push_back(call.getBeginLoc());
  requireOfCall(call, callee);
  convertStatement(*definition->getBody(), block);
  calls_.pop_back();
  inlining_.pop_back();
  loopDepth_ = outerDepth;
  controlDepth_ = outerControl;
  names_.swap(inner);
}

/// Returns what the argument means in the caller; nothing after an error.
std::optional<Converter::Binding> Converter::convertArgumentOfCall(const clang::ParmVarDecl &parameter,
                                                                   const clang::Expr &argument) {
  if (auto matrix = matrixOf(argument))
    return matrix;
  if (matrixType(parameter.getType())) {
    if (!failed_)
      error(argument.getBeginLoc(), "pass a matrix or workspace of this algorithm by its name");
    return std::nullopt;
  }
  const ir::ExprRef value = convertExpr(argument);
  return value ? std::optional(Binding{"", value}) : std::nullopt;
}

/// The callee's parameter means that in the callee.
void Converter::bindParameter(const clang::ParmVarDecl &parameter, Binding binding, Names &names) {
  names.emplace_back(parameter.getNameAsString(), Binding{"", nullptr, nullptr, &parameter});
  bindings_[&parameter] = std::move(binding);
  declaredAt_[&parameter] = 0;
}

} // namespace hetc::frontend
