// Sleeping on a 32-bit word. std::atomic::wait would do, but the library's version may yield in a loop before it
// sleeps; what we want is one system call.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tla::runtime {

/// Sleeps while `word` holds `expected`; may return early.
inline void futexWait(std::atomic<std::uint32_t> &word, std::uint32_t expected) {
#if defined(__linux__)
  syscall(SYS_futex, reinterpret_cast<std::uint32_t *>(&word), FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
#else
  word.wait(expected);
#endif
}

/// Waits as futexWait() does, but no longer than that.
inline void futexWaitFor(std::atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t nanoseconds) {
  const std::timespec time{static_cast<std::time_t>(nanoseconds / 1'000'000'000),
                           static_cast<long>(nanoseconds % 1'000'000'000)};
#if defined(__linux__)
  syscall(SYS_futex, reinterpret_cast<std::uint32_t *>(&word), FUTEX_WAIT_PRIVATE, expected, &time, nullptr, 0);
#else
  if (word.load() == expected)
    nanosleep(&time, nullptr);
#endif
}

/// Wakes one thread that sleeps on `word`.
inline void futexWakeOne(std::atomic<std::uint32_t> &word) {
#if defined(__linux__)
  syscall(SYS_futex, reinterpret_cast<std::uint32_t *>(&word), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
#else
  word.notify_one();
#endif
}

/// Tells the core that we spin, so that its other hardware thread and its power budget do better.
inline void spinHint() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace tla::runtime
