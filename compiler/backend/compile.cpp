#include "compiler/backend/compile.hpp"

#include "compiler/backend/clang_job.hpp"
#include "compiler/backend/detach.hpp"
#include "compiler/backend/precompiled.hpp"
#include "compiler/backend/serial_elision.hpp"

#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Host.h>

namespace hetc::backend {

namespace {

/// A way to compile, which also notes what is searched in vain.
template <typename Action> class Recording : public Action {
public:
  Recording(llvm::LLVMContext &context, std::set<std::string> &absent) : Action(&context), absent_(absent) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(recordSearches(compiler.getPreprocessor(), absent_));
    return leaveSerialElision(Action::CreateASTConsumer(compiler, file));
  }

private:
  std::set<std::string> &absent_;
};

/// Prepares a compiler and calls `run` with it and the places searched in vain; what it has read is added to `result`.
/// `headers` may be null.
template <typename Run>
bool compileOnce(const Source &source, const CompileOptions &options, const Precompiled *headers, Compiled &result,
                 unsigned &line, Run run) {
  clang::CompilerInstance compiler;
  std::vector<std::string> arguments = compileArguments(options, /*warnings=*/!source.text);
  if (headers)
    arguments.insert(arguments.end(), {"-include-pch", headers->file});
  if (!prepare(compiler, source, std::move(arguments), headers ? Messages::Dropped : Messages::Shown, line) ||
      !run(compiler, result.absent))
    return false;
  noteFiles(compiler, source, result.dependencies);
  if (headers) {
    result.dependencies.erase(headers->file);
    result.dependencies.insert(headers->dependencies.begin(), headers->dependencies.end());
    result.absent.insert(headers->absent.begin(), headers->absent.end());
  }
  return true;
}

/// Compiles as compileOnce() does, generated text with precompiled headers. Where that fails, for whatever reason, the
/// text is compiled once more without them: messages are then about the text, and the headers that it includes.
template <typename Run>
bool compileQuickly(const Source &source, const CompileOptions &options, Compiled &result, unsigned &line, Run run) {
  if (source.text)
    if (const std::optional<Precompiled> headers = precompiledHeaders(options)) {
      Compiled quick = result;
      if (compileOnce(source, options, &*headers, quick, line, run)) {
        result = std::move(quick);
        return true;
      }
    }
  return compileOnce(source, options, nullptr, result, line, run);
}

/// Compiles to a module that is not optimized yet; null after an error, which was shown.
std::unique_ptr<llvm::Module> compileModule(const Source &source, const CompileOptions &options,
                                            llvm::LLVMContext &context, Compiled &result, unsigned &line) {
  std::unique_ptr<llvm::Module> module;
  compileQuickly(source, options, result, line, [&](clang::CompilerInstance &compiler, std::set<std::string> &absent) {
    compiler.getCodeGenOpts().DisableLLVMPasses = true;
    Recording<clang::EmitLLVMOnlyAction> action(context, absent);
    const bool isFine = compiler.ExecuteAction(action);
    module = isFine ? action.takeModule() : nullptr;
    return isFine;
  });
  return module;
}

/// Compiles to bytes of that kind.
bool emit(clang::CompilerInstance &compiler, OutputKind kind, llvm::LLVMContext &context, std::set<std::string> &absent,
          std::string &bytes) {
  // To memory: Clang's own file streams end the process when the disk is full.
  llvm::SmallVector<char, 0> written;
  compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(written));
  const auto execute = [&](auto &&action) { return compiler.ExecuteAction(action); };
  const bool isFine = kind == OutputKind::LlvmText ? execute(Recording<clang::EmitLLVMAction>(context, absent))
                                                   : execute(Recording<clang::EmitObjAction>(context, absent));
  bytes.assign(written.begin(), written.end());
  return isFine;
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
  std::string bytes;
  const auto run = [&](clang::CompilerInstance &compiler, std::set<std::string> &absent) {
    if (source.text && options.optimize && options.onlyCalls)
      compiler.getCodeGenOpts().OptimizeSize = 1; // behind the options, for which there are precompiled headers
    if (!modules.empty())
      attachFirst(compiler.getCodeGenOpts().PassBuilderCallbacks, modules);
    return emit(compiler, kind, context, absent, bytes);
  };
  // Versions are taken by the first attempt.
  const bool isFine = modules.empty() ? compileQuickly(source, options, result, error.line, run)
                                      : compileOnce(source, options, nullptr, result, error.line, run);
  if (!isFine)
    return std::nullopt;
  result.bytes = std::move(bytes);
  return result;
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

} // namespace hetc::backend
