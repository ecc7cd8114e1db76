#include "tools/gantt/timeline.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hetc::gantt {
namespace {

/// Nothing is known of what begins behind the end of a trace that is not whole; what runs then is cut.
void cut(std::vector<Piece> &pieces, Time until) {
  std::erase_if(pieces, [until](const Piece &piece) { return piece.begin >= until; });
  for (Piece &piece : pieces)
    piece.end = std::min(piece.end, until);
}

/// In order, and none within another.
void separate(std::vector<Wait> &waits) {
  std::ranges::stable_sort(waits, {}, &Wait::begin);
  Time end = 0;
  for (Wait &wait : waits) {
    wait.begin = std::max(wait.begin, end);
    end = std::max(end, wait.end);
  }
  std::erase_if(waits, [](const Wait &wait) { return wait.end <= wait.begin; });
}

void joinMessages(Timeline &timeline) {
  std::map<std::tuple<int, int, std::uint32_t>, std::uint32_t> first; // from, to, number
  for (std::uint32_t index = 0; index < timeline.pieces.size(); ++index) {
    Piece &piece = timeline.pieces[index];
    piece.otherEnd = Piece::none;
    if (piece.kind != Piece::Kind::Send && piece.kind != Piece::Kind::Receive)
      continue;
    const int rank = timeline.rows[piece.row].rank;
    const bool sent = piece.kind == Piece::Kind::Send;
    const auto [entry, added] =
        first.try_emplace({sent ? rank : piece.peer, sent ? piece.peer : rank, piece.message}, index);
    if (added)
      continue;
    piece.otherEnd = entry->second;
    timeline.pieces[entry->second].otherEnd = index;
  }
}

} // namespace

void Timeline::settle() {
  if (facts.until > 0)
    cut(pieces, facts.until);
  std::ranges::stable_sort(pieces, {},
                           [](const Piece &piece) { return std::tuple(piece.row, piece.begin, piece.end); });
  for (Rank &rank : ranks)
    separate(rank.waits);
  joinMessages(*this);
  length = 0;
  for (const Piece &piece : pieces)
    length = std::max(length, piece.end);
}

void Timeline::dropEmptyRows() {
  std::set<int> used, units;
  for (const Piece &piece : pieces) {
    used.insert(piece.row);
    units.insert(rows[piece.row].unit);
  }
  std::vector<int> places(rows.size());
  std::vector<Row> kept;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    places[row] = static_cast<int>(kept.size());
    if (used.contains(static_cast<int>(row)) || (rows[row].computes() && units.contains(rows[row].unit)))
      kept.push_back(rows[row]);
    else
      facts.rowsLeftOut += rows[row].computes();
  }
  rows = std::move(kept);
  for (Piece &piece : pieces)
    piece.row = places[piece.row];
}

} // namespace hetc::gantt
