#include "compiler/frontend/session_impl.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/deep_call.hpp"

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
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

} // namespace

bool FrontEnd::Impl::createInvocation() {
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

std::optional<ir::Program> FrontEnd::Impl::parse() {
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

void FrontEnd::Impl::collectDependencies() {
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

void FrontEnd::Impl::collectKernelSources() {
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
void FrontEnd::Impl::collectLibraries() {
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

clang::DiagnosticBuilder FrontEnd::Impl::error(clang::SourceLocation location, const std::string &message) {
  clang::DiagnosticsEngine &engine = compiler_.getDiagnostics();
  auto builder = engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"));
  builder << message;
  return builder;
}

clang::SourceLocation FrontEnd::Impl::translate(const ir::Location &location) {
  if (location.line == 0)
    return {};
  clang::SourceManager &sources = compiler_.getSourceManager();
  if (location.file.empty())
    return sources.translateLineCol(sources.getMainFileID(), location.line, location.column);
  const auto file = compiler_.getFileManager().getOptionalFileRef(location.file);
  return file ? sources.translateFileLineCol(*file, location.line, location.column) : clang::SourceLocation();
}

void FrontEnd::Impl::report(const ir::Diagnostic &diagnostic) {
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

FrontEnd::FrontEnd(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
FrontEnd::~FrontEnd() = default;
std::optional<ir::Program> FrontEnd::parse() { return impl_->parse(); }
ir::Program *FrontEnd::checkedCall() { return impl_->checkedCall_ ? &*impl_->checkedCall_ : nullptr; }
const std::vector<ir::Program> &FrontEnd::rules() const { return impl_->rules_; }
const std::vector<ir::Kernel> &FrontEnd::kernels() const { return impl_->kernels_; }
const std::vector<ir::Diagnostic> &FrontEnd::remarks() const { return impl_->remarks_; }
void FrontEnd::report(const ir::Diagnostic &diagnostic) { impl_->report(diagnostic); }
const std::vector<std::string> &FrontEnd::dependencies() const { return impl_->dependencies_; }
const std::vector<std::string> &FrontEnd::kernelSources() const { return impl_->kernelSources_; }

const std::vector<std::string> &FrontEnd::libraries() const { return impl_->libraries_; }
bool FrontEnd::hasBodies() const { return impl_->hasBodies_; }
unsigned FrontEnd::errors() const { return impl_->compiler_.getDiagnosticClient().getNumErrors(); }

} // namespace hetc::frontend
