#include "compiler/codegen/backend.hpp"

#include "compiler/codegen/detach.hpp"
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "compiler/support/temporary_file.hpp"

#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <mutex>

namespace hetc::codegen {

namespace {

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

/// Whether the processors of this name, or all processors, may be without fused multiply-add.
bool lacksFma([[maybe_unused]] const std::string &march) {
#if defined(__x86_64__)
  return march.empty() || march == "x86-64-v2";
#else
  return false;
#endif
}

/// a * b + c in one expression is one operation where the processor has it, as it is for Clang without any option, and
/// nothing else changes a result: so all processors that have it give the same bits.
void addProcessor(const std::string &march, std::vector<std::string> &arguments) {
  // Where there is none, Clang would still compute with constants as if there were.
  arguments.push_back(lacksFma(march) ? "-ffp-contract=off" : "-ffp-contract=on");
  if (march.empty())
    return;
  arguments.push_back("-march=" + march);
  if (march == "x86-64-v4" || march == "native") // else Clang leaves half of an AVX-512 register empty
    arguments.push_back("-mprefer-vector-width=512");
}

std::vector<std::string> compileArguments(const std::string &name, const CompileOptions &options, bool warnings) {
  std::vector<std::string> arguments = {support::clangPath(),
                                        "-c",
                                        "-x",
                                        "c++",
                                        "-std=c++20",
                                        "-fPIC",
                                        "-resource-dir",
                                        support::clangResourceDir(),
                                        options.optimize ? "-O2" : "-O0",
                                        "-Wno-unknown-pragmas"};
  if (!warnings)
    arguments.push_back("-w"); // the front end has shown the warnings of the user's file
  addProcessor(options.march, arguments);
  for (const std::string &directory : support::headerDirs())
    arguments.push_back("-I" + directory);
  arguments.insert(arguments.end(), options.compilerArguments.begin(), options.compilerArguments.end());
  if (!support::algorithmsDir().empty())
    arguments.push_back("-idirafter" + support::algorithmsDir());
  arguments.push_back(name);
  return arguments;
}

std::vector<const char *> pointers(const std::vector<std::string> &strings) {
  std::vector<const char *> result;
  for (const std::string &string : strings)
    result.push_back(string.c_str());
  return result;
}

std::string absolute(llvm::StringRef name) {
  llvm::SmallString<256> path(name);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// Notes where every included file was searched in vain before it was found.
class SearchRecord : public clang::PPCallbacks {
public:
  SearchRecord(clang::Preprocessor &preprocessor, std::set<std::string> &absent)
      : preprocessor_(preprocessor), absent_(absent) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name, bool angled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef,
                          const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    record(hash, name, angled);
  }
  void HasInclude(clang::SourceLocation location, llvm::StringRef name, bool angled, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    record(location, name, angled);
  }

private:
  void record(clang::SourceLocation location, llvm::StringRef name, bool angled) {
    if (llvm::sys::path::is_absolute(name)) {
      isAt("", name);
      return;
    }
    if (!angled) {
      const clang::SourceManager &sources = preprocessor_.getSourceManager();
      if (isAt(llvm::sys::path::parent_path(sources.getFilename(sources.getExpansionLoc(location))), name))
        return;
    }
    const clang::HeaderSearch &search = preprocessor_.getHeaderSearchInfo();
    for (auto directory = angled ? search.angled_dir_begin() : search.search_dir_begin();
         directory != search.search_dir_end(); ++directory)
      if (isAt(directory->getName(), name))
        return;
  }

  bool isAt(llvm::StringRef directory, llvm::StringRef name) {
    llvm::SmallString<256> path(directory);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_directory(path))
      return true;
    absent_.insert(absolute(path));
    return false;
  }

  clang::Preprocessor &preprocessor_;
  std::set<std::string> &absent_;
};

template <typename Action> class Recording : public Action {
public:
  Recording(llvm::LLVMContext *context, std::set<std::string> &absent) : Action(context), absent_(absent) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<SearchRecord>(compiler.getPreprocessor(), absent_));
    return Action::CreateASTConsumer(compiler, file);
  }

private:
  std::set<std::string> &absent_;
};

bool execute(clang::CompilerInstance &compiler, OutputKind kind, llvm::LLVMContext &context,
             std::set<std::string> &absent) {
  if (kind == OutputKind::LlvmText) {
    Recording<clang::EmitLLVMAction> action(&context, absent);
    return compiler.ExecuteAction(action);
  }
  Recording<clang::EmitObjAction> action(&context, absent);
  return compiler.ExecuteAction(action);
}

/// Prints as usual, and notes the first error that is in the main file.
class ErrorRecord : public clang::TextDiagnosticPrinter {
public:
  ErrorRecord(clang::DiagnosticOptions *options, unsigned &line)
      : clang::TextDiagnosticPrinter(llvm::errs(), options), line_(line) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    clang::TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error || line_ || !diagnostic.hasSourceManager())
      return;
    const clang::SourceManager &sources = diagnostic.getSourceManager();
    if (sources.isInMainFile(diagnostic.getLocation()))
      line_ = sources.getExpansionLineNumber(diagnostic.getLocation());
  }

