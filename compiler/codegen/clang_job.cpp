#include "compiler/codegen/clang_job.hpp"

#include "compiler/support/paths.hpp"

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/TargetSelect.h>

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
  if (march == "native") // which has AVX10.1 but for 512 bits where the processor has it: Clang's own matter
    arguments.push_back("-Wno-invalid-feature-combination");
  if (march == "x86-64-v4" || march == "native") // else Clang leaves half of an AVX-512 register empty
    arguments.push_back("-mprefer-vector-width=512");
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

} // namespace

std::vector<std::string> compileArguments(const CompileOptions &options, bool warnings) {
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

bool prepare(clang::CompilerInstance &compiler, const Source &source, std::vector<std::string> arguments,
             Messages messages, unsigned &line) {
  line = 0;
  initializeTarget();
  compiler.createDiagnostics();
  arguments.push_back(source.name);
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
  if (messages == Messages::Shown)
    compiler.createDiagnostics(new ErrorRecord(&compiler.getDiagnosticOpts(), line));
  else
    compiler.createDiagnostics(new clang::DiagnosticConsumer); // which counts them: Clang goes by that
  return true;
}

std::unique_ptr<clang::PPCallbacks> recordSearches(clang::Preprocessor &preprocessor, std::set<std::string> &absent) {
  return std::make_unique<SearchRecord>(preprocessor, absent);
}

void noteFiles(clang::CompilerInstance &compiler, const Source &source, std::set<std::string> &files) {
  const clang::SourceManager &sources = compiler.getSourceManager();
  for (auto entry = sources.fileinfo_begin(); entry != sources.fileinfo_end(); ++entry)
    if (!source.text || entry->first.getName() != source.name)
      files.insert(absolute(entry->first.getName()));
}

} // namespace hetc::codegen
