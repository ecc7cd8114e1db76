#include "tools/gantt/critical_path.hpp"

#include <algorithm>

namespace hetc::gantt {
namespace {

class Path {
public:
  Path(const Timeline &timeline, const PieceIndex &index)
      : timeline_(timeline), index_(index), byEnd_(timeline.ranks.size()) {
    for (std::uint32_t piece = 0; piece < timeline.pieces.size(); ++piece)
      byEnd_[rankOf(piece)].push_back(piece);
    for (std::vector<std::uint32_t> &rank : byEnd_)
      std::ranges::stable_sort(rank, {}, [&](std::uint32_t piece) { return timeline.pieces[piece].end; });
  }

  std::vector<std::uint32_t> walk() const {
    std::uint32_t at = Piece::none;
    for (const std::vector<std::uint32_t> &rank : byEnd_)
      if (!rank.empty() && (at == Piece::none || timeline_.pieces[rank.back()].end > timeline_.pieces[at].end))
        at = rank.back();
    std::vector<std::uint32_t> path;
    for (; at != Piece::none && path.size() < timeline_.pieces.size(); at = before(at))
      path.push_back(at);
    std::ranges::reverse(path);
    return path;
  }

private:
  int rankOf(std::uint32_t piece) const { return timeline_.rows[timeline_.pieces[piece].row].rank; }

  std::uint32_t before(std::uint32_t index) const {
    const Piece &piece = timeline_.pieces[index];
    if (piece.kind == Piece::Kind::Receive && piece.otherEnd != Piece::none && piece.begin > piece.ready)
      return piece.otherEnd;
    if (piece.cause)
      return index_.find(rankOf(index), piece.cause);
    return lastBefore(rankOf(index), piece.appended);
  }

  /// The last piece that gave the program's loops room for the tasks that they made at this time.
  std::uint32_t lastBefore(int rank, Time appended) const {
    const std::vector<Wait> &waits = timeline_.ranks[rank].waits;
    const auto wait = std::ranges::upper_bound(waits, appended, {}, &Wait::end);
    if (wait == waits.begin())
      return Piece::none;
    const Time room = std::prev(wait)->end;
    const std::vector<std::uint32_t> &pieces = byEnd_[rank];
    const auto behind =
        std::ranges::upper_bound(pieces, room, {}, [&](std::uint32_t piece) { return timeline_.pieces[piece].end; });
    return behind == pieces.begin() ? Piece::none : *std::prev(behind);
  }

  const Timeline &timeline_;
  const PieceIndex &index_;
  std::vector<std::vector<std::uint32_t>> byEnd_; // by rank
};

} // namespace

std::vector<std::uint32_t> criticalPath(const Timeline &timeline, const PieceIndex &index) {
  return Path(timeline, index).walk();
}

} // namespace hetc::gantt
