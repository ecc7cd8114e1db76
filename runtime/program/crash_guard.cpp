#include "runtime/program/crash_guard.hpp"

#include "runtime/host/ranks/exit_code.hpp"

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
                            {SIGILL, "illegal instruction"}};

// Written before the handlers are installed: a handler may call next to nothing.
char messages[std::size(faults)][256];
alignas(16) char handlerStack[64 << 10];

void endProcess(int signal) {
  for (std::size_t f = 0; f < std::size(faults); ++f)
    if (faults[f].signal == signal) [[maybe_unused]]
      const auto written = ::write(STDERR_FILENO, messages[f], std::strlen(messages[f]));
  ::_exit(RuntimeFault);
}
} // namespace

CrashGuard::CrashGuard(const char *program) {
  static_assert(std::size(faults) == count);
  const stack_t stack{handlerStack, 0, sizeof handlerStack};
  if (!sanitized)
    ::sigaltstack(&stack, &stackBefore_);
  struct sigaction action {};
  action.sa_handler = endProcess;
  action.sa_flags = SA_ONSTACK;
  for (int f = 0; f < count; ++f) {
    std::snprintf(messages[f], sizeof messages[f],
                  "hetc: %.100s: signal %d (%s) in a kernel or in the program's loops\n", program, faults[f].signal,
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
