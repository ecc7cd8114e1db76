#include "compiler/codegen/backend.hpp"

#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/LLVMContext.h>
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
  if (options.native)
    arguments.push_back("-march=native");
  for (const std::string &directory : support::headerDirs())
    arguments.push_back("-I" + directory);
  arguments.insert(arguments.end(), options.compilerArguments.begin(), options.compilerArguments.end());
  arguments.push_back(name);
  return arguments;
}

std::vector<const char *> pointers(const std::vector<std::string> &strings) {
  std::vector<const char *> result;
  for (const std::string &string : strings)
    result.push_back(string.c_str());
  return result;
}

/// `text` may be null: then `name` is a file.
bool compile(const std::string *text, const std::string &name, OutputKind kind, const std::string &output,
             const CompileOptions &options) {
  initializeTarget();
  clang::CompilerInstance compiler;
  compiler.createDiagnostics();
  const std::vector<std::string> arguments = compileArguments(name, options, /*warnings=*/!text);
  clang::CreateInvocationOptions creation;
  creation.Diags = &compiler.getDiagnostics();
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers(arguments), creation);
  if (!invocation)
    return false;
  if (text)
    invocation->getPreprocessorOpts().addRemappedFile(name,
                                                      llvm::MemoryBuffer::getMemBufferCopy(*text, name).release());
  invocation->getFrontendOpts().OutputFile = output;
  invocation->getFrontendOpts().DisableFree = false;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics();
  llvm::LLVMContext context;
  if (kind == OutputKind::LlvmText) {
    clang::EmitLLVMAction action(&context);
    return compiler.ExecuteAction(action);
  }
  clang::EmitObjAction action(&context);
  return compiler.ExecuteAction(action);
}

} // namespace

bool compileText(const std::string &text, const std::string &name, OutputKind kind, const std::string &output,
                 const CompileOptions &options) {
  return compile(&text, name, kind, output, options);
}

bool compileFile(const std::string &file, const std::string &output, const CompileOptions &options) {
  return compile(nullptr, file, OutputKind::Object, output, options);
}

bool link(const std::vector<std::string> &objects, LinkKind kind, const std::string &output,
          const std::vector<std::string> &linkerArguments) {
  std::vector<std::string> arguments = {support::clangPath(), "-o", output};
  if (kind == LinkKind::SharedLibrary)
    arguments.push_back("-shared");
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  for (const char *flag : config::linkFlags)
    arguments.push_back(flag);
  const std::string &libraries = support::libraryDir();
  arguments.insert(arguments.end(), {"-L" + libraries, "-Wl,-rpath," + libraries, "-ltla"});
  arguments.insert(arguments.end(), linkerArguments.begin(), linkerArguments.end());

  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, diagnosticOptions,
                                       new clang::TextDiagnosticPrinter(llvm::errs(), diagnosticOptions.get()));
  clang::driver::Driver driver(support::clangPath(), llvm::sys::getDefaultTargetTriple(), diagnostics);
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(pointers(arguments)));
  if (!compilation || diagnostics.hasErrorOccurred())
    return false;
  llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 1> failing;
  return driver.ExecuteCompilation(*compilation, failing) == 0 && failing.empty();
}

} // namespace hetc::codegen
