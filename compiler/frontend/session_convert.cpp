// Algorithms, kernels and rules of a session, instantiated for its type and converted.
#include "compiler/frontend/documentation.hpp"
#include "compiler/frontend/session_impl.hpp"
#include "dsl/base/deep_call.hpp"

#include <clang/Sema/Scope.h>
#include <clang/Sema/Sema.h>

namespace hetc::frontend {

clang::QualType FrontEnd::Impl::elementQualType(clang::ASTContext &context) {
  const auto find = [&](const clang::DeclContext *scope, const char *name) {
    const auto found = scope->lookup(&context.Idents.get(name));
    return found.empty() ? nullptr : found.front();
  };
  const auto *space = llvm::cast<clang::NamespaceDecl>(find(context.getTranslationUnitDecl(), "hetc_frontend"));
  return llvm::cast<clang::TypedefNameDecl>(find(space, "T"))->getUnderlyingType().getCanonicalType();
}

/// Instantiates a function for an element type; the function itself when it is no template.
clang::FunctionDecl *FrontEnd::Impl::instantiateDeclaration(clang::ASTContext &context, clang::FunctionDecl &function,
                                                            clang::QualType type) {
  clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
  if (!pattern)
    return &function;
  auto *arguments =
      clang::TemplateArgumentList::CreateCopy(context, {clang::TemplateArgument(type.getCanonicalType())});
  return compiler_.getSema().InstantiateFunctionDeclaration(pattern, arguments, function.getLocation());
}

clang::FunctionDecl *FrontEnd::Impl::instantiate(clang::ASTContext &context, clang::FunctionDecl &algorithm) {
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
clang::FunctionDecl *FrontEnd::Impl::instantiateFunction(clang::ASTContext &context, clang::FunctionDecl &function,
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

namespace {

/// A scope for what Sema declares by itself while bodies are instantiated, as the builtin memcpy with which a class
/// that has an array is assigned. Sema gives its own up at the end of the source, before hetc instantiates anything,
/// and takes it for granted all the same.
class LateScope {
public:
  LateScope(clang::Sema &sema, clang::ASTContext &context)
      : sema_(sema), scope_(nullptr, clang::Scope::DeclScope, sema.getDiagnostics()), before_(sema.TUScope) {
    scope_.setEntity(context.getTranslationUnitDecl());
    sema_.TUScope = &scope_;
  }
  ~LateScope() { sema_.TUScope = before_; }
  LateScope(const LateScope &) = delete;
  LateScope &operator=(const LateScope &) = delete;

private:
  clang::Sema &sema_;
  clang::Scope scope_;
  clang::Scope *const before_;
};

} // namespace

void FrontEnd::Impl::convert(clang::ASTContext &context) {
  const LateScope scope(compiler_.getSema(), context);
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
bool FrontEnd::Impl::hasBodies(const ir::Program &program) const {
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
void FrontEnd::Impl::requireResultsKept(const ir::Program &call, const ir::CheckArgument &argument) {
  const auto &order = call.parameterOrder;
  const std::size_t first = order.size() - 1 - argument.arguments.size();
  std::set<std::string> written;
  forEachTask(call, [&](const ir::Task &task) {
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

void FrontEnd::Impl::convertRules(clang::ASTContext &context, const ir::Program &program) {
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
void FrontEnd::Impl::convertRule(clang::ASTContext &context, const std::string &kernelName, ir::ElementType type,
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

Converter FrontEnd::Impl::makeConverter(clang::ASTContext &context) {
  return {context, compiler_.getDiagnostics(), declarations_,
          [this, &context](clang::FunctionDecl &other) { return instantiate(context, other); },
          [this, &context](clang::FunctionDecl &other, clang::QualType type) {
            return instantiateFunction(context, other, type);
          }};
}

/// One of the standard kernels, which programs include.
void FrontEnd::Impl::convertKernel(clang::ASTContext &context, const std::string &name) {
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
std::optional<ir::Program> FrontEnd::Impl::convert(clang::ASTContext &context, clang::FunctionDecl &algorithm) {
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

} // namespace hetc::frontend
