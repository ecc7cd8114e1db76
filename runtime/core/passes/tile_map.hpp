// A table of the tiles that somebody has met: its size grows with these, not with the matrices.
#pragma once

#include "runtime/core/window/tile_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// A hash table with linear probing, from halves of tiles to values. Matrices are told apart by their number.
template <typename Value> class TileMap {
public:
  /// The value of a half of the tile, at first Value(); valid until the next call.
  Value &at(const TileRef &tile, int half) {
    if (2 * (used_ + 1) > entries_.size())
      grow();
    Entry &entry = find(keyOf(tile, half));
    if (!entry.key) {
      entry.key = keyOf(tile, half);
      ++used_;
    }
    return entry.value;
  }
  /// Removes all entries, but keeps the memory.
  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry());
    used_ = 0;
  }
  /// visit(key, value), in no particular order.
  template <typename Visit> void forEach(Visit &&visit) const {
    for (const Entry &entry : entries_)
      if (entry.key)
        visit(entry.key, entry.value);
  }

  /// Keys tell halves apart, not 0.
  static std::uint64_t keyOf(const TileRef &tile, int half) {
    const TileTable &table = *tile.matrix;
    const std::uint64_t number = tile.row + static_cast<std::uint64_t>(tile.column) * table.storage().mt();
    return (static_cast<std::uint64_t>(table.number()) << 1 | half) << tileBits | (number + 1);
  }
  static int halfOf(std::uint64_t key) { return key >> tileBits & 1; }
  /// The key of the tile that a half belongs to: the same for both its halves.
  static std::uint64_t tileOf(std::uint64_t key) { return key & ~(std::uint64_t(1) << tileBits); }

private:
  struct Entry {
    std::uint64_t key = 0; ///< 0: free
    Value value{};
  };
  static constexpr int tileBits = 40;
  static constexpr std::size_t leastSize = 64;

  Entry &find(std::uint64_t key) {
    std::size_t place = key * 0x9e3779b97f4a7c15 >> shift_; // Knuth's multiplicative hashing
    while (entries_[place].key && entries_[place].key != key)
      place = (place + 1) & (entries_.size() - 1);
    return entries_[place];
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? leastSize : 2 * entries_.size());
    old.swap(entries_);
    shift_ = 64;
    for (std::size_t size = entries_.size(); size > 1; size /= 2)
      --shift_;
    for (const Entry &entry : old)
      if (entry.key)
        find(entry.key) = entry;
  }

  std::vector<Entry> entries_; // a power of two of them, at most half in use
  std::size_t used_ = 0;
  int shift_ = 64;
};

} // namespace tla::runtime
