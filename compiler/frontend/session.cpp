#include "compiler/frontend/collect.hpp"
#include "compiler/frontend/converter.hpp"
#include "compiler/frontend/documentation.hpp"
#include "compiler/frontend/frontend.hpp"
#include "compiler/frontend/hints.hpp"
#include "compiler/frontend/limits.hpp"
#include "compiler/frontend/pragmas.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/deep_call.hpp"
#include "dsl/base/nearest.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace hetc::frontend {

namespace {

/// Seen by the parser before the user's file: the element type by a name that the session can look up.
constexpr const char *elementTypeHeader = "/hetc/element_type.hpp";

/// The split rules of the standard kernels.
constexpr const char *splitRules = "tla/kernels/split/rules.tla";

std::string elementTypeText(ir::ElementType type) {
  const bool isComplex = type == ir::ElementType::C || type == ir::ElementType::Z;
  return std::string(isComplex ? "#include <complex>\n" : "") +
         "namespace hetc_frontend { using T = " + ir::cxxName(type) + "; }\n";
}

/// Functions of the translation unit by the place of their first token: what a pragma may stand before. By hand:
/// clang::RecursiveASTVisitor, of which this needs little, takes half a minute to compile.
class FunctionIndex {
public:
  void add(const clang::DeclContext &scope) {
    for (clang::Decl *decl : scope.decls())
      if (!decl->isImplicit())
        addDecl(*decl);
  }

  std::map<clang::SourceLocation, clang::FunctionDecl *> byBegin;
  std::set<clang::SourceLocation> calls;

private:
  void addDecl(clang::Decl &decl) {
    if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl)) {
      byBegin.emplace(decl.getBeginLoc(), pattern->getTemplatedDecl());
      return addInside(*pattern->getTemplatedDecl());
    }
    if (auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(&decl)) {
      if (pattern->getTemplatedDecl())
        addInside(*pattern->getTemplatedDecl());
      return;
    }
    if (auto *friendship = llvm::dyn_cast<clang::FriendDecl>(&decl)) {
      if (friendship->getFriendDecl())
        addDecl(*friendship->getFriendDecl());
      return;
    }
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl))
      byBegin.emplace(decl.getBeginLoc(), function);
    addInside(decl);
  }
  void addInside(clang::Decl &decl) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
        function && function->doesThisDeclarationHaveABody())
      addCalls(function->getBody());
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl))
      addCalls(variable->getInit());
    if (auto *scope = llvm::dyn_cast<clang::DeclContext>(&decl))
      add(*scope);
  }
  void addCalls(clang::Stmt *body) {
    std::vector<clang::Stmt *> open = {body};
    while (!open.empty()) {
      clang::Stmt *const statement = open.back();
      open.pop_back();
      if (!statement)
        continue;
      if (llvm::isa<clang::CallExpr>(statement))
        calls.insert(statement->getBeginLoc());
      open.insert(open.end(), statement->child_begin(), statement->child_end());
    }
  }
};

} // namespace

class Session::Impl {
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

bool Session::Impl::createInvocation() {
  std::vector<std::string> arguments = {support::clangPath(),
                                        "-fsyntax-only",
                                        "-x",
                                        "c++",
                                        "-std=c++20",
                                        "-Wall",
                                        "-Wno-unknown-pragmas",
                                        "-Wno-unused",
                                        "-Wno-pragma-once-outside-header",
                                        "-resource-dir",
                                        support::clangResourceDir(),
                                        "-include",
                                        elementTypeHeader};
  if (options_.splitRules)
    arguments.insert(arguments.end(), {"-include", splitRules});
  for (const std::string &directory : support::headerDirs())
    arguments.push_back("-I" + directory);
  arguments.insert(arguments.end(), options_.compilerArguments.begin(), options_.compilerArguments.end());
  if (!support::algorithmsDir().empty())
    arguments.push_back("-idirafter" + support::algorithmsDir());
  if (options_.findings)
    arguments.push_back("-fno-caret-diagnostics"); // then nobody counts errors on standard error
  if (options_.color)
    arguments.push_back("-fcolor-diagnostics");
  arguments.push_back(options_.file);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());

