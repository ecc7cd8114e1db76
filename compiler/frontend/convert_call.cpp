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
  if (std::find(inlining_.begin(), inlining_.end(), definition) != inlining_.end()) {
    error(call.getBeginLoc(),
          "algorithm '" + callee.getNameAsString() + "' calls itself; algorithms are inlined and cannot recurse");
    return;
  }
  Names inner;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    if (!bindArgument(*definition->getParamDecl(i), *call.getArg(i), inner))
      return;
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

/// The callee's parameter means what the argument means in the caller.
bool Converter::bindArgument(const clang::ParmVarDecl &parameter, const clang::Expr &argument, Names &names) {
  Binding binding;
  if (const auto matrix = matrixOf(argument))
    binding = *matrix;
  else if (matrixType(parameter.getType())) {
    if (!failed_)
      error(argument.getBeginLoc(), "pass a matrix or workspace of this algorithm by its name");
    return false;
  } else if (binding.value = convertExpr(argument); !binding.value)
    return false;
  names.emplace_back(parameter.getNameAsString(), Binding{"", nullptr, nullptr, &parameter});
  bindings_[&parameter] = std::move(binding);
  declaredAt_[&parameter] = 0;
  return true;
}

} // namespace hetc::frontend
