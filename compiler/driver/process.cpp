#include "compiler/driver/process.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace hetc::driver {

namespace {

bool hadOwnError = false;

/// Runs in a signal handler, after LLVM has removed the temporary files.
void exitInterrupted() {
  constexpr char message[] = "hetc: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
  ::_exit(130);
}

/// Allocates nothing. The temporary files are removed, as at an interrupt.
void exitWithoutMemory() {
  constexpr char message[] = "hetc: out of memory; raise the limit (ulimit -v), or use a machine with more\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
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

void startProcess() {
  occupyClosedDescriptors();
  llvm::sys::SetInterruptFunction(exitInterrupted);
  // LLVM and Clang are compiled without exceptions: what std::bad_alloc goes through them ends in abort().
  std::set_new_handler(exitWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { exitWithoutMemory(); });
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

} // namespace hetc::driver
