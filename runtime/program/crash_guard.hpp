// Crashes in user kernels, said in a line or two.
#pragma once

#include <csignal>

namespace tla::host {

/// In sanitized builds crashes are the sanitizer's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// For as long as it lives: SIGSEGV, SIGBUS, SIGFPE and SIGILL write a line to standard error that names the kernel,
/// its statement and its tile, and end the process with exit code 4; of SIGABRT in a kernel the line is written, and
/// the signal then ends the process as it always does. Where kernels are debugged (HETC_DEBUG) the kernel's line in its
/// source follows, if addr2line is there, and any of these signals ends the process, which leaves a core file where the
/// system writes these.
///
/// A file that outgrows the limit on file sizes is a write error instead of a SIGXFSZ. Signals that somebody handles
/// already, such as a sanitizer, stay theirs. A stack that overflows is reported on the thread that made the guard; on
/// the others the system ends the process.
class CrashGuard {
public:
  explicit CrashGuard(const char *program);
  ~CrashGuard();
  CrashGuard(const CrashGuard &) = delete;
  CrashGuard &operator=(const CrashGuard &) = delete;

private:
  static constexpr int count = 5;
  struct sigaction before_[count];
  bool taken_[count] = {};
  struct sigaction sizeBefore_;
  stack_t stackBefore_;
};

} // namespace tla::host
