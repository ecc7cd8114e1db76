#include "runtime/core/foreign_copies.hpp"

#include <atomic>

namespace tla::runtime {

std::uint64_t ForeignCopies::bytesOf(const TileTable &table, int row, int column) {
  // Behind the memory of a tile with halves stands the number of its users, see TileBuffers::allocateShared().
  return table.tileBytes(row, column) + (table.regions() ? sizeof(std::atomic<std::int64_t>) : 0);
}

void ForeignCopies::use(const TileTable &table, int row, int column, int half, bool fresh, bool rewritten) {
  Stretch &stretch = current_.at(table, row, column, half);
  const bool first = stretch.bytes == 0;
  if (!first && !fresh) // one that is rewritten stays until the new content takes its place
    stretch.end = time_;
  if (!first && !fresh && !rewritten)
    return;
  if (!first)
    close(stretch);
  stretch = {bytesOf(table, row, column), time_, time_};
  if (!table.regions()) {
    opened_.push_back({time_, stretch.bytes});
    return;
  }
  constexpr int tileBits = 40;
  stretch.tile = (static_cast<std::uint64_t>(table.number()) + 1) << tileBits |
                 (row + static_cast<std::uint64_t>(column) * table.storage().mt());
  stretch.upper = half == 1;
}

void ForeignCopies::close(const Stretch &stretch) {
  if (stretch.tile)
    halves_.push_back(stretch);
  else
    closed_.push_back({stretch.end, stretch.bytes});
}

/// The halves of a tile share its memory, which stays from the first use of either until both have been used and
/// neither content is needed any more (GeneratorImpl::releaseHalves).
void ForeignCopies::joinHalves() {
  struct Change {
    std::uint64_t tile, time, bytes;
    bool ends, upper;
    bool operator<(const Change &other) const {
      return tile != other.tile ? tile < other.tile : time != other.time ? time < other.time : ends < other.ends;
    }
  };
  std::vector<Change> changes;
  for (const Stretch &stretch : halves_) {
    changes.push_back({stretch.tile, stretch.begin, stretch.bytes, false, stretch.upper});
    changes.push_back({stretch.tile, stretch.end, stretch.bytes, true, stretch.upper});
  }
  std::sort(changes.begin(), changes.end());
  bool released[2] = {}, live = false;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change &change = changes[i];
    released[change.upper] = change.ends;
    if (!live && !change.ends) {
      live = true;
      opened_.push_back({change.time, change.bytes});
    }
    const bool gone = released[0] && released[1];
    if (live && gone)
      closed_.push_back({change.time, change.bytes});
    if (gone || i + 1 == changes.size() || changes[i + 1].tile != change.tile)
      live = released[0] = released[1] = false;
  }
}

std::uint64_t ForeignCopies::peak(int window) {
  current_.forEach([this](const Stretch &stretch) { close(stretch); });
  joinHalves();
  if (opened_.empty())
    return 0;
  std::vector<std::uint64_t> opening(time_), closing(time_);
  for (const Event &event : opened_)
    opening[event.time] += event.bytes;
  for (const Event &event : closed_)
    closing[event.time] += event.bytes;
  const std::uint64_t used = static_cast<std::uint64_t>(window) * largestInstance_;
  std::uint64_t peak = 0, open = 0, closed = 0;
  for (std::uint64_t time = 0; time < time_; ++time) {
    open += opening[time];
    peak = std::max(peak, open + std::min(closed, used));
    open -= closing[time]; // released behind the instance
    closed += closing[time];
  }
  return peak;
}

} // namespace tla::runtime
