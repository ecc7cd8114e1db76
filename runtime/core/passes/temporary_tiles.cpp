#include "runtime/core/passes/temporary_tiles.hpp"

#include <atomic>

namespace tla::runtime {

std::uint64_t TemporaryTiles::bytesOf(const TileRef &tile) {
  // Behind the memory of a tile with halves stands the number of its users, see TileBuffers::allocateShared().
  return tile.matrix->tileBytes(tile.row, tile.column) +
         (tile.matrix->regions() ? sizeof(std::atomic<std::int64_t>) : 0);
}

bool TemporaryTiles::use(const TileRef &tile, int half, const Use &use) {
  Stretch &stretch = current_.at(tile, half);
  const bool first = stretch.bytes == 0, ends = use.fresh || stretch.over;
  if (!first && !ends) // one that is rewritten stays until the new content takes its place
    stretch.end = time_;
  if (!first && !ends && !use.rewritten)
    return false;
  if (!first)
    past_.emplace_back(TileMap<Stretch>::keyOf(tile, half), stretch);
  stretch = {tile.matrix->regions(), use.foreign, false, bytesOf(tile), time_, time_};
  return first || ends;
}

void TemporaryTiles::release(const TileRef &tile, int half) {
  Stretch &stretch = current_.at(tile, half);
  if (!stretch.bytes || stretch.over)
    return;
  stretch.over = true;
  stretch.released = time_ - 1; // time_ > 0: an instance has used it
}

/// The halves of a tile share its memory, which stays from the first use of either until neither content is needed any
/// more (Versions::releaseHalves).
void TemporaryTiles::joinHalves(const std::vector<Half> &halves, Changes &changes) {
  using Map = TileMap<Stretch>;
  struct Step {
    std::uint64_t tile, time;
    const Stretch *stretch;
    bool ends;
    int half;
    bool operator<(const Step &other) const {
      return tile != other.tile ? tile < other.tile : time != other.time ? time < other.time : ends < other.ends;
    }
  };
  std::vector<Step> steps;
  for (const auto &[key, stretch] : halves) {
    steps.push_back({Map::tileOf(key), stretch.begin, &stretch, false, Map::halfOf(key)});
    steps.push_back({Map::tileOf(key), stretch.end, &stretch, true, Map::halfOf(key)});
  }
  std::sort(steps.begin(), steps.end());
  int used[2] = {}; // contents of each half: two, where one replaces the other
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    const bool wasLive = used[0] || used[1];
    used[step.half] += step.ends ? -1 : 1;
    const bool isLive = used[0] || used[1];
    if (!wasLive && isLive)
      changes.add(changes.opened, step.time, *step.stretch);
    if (wasLive && !isLive)
      changes.add(changes.closed, step.time, *step.stretch);
  }
}

TemporaryTiles::Peaks TemporaryTiles::peaks(int window, bool released) {
  const auto stays = past_.size();
  current_.forEach([this](std::uint64_t key, const Stretch &stretch) {
    if (stretch.bytes)
      past_.emplace_back(key, stretch);
  });
  for (std::size_t i = 0; i < past_.size() && !released; ++i)
    if (Stretch &stretch = past_[i].second; stretch.over || i >= stays)
      stretch.end = stretch.over ? stretch.released : time_ - 1;
  Peaks most;
  if (past_.empty())
    return most;
  changes_.opened.clear();
  changes_.closed.clear();
  std::vector<Half> halves;
  for (const Half &half : past_)
    if (const Stretch &stretch = half.second; stretch.halves) {
      halves.push_back(half);
    } else {
      changes_.add(changes_.opened, stretch.begin, stretch);
      changes_.add(changes_.closed, stretch.end, stretch);
    }
  joinHalves(halves, changes_);
  for (std::vector<Change> *const changes : {&changes_.opened, &changes_.closed})
    std::sort(changes->begin(), changes->end(), [](const Change &a, const Change &b) { return a.time < b.time; });
  Bytes open, closed;
  auto end = changes_.closed.begin();
  for (const Change &begin : changes_.opened) { // all that opens closes at that time or later
    const auto behind = std::find_if(end, changes_.closed.end(), [&](const Change &c) { return c.time >= begin.time; });
    for (const auto bytes : {&Bytes::foreign, &Bytes::all}) {
      for (auto change = end; change != behind; ++change) {
        open.*bytes -= change->bytes.*bytes;
        closed.*bytes += change->bytes.*bytes;
      }
      open.*bytes += begin.bytes.*bytes;
      most.open.*bytes = std::max(most.open.*bytes, open.*bytes);
      const std::uint64_t used = static_cast<std::uint64_t>(window) * (largest_.*bytes);
      most.held.*bytes = std::max(most.held.*bytes, open.*bytes + std::min(closed.*bytes, used));
    }
    end = behind;
  }
  return most;
}

void TemporaryTiles::clear() {
  time_ = 0;
  largest_ = {};
  current_.clear();
  past_.clear();
}

} // namespace tla::runtime
