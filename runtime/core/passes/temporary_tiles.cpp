#include "runtime/core/passes/temporary_tiles.hpp"

#include <atomic>

namespace tla::runtime {

std::uint64_t ForeignCopies::bytesOf(const TileRef &tile) {
  // Behind the memory of a tile with halves stands the number of its users, see TileBuffers::allocateShared().
  return tile.matrix->tileBytes(tile.row, tile.column) +
         (tile.matrix->regions() ? sizeof(std::atomic<std::int64_t>) : 0);
}

void ForeignCopies::use(const TileRef &tile, int half, bool fresh, bool rewritten) {
  Stretch &stretch = current_.at(tile, half);
  const bool first = stretch.bytes == 0;
  if (!first && !fresh) // one that is rewritten stays until the new content takes its place
    stretch.end = time_;
  if (!first && !fresh && !rewritten)
    return;
  if (!first)
    past_.emplace_back(TileMap<Stretch>::keyOf(tile, half), stretch);
  stretch = {tile.matrix->regions(), bytesOf(tile), time_, time_};
}

/// The halves of a tile share its memory, which stays from the first use of either until both have been used and
/// neither content is needed any more (GeneratorImpl::releaseHalves).
void ForeignCopies::joinHalves(const std::vector<Half> &halves, Changes &changes) {
  using Map = TileMap<Stretch>;
  struct Step {
    std::uint64_t tile, time, bytes;
    bool ends;
    int half;
    bool operator<(const Step &other) const {
      return tile != other.tile ? tile < other.tile : time != other.time ? time < other.time : ends < other.ends;
    }
  };
  std::vector<Step> steps;
  for (const auto &[key, stretch] : halves) {
    steps.push_back({Map::tileOf(key), stretch.begin, stretch.bytes, false, Map::halfOf(key)});
    steps.push_back({Map::tileOf(key), stretch.end, stretch.bytes, true, Map::halfOf(key)});
  }
  std::sort(steps.begin(), steps.end());
  bool released[2] = {}, live = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    released[step.half] = step.ends;
    if (!live && !step.ends) {
      live = true;
      changes.opened[step.time] += step.bytes;
    }
    const bool gone = released[0] && released[1];
    if (live && gone)
      changes.closed[step.time] += step.bytes;
    if (gone || i + 1 == steps.size() || steps[i + 1].tile != step.tile)
      live = released[0] = released[1] = false;
  }
}

std::uint64_t ForeignCopies::peak(int window) {
  current_.forEach([this](std::uint64_t key, const Stretch &stretch) { past_.emplace_back(key, stretch); });
  if (past_.empty())
    return 0;
  changes_.opened.assign(time_, 0);
  changes_.closed.assign(time_, 0);
  std::vector<Half> halves;
  for (const Half &half : past_)
    if (const Stretch &stretch = half.second; stretch.halves)
      halves.push_back(half);
    else {
      changes_.opened[stretch.begin] += stretch.bytes;
      changes_.closed[stretch.end] += stretch.bytes;
    }
  joinHalves(halves, changes_);
  const std::uint64_t used = static_cast<std::uint64_t>(window) * largestInstance_;
  std::uint64_t peak = 0, open = 0, closed = 0;
  for (std::uint64_t time = 0; time < time_; ++time) {
    open += changes_.opened[time];
    peak = std::max(peak, open + std::min(closed, used));
    open -= changes_.closed[time]; // released behind the instance
    closed += changes_.closed[time];
  }
  return peak;
}

void ForeignCopies::clear() {
  time_ = largestInstance_ = 0;
  current_.clear();
  past_.clear();
}

} // namespace tla::runtime
