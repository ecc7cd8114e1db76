// What a session's pragmas stand before, and which algorithm is meant.
#include "compiler/frontend/function_index.hpp"
#include "compiler/frontend/session_impl.hpp"
#include "dsl/base/nearest.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

namespace hetc::frontend {

/// Ties every pragma to what it stands before; reports those that stand before something else.
void FrontEnd::Impl::indexPragmas(clang::ASTContext &context) {
  FunctionIndex index;
  index.add(*context.getTranslationUnitDecl());
  const clang::SourceManager &sources = context.getSourceManager();
  std::vector<std::pair<clang::FunctionDecl *, PragmaRecord *>> rules; // of kernels that may come behind them
  for (PragmaRecord &pragma : pragmas_) {
    if (std::holds_alternative<annotations::TaskAnnotation>(pragma.annotation)) {
      if (index.calls.count(pragma.target))
        declarations_.tasks[pragma.target] = &pragma;
      else
        reportUnusedTask(pragma);
      continue;
    }
    const bool kernel = std::holds_alternative<annotations::KernelAnnotation>(pragma.annotation);
    const bool rule = std::holds_alternative<annotations::SplitAnnotation>(pragma.annotation);
    const auto found = index.byBegin.find(pragma.target);
    if (found == index.byBegin.end()) {
      error(pragma.begin, std::string("'#pragma tla ") +
                              (kernel ? "kernel"
                               : rule ? "split"
                                      : "algorithm") +
                              "' is not followed by a function " + (kernel ? "declaration" : "template"));
      continue;
    }
    if (rule) {
      rules.emplace_back(found->second, &pragma);
      continue;
    }
    const clang::NamedDecl *canonical = canonicalFunction(*found->second);
    (kernel ? declarations_.kernels : declarations_.algorithms)[canonical] = &pragma;
    if (!kernel && sources.isInMainFile(pragma.begin))
      entries_.emplace_back(found->second, &pragma);
  }
  for (const auto &[rule, pragma] : rules)
    indexRule(*rule, *pragma);
}

void FrontEnd::Impl::indexRule(clang::FunctionDecl &rule, PragmaRecord &pragma) {
  const std::string name = rule.getNameAsString();
  if (!rule.getDescribedFunctionTemplate() || rule.getQualifiedNameAsString() != "tla::split::" + name) {
    error(rule.getLocation(),
          "a split rule is a function template in namespace tla::split, under the name of its kernel");
    return;
  }
  declarations_.rules[canonicalFunction(rule)] = &pragma;
  if (findKernel(name))
    return;
  std::vector<std::string> names;
  for (const auto &[kernel, record] : declarations_.kernels)
    names.push_back(kernel->getNameAsString());
  const std::string nearest = tla::nearest(name, names);
  error(rule.getLocation(),
        "there is no kernel '" + name + "' to split" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

clang::FunctionDecl *FrontEnd::Impl::findKernel(const std::string &shortName) const {
  for (const auto &[declaration, pragma] : declarations_.kernels)
    if (declaration->getNameAsString() == shortName) {
      const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration);
      return const_cast<clang::FunctionDecl *>(pattern ? pattern->getTemplatedDecl()
                                                       : llvm::cast<clang::FunctionDecl>(declaration));
    }
  return nullptr;
}

void FrontEnd::Impl::reportUnusedTask(const PragmaRecord &pragma) {
  error(pragma.begin, "'#pragma tla task' is not followed by a call of a kernel");
}

clang::FunctionDecl *FrontEnd::Impl::chooseAlgorithm() {
  const std::string file = llvm::sys::path::filename(options_.file).str();
  std::vector<std::string> names;
  for (const auto &[function, pragma] : entries_) {
    names.push_back(function->getNameAsString());
    if (names.back() == options_.algorithm)
      return function;
  }
  if (options_.algorithm.empty()) {
    if (entries_.size() == 1)
      return entries_[0].first;
    const auto named = std::find(names.begin(), names.end(), llvm::sys::path::stem(options_.file).str());
    if (named != names.end())
      return entries_[named - names.begin()].first;
  }
  const std::string list = llvm::join(names, ", ");
  const std::string nearest = tla::nearest(options_.algorithm, names);
  if (entries_.empty())
    error({}, "no algorithm in '" + file + "': put '#pragma tla algorithm' before its function template");
  else if (options_.algorithm.empty())
    error({}, "several algorithms in '" + file + "' (" + list + "): choose one with --algorithm");
  else
    error({}, "no algorithm '" + options_.algorithm + "' in '" + file + "'; " +
                  (nearest.empty() ? "it has " + list : "did you mean '" + nearest + "'?"));
  return nullptr;
}

/// The converter has found it before.
clang::FunctionDecl *FrontEnd::Impl::findAlgorithm(const std::string &name) const {
  for (const auto &[declaration, pragma] : declarations_.algorithms)
    if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration);
        pattern && declaration->getNameAsString() == name)
      return const_cast<clang::FunctionDecl *>(pattern->getTemplatedDecl());
  llvm_unreachable("an algorithm that a check calls is declared");
}

} // namespace hetc::frontend
