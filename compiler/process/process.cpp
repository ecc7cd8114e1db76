#include "compiler/process/process.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace hetc::process {

namespace {

bool hadOwnError = false;
volatile std::sig_atomic_t isSilent = 0; // read by a signal handler

/// Runs in a signal handler, after LLVM has removed the temporary files.
void exitInterrupted() {
  constexpr char message[] = "hetc: interrupted\n";
  if (!isSilent) [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
  ::_exit(130);
}

/// The temporary files are removed, as at an interrupt. LLVM may want memory for that, and then calls this function
/// again.
void exitWithoutMemory() {
  static std::atomic_flag called;
  if (called.test_and_set())
    ::_exit(4);
  constexpr char message[] = "hetc: out of memory; raise the limit (ulimit -v), or use a machine with more\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
  llvm::sys::SetInterruptFunction(nullptr);
  llvm::sys::RunInterruptHandlers();
  ::_exit(4);
}

/// Writes without a stream: LLVM's own may be what has failed.
void exitByFatalError(void *, const char *reason, bool) {
  for (const char *part : {"hetc: hetc's own error, please report: ", reason, "\n"})
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part, std::strlen(part));
  llvm::sys::SetInterruptFunction(nullptr);
  llvm::sys::RunInterruptHandlers();
  ::_exit(4);
}

/// Opened the wrong way round, so that using a closed stream still fails.
void occupyClosedDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace

/// LLVM and Clang are compiled without exceptions: what std::bad_alloc goes through them ends in abort().
void installFailureHandlers() {
  std::set_new_handler(exitWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { exitWithoutMemory(); });
  llvm::install_fatal_error_handler(exitByFatalError);
}

void interruptSilently() { isSilent = 1; }

void startProcess() {
  occupyClosedDescriptors();
  llvm::sys::SetInterruptFunction(exitInterrupted);
  // A file larger than the process may write (ulimit -f) is an error of its write, with a message, like a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
}

void reportOwnError(const std::string &what) {
  hadOwnError = true;
  llvm::errs() << "hetc: hetc's own error, please report: " << what << "\n";
}

int finishProcess(int code) {
  if (hadOwnError && code == 2)
    code = 4;
  errno = 0;
  std::cout.flush();
  if (!std::cout) {
    llvm::errs() << "hetc: cannot write to standard output" << (errno ? ": " : "")
                 << (errno ? std::strerror(errno) : "") << "\n";
    code = 2;
  }
  llvm::errs().clear_error(); // else LLVM ends the process with a code of its own
  return code;
}

} // namespace hetc::process
