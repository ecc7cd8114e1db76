#include "runtime/core/foreign_copies.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace tla::runtime {

static constexpr std::uint64_t endOfRun = std::numeric_limits<std::uint64_t>::max();

std::uint64_t ForeignCopies::bytesOf(const TileTable &table, int row, int column) {
  // Behind the memory of a tile with halves stands the number of its users, see TileBuffers::allocateShared().
  return table.tileBytes(row, column) + (table.regions() ? sizeof(std::atomic<std::int64_t>) : 0);
}

void ForeignCopies::use(const TileTable &table, int row, int column, std::uint64_t tile, int half, int node,
                        std::uint64_t time, bool fresh, bool rewritten) {
  const std::uint64_t key = 2 * (tile * nodes_ + static_cast<std::uint64_t>(node)) + static_cast<std::uint64_t>(half);
  const auto [entry, first] = current_.try_emplace(key, stretches_.size());
  if (!first && !fresh && !rewritten) {
    stretches_[entry->second].end = time;
    return;
  }
  if (!first && !fresh) // not released: the memory stays until the new content takes its place
    stretches_[entry->second].end = time;
  entry->second = stretches_.size();
  stretches_.push_back({key, bytesOf(table, row, column), time, time, table.regions()});
}

void ForeignCopies::addEvents(std::uint64_t node, std::uint64_t bytes, std::uint64_t begin, std::uint64_t end) {
  events_.push_back({static_cast<std::uint32_t>(node), false, begin, bytes});
  events_.push_back({static_cast<std::uint32_t>(node), true, end, bytes});
}

/// The halves of a tile share its memory, which stays from the first use of either until both have been used and
/// neither content is needed any more (GeneratorImpl::releaseHalves).
void ForeignCopies::joinHalves(std::vector<Stretch> &halves) {
  struct Change {
    std::uint64_t tile, time, bytes; ///< tile and node
    bool ends;
    int half;
    bool operator<(const Change &other) const {
      return tile != other.tile ? tile < other.tile : time != other.time ? time < other.time : ends < other.ends;
    }
  };
  std::vector<Change> changes;
  for (const Stretch &stretch : halves) {
    const int half = static_cast<int>(stretch.key % 2);
    changes.push_back({stretch.key / 2, stretch.begin, stretch.bytes, false, half});
    changes.push_back({stretch.key / 2, stretch.end, stretch.bytes, true, half});
  }
  std::sort(changes.begin(), changes.end());
  bool released[2] = {}, live = false;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change &change = changes[i];
    released[change.half] = change.ends;
    if (!live && !change.ends) {
      live = true;
      begin = change.time;
    }
    const bool last = i + 1 == changes.size() || changes[i + 1].tile != change.tile;
    if (live && ((released[0] && released[1]) || last)) {
      addEvents(change.tile % nodes_, change.bytes, begin, released[0] && released[1] ? change.time : endOfRun);
      live = released[0] = released[1] = false;
    }
  }
}

std::vector<std::uint64_t> ForeignCopies::peaks(int window) {
  current_.clear();
  std::vector<Stretch> halves;
  for (const Stretch &stretch : stretches_)
    if (stretch.regions)
      halves.push_back(stretch);
    else
      addEvents(stretch.key / 2 % nodes_, stretch.bytes, stretch.begin, stretch.end);
  stretches_.clear();
  joinHalves(halves);
  std::sort(events_.begin(), events_.end());

  std::vector<std::uint64_t> peaks(nodes_);
  std::uint64_t open = 0, closed = 0;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event &event = events_[i];
    if (i == 0 || event.node != events_[i - 1].node)
      open = closed = 0;
    if (event.closes) {
      open -= event.bytes;
      closed += event.bytes;
      continue;
    }
    open += event.bytes;
    const std::uint64_t used = static_cast<std::uint64_t>(window) * largestInstance_[event.node];
    peaks[event.node] = std::max(peaks[event.node], open + std::min(closed, used));
  }
  events_.clear();
  return peaks;
}

} // namespace tla::runtime
