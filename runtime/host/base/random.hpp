// Random numbers as a pure function of their position.
#pragma once

#include <cstdint>
#include <string_view>

namespace tla::host {

/// The finalizer of SplitMix64 [Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014].
constexpr std::uint64_t mixBits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
constexpr std::uint64_t goldenGamma = 0x9E3779B97F4A7C15u;

/// The stream of one matrix: its name (FNV-1a) and the run's seed.
constexpr std::uint64_t streamKey(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return mixBits(mixBits(seed + goldenGamma) ^ hash);
}
/// Number `index` of a stream: SplitMix64 with random access.
constexpr std::uint64_t randomBits(std::uint64_t key, std::uint64_t index) {
  return mixBits(key + (index + 1) * goldenGamma);
}
/// Uniform in [-1/2, 1/2].
constexpr double uniformHalf(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-64;
}

} // namespace tla::host
