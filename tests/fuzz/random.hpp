// Choices that depend on a seed alone, the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace fuzz {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 .. bound - 1; bound >= 1.
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
  int between(int low, int high) { return low + static_cast<int>(below(static_cast<unsigned>(high - low + 1))); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename Container> const auto &pick(const Container &from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }
  template <typename T> T one(std::initializer_list<T> of) {
    return of.begin()[below(static_cast<unsigned>(of.size()))];
  }
  std::uint64_t seed() { return engine_(); }

private:
  std::mt19937_64 engine_;
};

} // namespace fuzz
