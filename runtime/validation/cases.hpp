// The problems on which a transformed program is tried.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <cstdint>
#include <string>
#include <vector>

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
  /// In [-1/2, 1/2).
  double number() { return static_cast<double>(next() >> 11) * 0x1p-53 - 0.5; }

private:
  std::uint64_t state_;
};

struct Case {
  Values values; ///< `scalars` points to those below
  std::vector<ScalarValue> scalars;
  int nb = 1;
  Cut cut;
  std::uint64_t seed = 0; ///< of the matrices

  Case() = default;
  Case(const Case &) = delete;
  Case &operator=(const Case &) = delete;
};

/// Number `number` of a sequence that begins with no elements at all, single ones and whole tiles, and goes on with
/// sizes of up to four tiles at random.
void makeCase(Case &result, const Algorithm &algorithm, int number);

/// "m = 5, n = 3, nb = 4 in slices of 1, 3, uplo = Lower, alpha = 0.25"
std::string describe(const Case &each, const Algorithm &algorithm);

} // namespace tla::runtime::validation
