// Which tiles are in one accelerator's memory, decided by the generating thread in program order.
#pragma once

#include "runtime/core/places/tile_uses.hpp"

#include <set>
#include <unordered_map>

namespace tla::runtime {

class Residency {
public:
  struct Tile {
    int matrix, row, column;
    bool operator==(const Tile &) const = default;
    auto operator<=>(const Tile &) const = default;
  };

  explicit Residency(std::size_t limit) : limit_(limit) {}

  bool holds(const Tile &tile) const { return tiles_.contains(tile); }
  bool fits(std::size_t bytes) const { return bytes <= limit_ - used_; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }

  /// The tile has memory here from now on; fits(bytes) must hold. `nextUse`: as for expect().
  void add(const Tile &tile, std::size_t bytes, StreamTime nextUse);
  void remove(const Tile &tile);
  /// The tile will be used here again at that time.
  void expect(const Tile &tile, StreamTime nextUse);
  /// The tile that will not be used for longest: evicting it costs fewest copies (Belady, IBM Systems Journal 5, 1966).
  const Tile &furthest() const { return order_.rbegin()->second; }

private:
  struct Hash {
    std::size_t operator()(const Tile &tile) const {
      return ((static_cast<std::size_t>(tile.matrix) << 24 ^ static_cast<std::size_t>(tile.row)) << 24 ^
              static_cast<std::size_t>(tile.column)) *
             0x9e3779b97f4a7c15u;
    }
  };
  struct Entry {
    std::size_t bytes;
    StreamTime nextUse;
  };
  const std::size_t limit_;
  std::size_t used_ = 0, peak_ = 0;
  std::unordered_map<Tile, Entry, Hash> tiles_;
  std::set<std::pair<StreamTime, Tile>> order_;
};

} // namespace tla::runtime
