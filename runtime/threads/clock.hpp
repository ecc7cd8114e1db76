// Time at the price of a few nanoseconds: one reading per task boundary.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tla::runtime {

using Ticks = std::uint64_t;

/// The processor's time stamp counter where it runs at a constant rate on all cores, else std::chrono::steady_clock.
class Clock {
public:
  static Ticks now() {
#if defined(__x86_64__)
    if (counterIsInvariant)
      return __rdtsc();
#endif
    return static_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  /// Measured against steady_clock from the first call of this function to now: better the later.
  static double secondsPerTick();
  static Ticks ticks(double seconds) { return static_cast<Ticks>(seconds / secondsPerTick()); }

private:
  static const bool counterIsInvariant;
};

} // namespace tla::runtime
