// The random numbers of a run: see <tla/random.hpp>.
#pragma once

#include <tla/random.hpp>

#include <cstdint>
#include <string_view>

namespace tla::host {

/// The stream of one matrix: its name (FNV-1a) and the run's seed.
constexpr std::uint64_t streamKey(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return mixBits(mixBits(seed + goldenGamma) ^ hash);
}

} // namespace tla::host
