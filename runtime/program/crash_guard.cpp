#include "runtime/program/crash_guard.hpp"

#include "dsl/base/debugging.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/interfaces/running_kernel.hpp"
#include "runtime/program/crash_place.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace tla::host {
namespace {

struct Fault {
  int signal;
  const char *text;
};
constexpr Fault faults[] = {{SIGSEGV, "segmentation fault"},
                            {SIGBUS, "bus error"},
                            {SIGFPE, "arithmetic error, such as an integer division by zero"},
                            {SIGILL, "illegal instruction"},
                            {SIGABRT, "abort, as by a failed assertion"}};

// Written before the handlers are installed: a handler may call next to nothing.
char messages[std::size(faults)][256];
bool debugging;
alignas(16) char handlerStack[64 << 10];

/// Set by the first thread that crashes, which alone speaks; the process ends under the others.
std::atomic<bool> crashed{false};

void write(const char *text) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text)); }

/// With SIG_DFL the signal ends the process: at once, or when the handler returns.
void endBySignal(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void report(int signal, const char *kernel, const void *context) {
  for (std::size_t f = 0; f < std::size(faults); ++f)
    if (faults[f].signal == signal)
      write(messages[f]);
  write(*kernel ? kernel : "a kernel or in the program's loops");
  if (!debugging && *kernel) // on the same line: a run ends with one
    write("; --debug or HETC_DEBUG=1 finds where such a mistake is made");
  write("\n");
  if (debugging)
    writeCrashPlace(context);
}

void takeSignal(int signal, siginfo_t *, void *context) {
  if (crashed.exchange(true))
    for (;;)
      ::pause(); // the other thread ends the process
  char kernel[512];
  runtime::describeRunningKernel(kernel, sizeof kernel);
  // An abort elsewhere is said by whoever called it.
  if (signal != SIGABRT || *kernel)
    report(signal, kernel, context);
  if (signal == SIGABRT || debugging)
    return endBySignal(signal);
  ::_exit(RuntimeFault);
}
} // namespace

CrashGuard::CrashGuard(const char *program) {
  static_assert(std::size(faults) == count);
  const stack_t stack{handlerStack, 0, sizeof handlerStack};
  if (!sanitized)
    ::sigaltstack(&stack, &stackBefore_);
  debugging = isDebugging();
  if (debugging)
    prepareCrashPlace();
  struct sigaction action {};
  action.sa_sigaction = takeSignal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (int f = 0; f < count; ++f) {
    std::snprintf(messages[f], sizeof messages[f], "hetc: %.100s: signal %d (%s) in ", program, faults[f].signal,
                  faults[f].text);
    ::sigaction(faults[f].signal, nullptr, &before_[f]);
    taken_[f] = !sanitized && !(before_[f].sa_flags & SA_SIGINFO) && before_[f].sa_handler == SIG_DFL;
    if (taken_[f])
      ::sigaction(faults[f].signal, &action, nullptr);
  }
  action = {};
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &action, &sizeBefore_);
}

CrashGuard::~CrashGuard() {
  for (int f = 0; f < count; ++f)
    if (taken_[f])
      ::sigaction(faults[f].signal, &before_[f], nullptr);
  ::sigaction(SIGXFSZ, &sizeBefore_, nullptr);
  if (!sanitized)
    ::sigaltstack(&stackBefore_, nullptr);
}

} // namespace tla::host
