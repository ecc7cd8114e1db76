#include "compiler/ir/unroll.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace hetc::ir {

namespace {
constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
constexpr unsigned lowerHalf = 1, upperHalf = 2;

unsigned halves(Region region) {
  return region == Region::Lower ? lowerHalf : region == Region::Upper ? upperHalf : lowerHalf | upperHalf;
}
Region regionOf(unsigned halves) {
  return halves == lowerHalf ? Region::Lower : halves == upperHalf ? Region::Upper : Region::Full;
}

/// Who touched one half of a tile last.
struct History {
  std::size_t writer = nobody;
  std::vector<std::uint32_t> readers; ///< readers since the writer
};

/// Everything one task does to one tile, all its arguments together: masks of halves.
struct Touch {
  std::size_t tile; ///< index in the table of tiles
  TileRef ref;
  unsigned reads, writes;
};

struct Hash {
  std::size_t operator()(const TileRef &tile) const {
    std::size_t hash = static_cast<std::size_t>(tile.row) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ static_cast<std::size_t>(tile.column)) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ tile.matrix) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
  }
};

class Analysis {
public:
  std::vector<Dependence> run(const std::vector<TaskInstance> &instances) {
    for (std::size_t index = 0; index < instances.size(); ++index)
      addTask(index, instances[index]);
    return std::move(result_);
  }

private:
  void addTask(std::size_t task, const TaskInstance &instance) {
    collectTouches(instance);
    const std::size_t first = result_.size();
    for (const Touch &touch : touches_)
      addTouch(task, touch);
    std::sort(result_.begin() + static_cast<std::ptrdiff_t>(first), result_.end(),
              [](const Dependence &a, const Dependence &b) {
                return std::tie(a.from, a.tile, a.kind) < std::tie(b.from, b.tile, b.kind);
              });
  }

  void collectTouches(const TaskInstance &instance) {
    touches_.clear();
    for (const TaskInstance::Use &use : instance.uses) {
      TileRef whole = use.tile;
      whole.region = Region::Full;
      const auto [entry, added] = tiles_.try_emplace(whole, histories_.size() / 2);
      if (added)
        histories_.resize(histories_.size() + 2);
      const unsigned mask = halves(use.tile.region);
      touches_.push_back(
          {entry->second, whole, use.access == Access::Write ? 0 : mask, use.access == Access::Read ? 0 : mask});
    }
    mergeTouches();
  }

  void mergeTouches() {
    std::ranges::sort(touches_, {}, &Touch::tile);
    std::size_t kept = 0;
    for (const Touch &touch : touches_)
      if (kept && touches_[kept - 1].tile == touch.tile) {
        touches_[kept - 1].reads |= touch.reads;
        touches_[kept - 1].writes |= touch.writes;
      } else
        touches_[kept++] = touch;
    touches_.resize(kept);
  }

  void addTouch(std::size_t task, const Touch &touch) {
    const std::size_t first = result_.size();
    for (unsigned half : {lowerHalf, upperHalf})
      if ((touch.reads | touch.writes) & half)
        addHalf(task, touch, half);
    mergeHalves(first);
  }

  void addHalf(std::size_t task, const Touch &touch, unsigned half) {
    History &history = histories_[2 * touch.tile + (half == upperHalf)];
    const bool reads = touch.reads & half, writes = touch.writes & half;
    TileRef tile = touch.ref;
    tile.region = regionOf(half);
    if (history.writer != nobody && reads)
      result_.push_back({Dependence::Kind::Flow, history.writer, task, tile});
    else if (history.writer != nobody && history.readers.empty())
      result_.push_back({Dependence::Kind::Output, history.writer, task, tile});
    if (!writes) {
      history.readers.push_back(static_cast<std::uint32_t>(task));
      return;
    }
    for (std::uint32_t reader : history.readers)
      result_.push_back({Dependence::Kind::Anti, reader, task, tile});
    history.readers.clear();
    history.writer = task;
  }

  /// The same edge on both halves of the last tile becomes one edge on the full tile.
  void mergeHalves(std::size_t first) {
    const auto begin = result_.begin() + static_cast<std::ptrdiff_t>(first);
    if (result_.end() - begin < 2)
      return;
    std::sort(begin, result_.end());
    const auto sameEdge = [](const Dependence &a, const Dependence &b) { return a.kind == b.kind && a.from == b.from; };
    auto kept = begin;
    for (auto next = begin; next != result_.end(); ++next)
      if (kept != begin && sameEdge(*(kept - 1), *next))
        (kept - 1)->tile.region = Region::Full;
      else
        *kept++ = *next;
    result_.erase(kept, result_.end());
  }

  std::unordered_map<TileRef, std::size_t, Hash> tiles_; ///< keyed with Region::Full
  std::vector<History> histories_;                       ///< two per tile: lower, upper
  std::vector<Touch> touches_;                           ///< accesses of the current task, one for each tile
  std::vector<Dependence> result_;
};
} // namespace

std::vector<Dependence> dependences(const std::vector<TaskInstance> &instances) { return Analysis().run(instances); }

} // namespace hetc::ir