private:
  unsigned &line_;
};

/// What is compiled: a text, which diagnostics call `name`, or, without one, the file of that name.
struct Source {
  const std::string *text;
  const std::string &name;
};

/// Tells the compiler what to do; false after an error, which was shown.
bool prepare(clang::CompilerInstance &compiler, const Source &source, const CompileOptions &options, unsigned &line) {
  line = 0;
  initializeTarget();
  compiler.createDiagnostics();
  const std::vector<std::string> arguments = compileArguments(source.name, options, /*warnings=*/!source.text);
  clang::CreateInvocationOptions creation;
  creation.Diags = &compiler.getDiagnostics();
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers(arguments), creation);
  if (!invocation)
    return false;
  if (source.text)
    invocation->getPreprocessorOpts().addRemappedFile(
        source.name, llvm::MemoryBuffer::getMemBufferCopy(*source.text, source.name).release());
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false; // it keeps the target machine
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(new ErrorRecord(&compiler.getDiagnosticOpts(), line));
  return true;
}

/// The files that the compiler has read.
void noteFiles(clang::CompilerInstance &compiler, const Source &source, std::set<std::string> &files) {
  const clang::SourceManager &sources = compiler.getSourceManager();
  for (auto entry = sources.fileinfo_begin(); entry != sources.fileinfo_end(); ++entry)
    if (!source.text || entry->first.getName() != source.name)
      files.insert(absolute(entry->first.getName()));
}

/// To a module that is not optimized yet; null after an error, which was shown.
std::unique_ptr<llvm::Module> compileModule(const Source &source, const CompileOptions &options,
                                            llvm::LLVMContext &context, Compiled &result, unsigned &line) {
  clang::CompilerInstance compiler;
  if (!prepare(compiler, source, options, line))
    return nullptr;
  compiler.getCodeGenOpts().DisableLLVMPasses = true;
  Recording<clang::EmitLLVMOnlyAction> action(&context, result.absent);
  const bool isFine = compiler.ExecuteAction(action);
  noteFiles(compiler, source, result.dependencies);
  return isFine ? action.takeModule() : nullptr;
}

/// All of a version's sources, as one module whose functions are seen by nobody else; null after an error.
std::unique_ptr<llvm::Module> compileVersion(const Version &version, const std::string &name, CompileOptions options,
                                             llvm::LLVMContext &context, Compiled &result, TextError &error) {
  options.march = version.march;
  error.text = version.text;
  auto module = compileModule({&version.text, version.march + "." + name}, options, context, result, error.line);
  for (const std::string &file : version.files) {
    unsigned ignored;
    auto other = module ? compileModule({nullptr, file}, options, context, result, ignored) : nullptr;
    if (!other || !join(*module, std::move(other)))
      return nullptr;
  }
  if (module)
    detach(*module, version.entry);
  return module;
}

std::optional<Compiled> compile(const Source &source, OutputKind kind, const CompileOptions &options,
                                const std::vector<Version> &versions, TextError &error) {
  Compiled result;
  llvm::LLVMContext context;
  std::vector<std::unique_ptr<llvm::Module>> modules;
  for (const Version &version : versions) {
    modules.push_back(compileVersion(version, source.name, options, context, result, error));
    if (!modules.back()) {
      if (versions.size() > 1)
        llvm::errs() << "hetc: this was compiled for " << version.march
                     << ", one of several processors: --march x86-64-v3, say, or --march native is for one\n";
      return std::nullopt;
    }
  }
  error.text = source.text ? *source.text : "";
  clang::CompilerInstance compiler;
  if (!prepare(compiler, source, options, error.line))
    return std::nullopt;
  if (!modules.empty())
    attachFirst(compiler.getCodeGenOpts().PassBuilderCallbacks, modules);
  // To memory: Clang's own file streams end the process when the disk is full.
  llvm::SmallVector<char, 0> bytes;
  compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(bytes));
  if (!execute(compiler, kind, context, result.absent))
    return std::nullopt;
  result.bytes.assign(bytes.begin(), bytes.end());
  noteFiles(compiler, source, result.dependencies);
  return result;
}

/// To link one, and to find it when the result runs.
void addLibrary(const std::string &library, std::vector<std::string> &arguments) {
  if (library.find('/') == library.npos) {
    arguments.push_back("-l" + library);
    return;
  }
  const std::string folder = llvm::sys::path::parent_path(library).str();
  arguments.insert(arguments.end(), {library, "-Xlinker", "-rpath", "-Xlinker", folder});
}

