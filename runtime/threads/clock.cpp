#include "runtime/threads/clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tla::runtime {

#if defined(__x86_64__)
// CPUID leaf 0x80000007, EDX bit 8: "invariant TSC", constant rate in every power state, in step over all cores.
static bool hasInvariantCounter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}
#else
static bool hasInvariantCounter() { return false; }
#endif

const bool Clock::counterIsInvariant = hasInvariantCounter();

namespace {
using Steady = std::chrono::steady_clock;
struct Reading {
  Ticks ticks = Clock::now();
  Steady::time_point time = Steady::now();
};
} // namespace

double Clock::secondsPerTick() {
  static const Reading first;
  constexpr auto baseline = std::chrono::microseconds(50); // against steady_clock's grain of tens of ns: below 0.2 %
  Reading last;
  while (last.time - first.time < baseline)
    last = Reading();
  return std::chrono::duration<double>(last.time - first.time).count() / static_cast<double>(last.ticks - first.ticks);
}

} // namespace tla::runtime
