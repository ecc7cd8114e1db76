// What a session is inside: Clang's compiler, what it has found in the source, and what was made of that.
#pragma once

#include "compiler/frontend/collect.hpp"
#include "compiler/frontend/converter.hpp"
#include "compiler/frontend/frontend.hpp"
#include "compiler/frontend/hints.hpp"
#include "compiler/frontend/limits.hpp"
#include "compiler/frontend/pragmas.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>

namespace hetc::frontend {

class FrontEnd::Impl {
public:
  explicit Impl(Options options) : options_(std::move(options)) {}

  std::optional<ir::Program> parse();
  void report(const ir::Diagnostic &diagnostic);

  Options options_;
  std::vector<std::string> dependencies_, kernelSources_, libraries_;
  clang::CompilerInstance compiler_;
  HintingConsumer *hints_ = nullptr; ///< the compiler's
  std::vector<PragmaRecord> pragmas_;
  std::optional<ir::Program> program_, checkedCall_;
  std::vector<ir::Program> rules_;
  std::vector<ir::Kernel> kernels_;
  bool hasBodies_ = false;
  std::vector<ir::Diagnostic> remarks_;

private:
  bool createInvocation();
  void collectDependencies();
  void collectKernelSources();
  void collectLibraries();
  void convert(clang::ASTContext &context);
  std::optional<ir::Program> convert(clang::ASTContext &context, clang::FunctionDecl &algorithm);
  void convertRules(clang::ASTContext &context, const ir::Program &program);
  void convertRule(clang::ASTContext &context, const std::string &kernel, ir::ElementType type,
                   clang::QualType argument);
  void convertKernel(clang::ASTContext &context, const std::string &name);
  bool hasBodies(const ir::Program &program) const;
  Converter makeConverter(clang::ASTContext &context);
  clang::FunctionDecl *findKernel(const std::string &shortName) const;
  void requireResultsKept(const ir::Program &call, const ir::CheckArgument &argument);
  clang::FunctionDecl *instantiateFunction(clang::ASTContext &context, clang::FunctionDecl &function,
                                           clang::QualType type);
  void indexPragmas(clang::ASTContext &context);
  void indexRule(clang::FunctionDecl &rule, PragmaRecord &pragma);
  void reportUnusedTask(const PragmaRecord &pragma);
  clang::FunctionDecl *chooseAlgorithm();
  clang::FunctionDecl *findAlgorithm(const std::string &name) const;
  clang::FunctionDecl *instantiate(clang::ASTContext &context, clang::FunctionDecl &algorithm);
  clang::FunctionDecl *instantiateDeclaration(clang::ASTContext &context, clang::FunctionDecl &function,
                                              clang::QualType type);
  clang::QualType elementQualType(clang::ASTContext &context);
  clang::SourceLocation translate(const ir::Location &location);
  clang::DiagnosticBuilder error(clang::SourceLocation location, const std::string &message);

  Declarations declarations_;
  std::vector<std::pair<clang::FunctionDecl *, PragmaRecord *>> entries_; ///< algorithms of the main file

public:
  class Consumer : public clang::ASTConsumer {
  public:
    explicit Consumer(Impl &impl) : impl_(impl) {}
    void HandleTranslationUnit(clang::ASTContext &context) override { impl_.convert(context); }

  private:
    Impl &impl_;
  };
  class Action : public clang::ASTFrontendAction {
  public:
    explicit Action(Impl &impl) : impl_(impl) {}
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
      collectPragmas(compiler.getPreprocessor(), impl_.pragmas_);
      limitStatements(compiler.getPreprocessor());
      return std::make_unique<Consumer>(impl_);
    }

  private:
    Impl &impl_;
  };
};

} // namespace hetc::frontend
