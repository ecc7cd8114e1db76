#include "compiler/backend/precompiled.hpp"

#include "compiler/backend/clang_job.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"
#include "dsl/base/hash.hpp"

#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/PCHContainerOperations.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace hetc::backend {

namespace {

namespace fs = std::filesystem;

/// The headers that generated code includes (cxx.cpp).
constexpr const char *headers = "#include <complex>\n"
                                "#include <tla/tla.hpp>\n"
                                "#include <tla/generated/generated.hpp>\n"
                                "#include <tla/generated/guard.hpp>\n"
                                "#include <tla/generated/guarded.hpp>\n"
                                "#include <tla/generated/kernel_versions.hpp>\n"
                                "#include <tla/generated/run_program.hpp>\n";

/// Definitions change what headers mean, and a folder of the user's comes before the system's: it may have a header of
/// the same name.
bool keepHeaders(const CompileOptions &options) {
  static constexpr const char *variables[] = {"CPATH", "CPLUS_INCLUDE_PATH"};
  return options.compilerArguments.empty() && std::ranges::none_of(variables, [](auto *name) {
           const char *const value = std::getenv(name);
           return value && *value;
         });
}

std::vector<std::string> argumentsFor(CompileOptions options) {
  options.compilerArguments.clear();
  std::vector<std::string> arguments = compileArguments(options, /*warnings=*/false);
  *std::ranges::find(arguments, "c++") = "c++-header";
  return arguments;
}

/// The name of the precompiled headers, equal for all compilations that may share them.
std::string nameOf(const CompileOptions &options) {
  std::string all = compilerName() + "\n" + (options.march == "native" ? nativeProcessor() : "") + "\n" + headers;
  for (const std::string &argument : argumentsFor(options))
    all += argument + "\n";
  return "headers-" + tla::hashOf(all);
}

/// Parses, and keeps in memory what Clang would write: its own file streams end the process when the disk is full.
class Precompile : public clang::ASTFrontendAction {
public:
  explicit Precompile(std::set<std::string> &absent) : absent_(absent) {}

  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }
  const clang::PCHBuffer &result() const { return *buffer_; }

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getLangOpts().CompilingPCH = true;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(recordSearches(compiler.getPreprocessor(), absent_));
    const clang::FrontendOptions &options = compiler.getFrontendOpts();
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(),
                                                 options.OutputFile, "", buffer_, options.ModuleFileExtensions,
                                                 /*AllowASTWithErrors=*/false, options.IncludeTimestamps);
  }

private:
  std::set<std::string> &absent_;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

/// Size and time of a file, as a line of the list; empty when there is none.
std::string stateOf(const std::string &file) {
  struct stat status;
  if (::stat(file.c_str(), &status) != 0)
    return "";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

/// A line for each file that it is made of, with its state, one for each place where there is none, and itself, first.
std::string listOf(const Precompiled &made) {
  std::ostringstream list;
  list << stateOf(made.file) << " " << made.file << "\n";
  for (const std::string &file : made.dependencies)
    list << stateOf(file) << " " << file << "\n";
  for (const std::string &file : made.absent)
    list << "- - " << file << "\n";
  return list.str();
}

/// Reads a list; nothing where a file is not any more as the list says.
std::optional<Precompiled> readList(const fs::path &path) {
  std::ifstream list(path);
  Precompiled found;
  std::string size, time, file;
  while (list >> size >> time && std::getline(list.ignore(), file)) {
    const std::string state = stateOf(file);
    if (size == "-" ? !state.empty() : state != size + " " + time)
      return std::nullopt;
    if (found.file.empty())
      found.file = file;
    else
      (size == "-" ? found.absent : found.dependencies).insert(file);
  }
  return found.file.empty() ? std::nullopt : std::optional(std::move(found));
}

fs::path withSuffix(const fs::path &folder, const std::string &name, const char *suffix) {
  return folder / (name + suffix);
}

std::optional<Precompiled> find(const fs::path &folder, const std::string &name) {
  return tla::whyNotPrivate(withSuffix(folder, name, ".pch")).empty() ? readList(withSuffix(folder, name, ".list"))
                                                                      : std::nullopt;
}

/// Empty, or why there is none. Nobody else makes the same one.
std::string make(const fs::path &folder, const std::string &name, const CompileOptions &options) {
  const std::string text = withSuffix(folder, name, ".hpp").string();
  if (const std::error_code error = tla::replaceFile(text, headers))
    return error.message();
  Precompiled made;
  made.file = withSuffix(folder, name, ".pch").string();
  clang::CompilerInstance compiler;
  unsigned line;
  const Source source{nullptr, text};
  if (!prepare(compiler, source, argumentsFor(options), Messages::Dropped, line))
    return "Clang refuses its options";
  Precompile action(made.absent);
  if (!compiler.ExecuteAction(action) || !action.result().IsComplete)
    return "the headers do not compile";
  noteFiles(compiler, source, made.dependencies);
  const llvm::SmallVectorImpl<char> &bytes = action.result().Data;
  if (const std::error_code error = tla::replaceFile(made.file, {bytes.data(), bytes.size()}))
    return error.message();
  if (const std::error_code error = tla::replaceFile(withSuffix(folder, name, ".list"), listOf(made)))
    return error.message();
  return "";
}

/// Where a build of hetc keeps its own.
fs::path builtFolder() { return support::libraryDir() + "/precompiled"; }

} // namespace

std::optional<Precompiled> precompiledHeaders(const CompileOptions &options) {
  if (!keepHeaders(options))
    return std::nullopt;
  const std::string name = nameOf(options);
  if (auto built = find(builtFolder(), name))
    return built;
  const fs::path folder = tla::programsFolder();
  if (!tla::makePrivateFolder(folder).empty())
    return std::nullopt;
  if (auto found = find(folder, name))
    return found;
  // Who finds another process at it does not wait: it compiles without, as before.
  const tla::FileLock lock(withSuffix(folder, name, ".lock").string(), tla::FileLock::Wait::No);
  if (!lock.held())
    return std::nullopt;
  auto found = find(folder, name); // made since it was looked for
  if (!found && make(folder, name, options).empty())
    found = find(folder, name);
  return found;
}

std::string precompileHeaders() {
  std::error_code error;
  fs::create_directories(builtFolder(), error);
  return error ? error.message() : make(builtFolder(), nameOf({}), {});
}

} // namespace hetc::backend