  compiler_.createDiagnostics();
  clang::CreateInvocationOptions creation;
  creation.Diags = &compiler_.getDiagnostics();
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers, creation);
  if (!invocation)
    return false;
  invocation->getPreprocessorOpts().addRemappedFile(
      elementTypeHeader, llvm::MemoryBuffer::getMemBufferCopy(elementTypeText(options_.type)).release());
  if (options_.text)
    invocation->getPreprocessorOpts().addRemappedFile(
        options_.file, llvm::MemoryBuffer::getMemBufferCopy(*options_.text, options_.file).release());
  invocation->getFrontendOpts().DisableFree = false;
  compiler_.setInvocation(std::move(invocation));
  compiler_.createDiagnostics();
  std::unique_ptr<clang::DiagnosticConsumer> shown = compiler_.getDiagnostics().takeClient();
  if (options_.findings)
    shown = std::make_unique<CollectingConsumer>(*options_.findings);
  hints_ = new HintingConsumer(std::move(shown));
  compiler_.getDiagnostics().setClient(hints_, /*ShouldOwnClient=*/true);
  return true;
}

std::optional<ir::Program> Session::Impl::parse() {
  if (!createInvocation())
    return std::nullopt;
  Action action(*this);
  tla::callWithStack(parserStackBytes, [&] { compiler_.ExecuteAction(action); });
  compiler_.getDiagnosticClient().BeginSourceFile(compiler_.getLangOpts(), nullptr);
  hints_->showHints(compiler_.getDiagnostics());
  compiler_.getDiagnosticClient().EndSourceFile();
  collectDependencies();
  collectKernelSources();
  if (compiler_.getDiagnostics().hasErrorOccurred())
    return std::nullopt;
  return std::move(program_);
}

void Session::Impl::collectDependencies() {
  const clang::SourceManager &sources = compiler_.getSourceManager();
  std::set<std::string> files;
  const auto add = [&](llvm::StringRef name) {
    llvm::SmallString<256> path(name);
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return path.str().str();
  };
  const std::string main = add(options_.file);
  for (auto entry = sources.fileinfo_begin(); entry != sources.fileinfo_end(); ++entry)
    if (entry->first.getName() != elementTypeHeader)
      files.insert(add(entry->first.getName()));
  files.erase(main);
  dependencies_.assign(1, main);
  dependencies_.insert(dependencies_.end(), files.begin(), files.end());
}

void Session::Impl::collectKernelSources() {
  const clang::SourceManager &sources = compiler_.getSourceManager();
  std::set<std::string> found;
  for (const PragmaRecord &pragma : pragmas_) {
    if (!std::holds_alternative<annotations::KernelAnnotation>(pragma.annotation))
      continue;
    llvm::SmallString<256> path(sources.getFilename(sources.getExpansionLoc(pragma.begin)));
    if (path.empty() || support::isOwnHeader(path.str().str()))
      continue;
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::replace_extension(path, "cpp");
    if (llvm::sys::fs::exists(path))
      found.insert(path.str().str());
  }
  kernelSources_.assign(found.begin(), found.end());
}

/// Collects the libraries that kernels' pragmas link, used or not: where there is a .cpp, it has the bodies of all.
void Session::Impl::collectLibraries() {
  const clang::SourceManager &sources = compiler_.getSourceManager();
  libraries_.clear();
  for (const PragmaRecord &pragma : pragmas_) {
    const auto *kernel = std::get_if<annotations::KernelAnnotation>(&pragma.annotation);
    for (const annotations::LinkedLibrary &library : kernel ? kernel->libraries : decltype(kernel->libraries)()) {
      std::string name = library.name;
      if (name.find('/') != name.npos) {
        llvm::SmallString<256> path(
            llvm::sys::path::parent_path(sources.getFilename(sources.getExpansionLoc(pragma.begin))));
        llvm::sys::path::append(path, name);
        llvm::sys::fs::make_absolute(path);
        llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
        if (!llvm::sys::fs::is_regular_file(path)) {
          error(pragma.at(library.offset), "there is no library '" + path.str().str() + "'");
          continue;
        }
        name = path.str().str();
      }
      if (std::ranges::find(libraries_, name) == libraries_.end())
        libraries_.push_back(std::move(name));
    }
  }
}

clang::DiagnosticBuilder Session::Impl::error(clang::SourceLocation location, const std::string &message) {
  clang::DiagnosticsEngine &engine = compiler_.getDiagnostics();
  auto builder = engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"));
  builder << message;
  return builder;
}

