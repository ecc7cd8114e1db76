#include "tools/gantt/html.hpp"

#include "tools/gantt/bars.hpp"
#include "tools/gantt/colors.hpp"
#include "tools/gantt/page.hpp"
#include "tools/gantt/table.hpp"

#include "dsl/base/text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace hetc::gantt {
namespace {
using Json = nlohmann::ordered_json;

/// Pieces in a page, at most; of more, those that are shortest are drawn together.
constexpr std::size_t mostBars = 300'000, mostArrows = 50'000;

std::int64_t nanoseconds(Time time) { return std::llround(time * 1e3); }

/// At a resolution at which a page is not too large to be looked at.
std::vector<DrawnRow> drawWithin(const Timeline &timeline, const Analysis &analysis, Time &pixel) {
  for (pixel = timeline.pieces.size() <= mostBars ? 0 : timeline.length / 200'000;; pixel *= 2) {
    std::vector<DrawnRow> rows = drawRows(timeline, analysis, pixel);
    std::size_t bars = 0;
    for (const DrawnRow &row : rows)
      bars += row.bars.size() + row.idle.size();
    if (pixel == 0 || bars <= 2 * mostBars || pixel > timeline.length / 500)
      return rows;
  }
}

class Page {
public:
  Page(const Timeline &timeline, const Analysis &analysis)
      : timeline_(timeline), analysis_(analysis), rows_(drawWithin(timeline, analysis, pixel_)) {}

  std::string write() {
    Json data;
    data["title"] = titleOf(timeline_.facts);
    data["length"] = nanoseconds(timeline_.length);
    addColors(data);
    data["rows"] = Json::array();
    for (std::size_t row = 0; row < rows_.size(); ++row)
      data["rows"].push_back(rowObject(static_cast<int>(row)));
    data["tiles"] = tiles_;
    addArrows(data);
    data["table"] = tableOf(timeline_, analysis_, 200);
    data["notes"] = notes();
    // Data first: what replaces them is looked through no more, whatever a program is called.
    return replaced(replaced(pageText, "DATA", scriptText(data)), "TITLE", escaped(titleOf(timeline_.facts)));
  }

private:
  void addColors(Json &data) const {
    const std::vector<std::string> colors = kernelColors(timeline_.kernels);
    data["kernels"] = Json::array();
    for (std::size_t kernel = 0; kernel < colors.size(); ++kernel)
      data["kernels"].push_back({{"name", timeline_.kernels[kernel]},
                                 {"color", colors[kernel]},
                                 {"count", analysis_.tasks[kernel]},
                                 {"time", tla::formatSeconds(analysis_.busy[kernel] * 1e-6)}});
    data["causes"] = Json::array();
    for (int cause = 0; cause < causes; ++cause)
      data["causes"].push_back({{"name", nameOf(static_cast<Cause>(cause))},
                                {"color", colorOf(static_cast<Cause>(cause))},
                                {"there", analysis_.all.idle[cause] > little * timeline_.length}});
  }

  /// Bars as numbers in a row: since the begin of the one before, length, kernel, tile, lane, count and whether on the
  /// critical path, how long it was ready before. Idle times: since the begin of the one before, length, cause, kernel.
  Json rowObject(int row) {
    Json bars = Json::array(), idle = Json::array();
    std::int64_t before = 0;
    for (const Bar &bar : rows_[row].bars) {
      const std::int64_t begin = nanoseconds(bar.begin);
      const Piece *const piece = bar.piece == Piece::none ? nullptr : &timeline_.pieces[bar.piece];
      const std::int64_t waited = piece && piece->number ? nanoseconds(piece->begin - piece->ready) : -1;
      for (const std::int64_t value :
           {begin - before, nanoseconds(bar.end) - begin, static_cast<std::int64_t>(bar.kernel),
            static_cast<std::int64_t>(piece ? tileNumber(*piece) : -1), static_cast<std::int64_t>(bar.lane),
            static_cast<std::int64_t>(2 * bar.count + bar.critical), waited})
        bars.push_back(value);
      before = begin;
    }
    before = 0;
    for (const IdleBar &stretch : rows_[row].idle) {
      const std::int64_t begin = nanoseconds(stretch.begin);
      for (const std::int64_t value : {begin - before, nanoseconds(stretch.end) - begin,
                                       static_cast<std::int64_t>(stretch.cause), std::int64_t(stretch.kernel)})
        idle.push_back(value);
      before = begin;
    }
    return {{"label", labelOf(timeline_, timeline_.rows[row])},
            {"rank", timeline_.rows[row].rank},
            {"lanes", rows_[row].lanes},
            {"bars", std::move(bars)},
            {"idle", std::move(idle)}};
  }

  int tileNumber(const Piece &piece) {
    std::string text = piece.tile;
    if (piece.peer >= 0)
      text += (piece.kind == Piece::Kind::Send ? " to rank " : " from rank ") + std::to_string(piece.peer);
    if (piece.bytes > 0)
      text += ", " + tla::formatBytes(static_cast<double>(piece.bytes));
    const auto [entry, added] = numbers_.try_emplace(text, static_cast<int>(tiles_.size()));
    if (added)
      tiles_.push_back(text);
    return entry->second;
  }

  void addArrows(Json &data) {
    Json arrows = Json::array();
    for (const Piece &sent : timeline_.pieces) {
      if (sent.kind != Piece::Kind::Send || sent.otherEnd == Piece::none)
        continue;
      const Piece &received = timeline_.pieces[sent.otherEnd];
      if (++arrowCount_ <= mostArrows)
        for (const std::int64_t value :
             {std::int64_t(sent.row), nanoseconds(sent.begin), std::int64_t(received.row), nanoseconds(received.end)})
          arrows.push_back(value);
    }
    data["arrows"] = std::move(arrows);
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = {pathText(timeline_, analysis_)};
    if (const std::string waits = waitsText(timeline_, analysis_); !waits.empty())
      notes.push_back(waits);
    if (const std::uint64_t joined = joinedPieces(rows_))
      notes.push_back(std::to_string(joined) + " of " + std::to_string(timeline_.pieces.size()) +
                      " bars are shorter than " + tla::formatSeconds(pixel_ * 1e-6) +
                      " and drawn together, in the colour that has most of the time");
    if (arrowCount_ > mostArrows)
      notes.push_back("of " + std::to_string(arrowCount_) + " messages the first " + std::to_string(mostArrows) +
                      " have arrows");
    for (const std::string &note : notesOf(timeline_))
      notes.push_back(note);
    return notes;
  }

  /// Within a script nothing may look like its end.
  static std::string scriptText(const Json &data) {
    std::string text;
    for (const char c : data.dump(-1, ' ', true, Json::error_handler_t::replace))
      text += c == '<' ? "\\u003c" : std::string(1, c);
    return text;
  }
  static std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text)
      result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
  }
  static std::string replaced(std::string text, const std::string &name, const std::string &by) {
    const std::string mark = "{{" + name + "}}";
    return text.replace(text.find(mark), mark.size(), by);
  }

  const Timeline &timeline_;
  const Analysis &analysis_;
  Time pixel_ = 0;
  const std::vector<DrawnRow> rows_;
  std::vector<std::string> tiles_;
  std::map<std::string, int> numbers_;
  std::size_t arrowCount_ = 0;
};

} // namespace

std::string htmlOf(const Timeline &timeline, const Analysis &analysis) { return Page(timeline, analysis).write(); }

} // namespace hetc::gantt
