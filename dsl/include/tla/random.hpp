// Random numbers as a pure function of their position, for generators of matrices: any block of a matrix can be made
// again, in any order and on any node.
#pragma once

#include <tla/types.hpp>

namespace tla {

/// 64 bits: std::uint64_t, without a header that every program would parse.
using RandomBits = __UINT64_TYPE__;

/// The finalizer of SplitMix64 [Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014].
constexpr RandomBits mixBits(RandomBits x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
constexpr RandomBits goldenGamma = 0x9E3779B97F4A7C15u;

/// Number `index` of a stream: SplitMix64 with random access.
constexpr RandomBits randomBits(RandomBits key, RandomBits index) { return mixBits(key + (index + 1) * goldenGamma); }
/// Uniform in [-1/2, 1/2].
constexpr double uniformHalf(RandomBits bits) { return static_cast<double>(static_cast<long>(bits)) * 0x1p-64; }

/// The element (i, j), 0-based, of the matrix that the generator `random` makes of the same seed: uniform in
/// [-1/2, 1/2], both parts of a complex number.
template <typename T> T randomElement(RandomBits seed, long i, long j) {
  const RandomBits column = randomBits(seed, static_cast<RandomBits>(j)), row = static_cast<RandomBits>(i);
  if constexpr (isComplex<T>) {
    using Real = RealType<T>;
    return {static_cast<Real>(uniformHalf(randomBits(column, 2 * row))),
            static_cast<Real>(uniformHalf(randomBits(column, 2 * row + 1)))};
  } else {
    return static_cast<T>(uniformHalf(randomBits(column, row)));
  }
}

} // namespace tla