/// Ties every pragma to what it stands before; reports those that stand before something else.
void Session::Impl::indexPragmas(clang::ASTContext &context) {
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

void Session::Impl::indexRule(clang::FunctionDecl &rule, PragmaRecord &pragma) {
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

clang::FunctionDecl *Session::Impl::findKernel(const std::string &shortName) const {
  for (const auto &[declaration, pragma] : declarations_.kernels)
    if (declaration->getNameAsString() == shortName) {
      const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration);
      return const_cast<clang::FunctionDecl *>(pattern ? pattern->getTemplatedDecl()
                                                       : llvm::cast<clang::FunctionDecl>(declaration));
    }
  return nullptr;
}

void Session::Impl::reportUnusedTask(const PragmaRecord &pragma) {
  error(pragma.begin, "'#pragma tla task' is not followed by a call of a kernel");
}

clang::FunctionDecl *Session::Impl::chooseAlgorithm() {
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

clang::QualType Session::Impl::elementQualType(clang::ASTContext &context) {
  const auto find = [&](const clang::DeclContext *scope, const char *name) {
    const auto found = scope->lookup(&context.Idents.get(name));
    return found.empty() ? nullptr : found.front();
  };
  const auto *space = llvm::cast<clang::NamespaceDecl>(find(context.getTranslationUnitDecl(), "hetc_frontend"));
  return llvm::cast<clang::TypedefNameDecl>(find(space, "T"))->getUnderlyingType().getCanonicalType();
}

/// Instantiates a function for an element type; the function itself when it is no template.
clang::FunctionDecl *Session::Impl::instantiateDeclaration(clang::ASTContext &context, clang::FunctionDecl &function,
                                                           clang::QualType type) {
  clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
  if (!pattern)
    return &function;
  auto *arguments =
      clang::TemplateArgumentList::CreateCopy(context, {clang::TemplateArgument(type.getCanonicalType())});
  return compiler_.getSema().InstantiateFunctionDeclaration(pattern, arguments, function.getLocation());
}

clang::FunctionDecl *Session::Impl::instantiate(clang::ASTContext &context, clang::FunctionDecl &algorithm) {
  clang::FunctionTemplateDecl *pattern = algorithm.getDescribedFunctionTemplate();
  const clang::SourceLocation location = algorithm.getLocation();
  if (!pattern || pattern->getTemplateParameters()->size() != 1 ||
      !llvm::isa<clang::TemplateTypeParmDecl>(pattern->getTemplateParameters()->getParam(0))) {
    error(location, "an algorithm is a function template over its element type: template <typename T> void " +
                        algorithm.getNameAsString() + "(...)");
    return nullptr;
  }
  if (!algorithm.getReturnType()->isVoidType() ||
      !algorithm.getDeclContext()->getRedeclContext()->isTranslationUnit()) {
    error(location, "an algorithm returns void and stands at global scope");
    return nullptr;
  }
  clang::Sema &sema = compiler_.getSema();
  clang::FunctionDecl *function = instantiateDeclaration(context, algorithm, elementQualType(context));
  if (!function)
    return nullptr;
  sema.InstantiateFunctionDefinition(location, function, /*Recursive=*/true, /*DefinitionRequired=*/true);
  sema.PerformPendingInstantiations();
  return function->hasBody() ? function : nullptr;
}

/// Instantiates the function's body, too, so that its errors are reported now, and not by the compiler of the generated
/// code.
clang::FunctionDecl *Session::Impl::instantiateFunction(clang::ASTContext &context, clang::FunctionDecl &function,
                                                        clang::QualType type) {
  const clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
  if (pattern && pattern->getTemplateParameters()->size() != 1)
    return nullptr;
  clang::FunctionDecl *declared = instantiateDeclaration(context, function, type);
  if (!declared || !pattern)
    return declared;
  compiler_.getSema().InstantiateFunctionDefinition(function.getLocation(), declared, /*Recursive=*/true,
                                                    /*DefinitionRequired=*/true);
  compiler_.getSema().PerformPendingInstantiations();
  return declared;
}

void Session::Impl::convert(clang::ASTContext &context) {
  indexPragmas(context);
  collectLibraries();
  if (compiler_.getDiagnostics().hasErrorOccurred())
    return;
  clang::FunctionDecl *algorithm = chooseAlgorithm();
  if (!algorithm)
    return;
  program_ = convert(context, *algorithm);
  if (!program_)
    return;
  const auto call = std::ranges::find_if(program_->checkArguments, &ir::CheckArgument::isCall);
  if (call != program_->checkArguments.end())
    checkedCall_ = convert(context, *findAlgorithm(call->name));
  if (checkedCall_ && checkedCall_->until)
    error(findAlgorithm(call->name)->getLocation(),
          "'" + call->name +
              "', which the check calls, ends a loop early: a check computes the same whatever the elements are");
  if (checkedCall_)
    requireResultsKept(*checkedCall_, *call);
  for (const auto &program : {&program_, &checkedCall_})
    if (options_.splitRules && *program)
      convertRules(context, **program);
  for (const std::string &name : options_.kernels)
    convertKernel(context, name);
  hasBodies_ = hasBodies(*program_) || (checkedCall_ && hasBodies(*checkedCall_));
}

/// Whether a kernel of the user's that the program calls has its body here.
bool Session::Impl::hasBodies(const ir::Program &program) const {
  const auto isBody = [](const clang::Decl *each) {
    const clang::FunctionDecl *const function = each->getAsFunction();
    return function && function->doesThisDeclarationHaveABody();
  };
  return std::ranges::any_of(declarations_.kernels, [&](const auto &entry) {
    const ir::Kernel *const kernel = program.findKernel(entry.first->getQualifiedNameAsString());
    return kernel && !support::isOwnHeader(kernel->location.file) &&
           std::ranges::any_of(entry.first->redecls(), isBody);
  });
}

/// A check must not change what it judges.
void Session::Impl::requireResultsKept(const ir::Program &call, const ir::CheckArgument &argument) {
  const auto &order = call.parameterOrder;
  const std::size_t first = order.size() - 1 - argument.arguments.size();
  std::set<std::string> written;
  forEachTask(call.body, [&](const ir::Task &task) {
    for (const ir::Argument &each : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&each); tile && tile->access != ir::Access::Read)
        written.insert(tile->matrix);
  });
  for (std::size_t a = 0; a < argument.arguments.size(); ++a)
    if (argument.arguments[a].kind == ir::CheckArgument::Kind::Parameter && written.contains(order[first + a])) {
      const auto parameters = findAlgorithm(call.name)->parameters();
      error(parameters[first + a]->getLocation(),
            "'" + call.name + "' writes '" + order[first + a] +
                "', which the check gives it as the run left it: only '" + order.back() +
                "' may be written, and matrices that the check gives as before(A)");
    }
}

void Session::Impl::convertRules(clang::ASTContext &context, const ir::Program &program) {
  for (const ir::Kernel &kernel : program.kernels)
    for (const auto &[type, argument] : declarations_.calls[kernel.name]) {
      if (type == ir::ElementType::I) // such tiles are not cut
        continue;
      const auto isKnown = [&, type = type](const ir::Program &rule) {
        return rule.name == kernel.name && rule.type == type;
      };
      if (std::ranges::none_of(rules_, isKnown))
        convertRule(context, kernel.name, type, argument.isNull() ? elementQualType(context) : argument);
    }
}

/// The kernel's rule, if it has one, for one of the element types that the kernel is called with.
void Session::Impl::convertRule(clang::ASTContext &context, const std::string &kernelName, ir::ElementType type,
                                clang::QualType argument) {
  const std::string name = kernelName.substr(kernelName.rfind(':') + 1);
  const auto found = std::ranges::find_if(declarations_.rules,
                                          [&](const auto &entry) { return entry.first->getNameAsString() == name; });
  clang::FunctionDecl *kernel = findKernel(name);
  if (found == declarations_.rules.end() || !kernel)
    return;
  clang::FunctionDecl *pattern = llvm::cast<clang::FunctionTemplateDecl>(found->first)->getTemplatedDecl();
  clang::FunctionDecl *rule = instantiateDeclaration(context, *const_cast<clang::FunctionDecl *>(pattern), argument);
  kernel = instantiateDeclaration(context, *kernel, argument);
  if (!rule || !kernel)
    return;
  clang::Sema &sema = compiler_.getSema();
  sema.InstantiateFunctionDefinition(rule->getLocation(), rule, /*Recursive=*/true, /*DefinitionRequired=*/true);
  sema.PerformPendingInstantiations();
  if (!rule->hasBody() || compiler_.getDiagnostics().hasErrorOccurred())
    return;
  Converter converter = makeConverter(context);
  if (auto converted = converter.convertRule(*rule, *found->second, *kernel, type))
    rules_.push_back(std::move(*converted));
}

Converter Session::Impl::makeConverter(clang::ASTContext &context) {
  return {context, compiler_.getDiagnostics(), declarations_,
          [this, &context](clang::FunctionDecl &other) { return instantiate(context, other); },
          [this, &context](clang::FunctionDecl &other, clang::QualType type) {
            return instantiateFunction(context, other, type);
          }};
}

/// One of the standard kernels, which programs include.
void Session::Impl::convertKernel(clang::ASTContext &context, const std::string &name) {
  for (const auto &[declaration, pragma] : declarations_.kernels) {
    if (declaration->getQualifiedNameAsString() != "tla::" + name)
      continue;
    auto *pattern = llvm::cast<clang::FunctionTemplateDecl>(declaration)->getTemplatedDecl();
    const clang::FunctionDecl *kernel = instantiateDeclaration(context, *pattern, elementQualType(context));
    if (auto converted = kernel ? makeConverter(context).convertKernel(*kernel, *pragma) : std::nullopt)
      kernels_.push_back(std::move(*converted));
    return;
  }
}

/// Converts an algorithm, instantiated for the session's type.
std::optional<ir::Program> Session::Impl::convert(clang::ASTContext &context, clang::FunctionDecl &algorithm) {
  clang::FunctionDecl *instance = instantiate(context, algorithm);
  if (!instance || compiler_.getDiagnostics().hasErrorOccurred())
    return std::nullopt;
  const PragmaRecord *pragma = declarations_.algorithms.at(canonicalFunction(algorithm));
  Converter converter = makeConverter(context);
  std::optional<ir::Program> program = converter.convert(*instance, *pragma, options_.type, options_.file);
  if (program)
    program->documentation = documentationAbove(context.getSourceManager(), pragma->begin);
  std::ranges::copy(converter.remarks(), std::back_inserter(remarks_));
  return program;
}

/// The converter has found it before.
clang::FunctionDecl *Session::Impl::findAlgorithm(const std::string &name) const {
  for (const auto &[declaration, pragma] : declarations_.algorithms)
    if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration);
        pattern && declaration->getNameAsString() == name)
      return const_cast<clang::FunctionDecl *>(pattern->getTemplatedDecl());
  llvm_unreachable("an algorithm that a check calls is declared");
}

