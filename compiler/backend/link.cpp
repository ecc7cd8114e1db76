#include "compiler/backend/link.hpp"

#include "compiler/backend/clang_job.hpp"
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "compiler/support/temporary_file.hpp"

#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/Signals.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>

namespace hetc::backend {

namespace {

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

} // namespace hetc::backend
