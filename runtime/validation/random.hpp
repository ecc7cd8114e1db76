// Numbers for the problems on which transformed programs are tried.
#pragma once

#include <cstdint>

namespace tla::runtime::validation {

/// Pseudo-random numbers, the same everywhere (Vigna's splitmix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// low .. high, both included.
  long between(long low, long high) {
    return low + static_cast<long>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// A number in [-1/2, 1/2).
  double number() { return static_cast<double>(next() >> 11) * 0x1p-53 - 0.5; }

private:
  std::uint64_t state_;
};

} // namespace tla::runtime::validation