clang::SourceLocation Session::Impl::translate(const ir::Location &location) {
  if (location.line == 0)
    return {};
  clang::SourceManager &sources = compiler_.getSourceManager();
  if (location.file.empty())
    return sources.translateLineCol(sources.getMainFileID(), location.line, location.column);
  const auto file = compiler_.getFileManager().getOptionalFileRef(location.file);
  return file ? sources.translateFileLineCol(*file, location.line, location.column) : clang::SourceLocation();
}

void Session::Impl::report(const ir::Diagnostic &diagnostic) {
  static const std::map<ir::Diagnostic::Severity, clang::DiagnosticsEngine::Level> levels = {
      {ir::Diagnostic::Severity::Note, clang::DiagnosticsEngine::Note},
      {ir::Diagnostic::Severity::Remark, clang::DiagnosticsEngine::Remark},
      {ir::Diagnostic::Severity::Warning, clang::DiagnosticsEngine::Warning},
      {ir::Diagnostic::Severity::Error, clang::DiagnosticsEngine::Error}};
  clang::DiagnosticsEngine &engine = compiler_.getDiagnostics();
  compiler_.getDiagnosticClient().BeginSourceFile(compiler_.getLangOpts(), nullptr);
  engine.Report(translate(diagnostic.location), engine.getCustomDiagID(levels.at(diagnostic.severity), "%0"))
      << diagnostic.message;
  compiler_.getDiagnosticClient().EndSourceFile();
  for (const ir::Diagnostic &note : diagnostic.notes)
    report(note);
}

Session::Session(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;
std::optional<ir::Program> Session::parse() { return impl_->parse(); }
ir::Program *Session::checkedCall() { return impl_->checkedCall_ ? &*impl_->checkedCall_ : nullptr; }
const std::vector<ir::Program> &Session::rules() const { return impl_->rules_; }
const std::vector<ir::Kernel> &Session::kernels() const { return impl_->kernels_; }
const std::vector<ir::Diagnostic> &Session::remarks() const { return impl_->remarks_; }
void Session::report(const ir::Diagnostic &diagnostic) { impl_->report(diagnostic); }
const std::vector<std::string> &Session::dependencies() const { return impl_->dependencies_; }
const std::vector<std::string> &Session::kernelSources() const { return impl_->kernelSources_; }

const std::vector<std::string> &Session::libraries() const { return impl_->libraries_; }
bool Session::hasBodies() const { return impl_->hasBodies_; }
unsigned Session::errors() const { return impl_->compiler_.getDiagnosticClient().getNumErrors(); }

} // namespace hetc::frontend