std::vector<std::string> linkArguments(const LinkInputs &inputs, LinkKind kind, const std::string &output) {
  std::vector<std::string> arguments = {support::clangPath(), "-o", output};
  if (kind == LinkKind::SharedLibrary)
    arguments.push_back("-shared");
  // hetc's own folder before all others: what else is in those must not take the place of its libraries.
  const std::string &own = support::libraryDir();
  arguments.insert(arguments.end(), {"-Xlinker", "-rpath", "-Xlinker", own});
  arguments.insert(arguments.end(), inputs.objects.begin(), inputs.objects.end());
  for (const std::string &library : inputs.libraries)
    addLibrary(library, arguments);
  for (const char *flag : config::linkFlags)
    arguments.push_back(flag);
  // What has a main needs libtla_program, which brings what predicts runs; what others call has libtla alone.
  arguments.insert(arguments.end(),
                   {"-L" + own, "-Xlinker", "--as-needed", "-ltla_program", "-Xlinker", "--no-as-needed", "-ltla"});
  return arguments;
}

/// Whether the file is found when the result runs, and may be another one then, or comes with the compiler.
bool isSystems(llvm::StringRef file) {
  const bool isInstalled = file.starts_with("/usr/lib") || file.starts_with("/lib");
  const llvm::StringRef name = llvm::sys::path::filename(file);
  return isInstalled &&
         (name.ends_with(".so") || name.contains(".so.") || name.ends_with(".o") || file.contains("/gcc/"));
}

/// The files of a rule "output: \ file \ file" that the linker has written, but the objects.
std::set<std::string> filesOfRule(llvm::StringRef path, const std::vector<std::string> &objects) {
  std::set<std::string> files;
  const auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return files;
  llvm::StringRef rule = (*text)->getBuffer().split("\n\n").first.split(": ").second;
  for (llvm::StringRef line : llvm::split(rule, '\n')) {
    line = line.trim(" \\");
    if (!line.empty() && !isSystems(line) && std::ranges::find(objects, line) == objects.end())
      files.insert(absolute(line));
  }
  return files;
}

/// Runs one command of the driver; what it prints goes to the file `messages`.
bool runCommand(const clang::driver::Command &command, llvm::StringRef messages) {
  std::vector<llvm::StringRef> arguments = {command.getExecutable()};
  arguments.insert(arguments.end(), command.getArguments().begin(), command.getArguments().end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), messages, messages};
  std::string failure;
  const int code =
      llvm::sys::ExecuteAndWait(command.getExecutable(), arguments, std::nullopt, redirects, 0, 0, &failure);
  if (!failure.empty())
    llvm::errs() << "hetc: " << command.getExecutable() << ": " << failure << "\n";
  return code == 0;
}

} // namespace

std::optional<Compiled> compileText(const std::string &text, const std::string &name, OutputKind kind,
                                    const CompileOptions &options, const std::vector<Version> &versions,
                                    TextError *error) {
  TextError ignored;
  return compile({&text, name}, kind, options, versions, error ? *error : ignored);
}

std::optional<Compiled> compileFile(const std::string &file, const CompileOptions &options) {
  TextError ignored;
  return compile({nullptr, file}, OutputKind::Object, options, {}, ignored);
}

std::string compilerName() { return "clang " CLANG_VERSION_STRING; }

std::string nativeProcessor() {
  std::set<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.insert(feature.first().str());
  return llvm::sys::getHostCPUName().str() + " " + llvm::join(features, ",");
}

LinkOutcome link(const LinkInputs &inputs, LinkKind kind, const std::string &output) {
  std::vector<std::string> arguments = linkArguments(inputs, kind, output);
  const std::string folder = support::temporaryFolder(), prefix = folder + "/hetc-link-";
  const auto failed = [&](const std::error_code &error) -> LinkOutcome {
    return {false, "hetc: cannot create " + support::temporaryPurpose(folder) + ": " + error.message() + "\n"};
  };
  std::string rule;
  if (!inputs.libraries.empty()) {
    if (const std::error_code error = support::createUniqueFile(prefix, ".d", rule))
      return failed(error);
    arguments.insert(arguments.end(), {"-Xlinker", "--dependency-file=" + rule});
  }
  const llvm::FileRemover remover(rule, !rule.empty());
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, diagnosticOptions,
                                       new clang::TextDiagnosticPrinter(llvm::errs(), diagnosticOptions.get()));
  clang::driver::Driver driver(support::clangPath(), llvm::sys::getDefaultTargetTriple(), diagnostics);
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(pointers(arguments)));
  if (!compilation || diagnostics.hasErrorOccurred())
    return {};
  std::string messages;
  if (const std::error_code error = support::createUniqueFile(prefix, ".txt", messages))
    return failed(error);
  llvm::sys::RemoveFileOnSignal(messages);
  LinkOutcome outcome{true, ""};
  for (const clang::driver::Command &command : compilation->getJobs())
    outcome.ok = outcome.ok && runCommand(command, messages);
  if (const auto text = llvm::MemoryBuffer::getFile(messages))
    outcome.messages = (*text)->getBuffer().str();
  if (outcome.ok && !rule.empty())
    outcome.read = filesOfRule(rule, inputs.objects);
  llvm::sys::fs::remove(messages);
  llvm::sys::DontRemoveFileOnSignal(messages);
  return outcome;
}

} // namespace hetc::codegen
