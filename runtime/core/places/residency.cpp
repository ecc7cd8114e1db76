#include "runtime/core/places/residency.hpp"

#include <algorithm>
#include <cassert>

namespace tla::runtime {

void Residency::add(const Tile &tile, std::size_t bytes, StreamTime nextUse) {
  assert(fits(bytes) && !holds(tile) && "the caller has made room");
  tiles_.emplace(tile, Entry{bytes, nextUse});
  order_.emplace(nextUse, tile);
  used_ += bytes;
  peak_ = std::max(peak_, used_);
}

void Residency::remove(const Tile &tile) {
  const auto entry = tiles_.find(tile);
  order_.erase({entry->second.nextUse, tile});
  used_ -= entry->second.bytes;
  tiles_.erase(entry);
}

void Residency::expect(const Tile &tile, StreamTime nextUse) {
  const auto entry = tiles_.find(tile);
  auto node = order_.extract({entry->second.nextUse, tile});
  node.value().first = entry->second.nextUse = nextUse;
  order_.insert(std::move(node));
}

} // namespace tla::runtime
