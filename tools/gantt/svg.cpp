#include "tools/gantt/svg.hpp"

#include "dsl/base/text.hpp"
#include "tools/gantt/bars.hpp"
#include "tools/gantt/colors.hpp"
#include "tools/gantt/table.hpp"
#include "tools/gantt/ticks.hpp"

#include <algorithm>
#include <map>

namespace hetc::gantt {
namespace {
using tla::format;

constexpr double width = 1200, margin = 12, lineHeight = 17;

std::string escape(const std::string &text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return escaped;
}

/// A number of pixels, to a tenth.
std::string px(double value) {
  std::string text = format("%.1f", value);
  if (text.ends_with(".0"))
    text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

/// The width of the rows' names, and of the names of sums.
double labelWidth(const Timeline &timeline) {
  std::size_t longest = 10;
  for (const Row &row : timeline.rows)
    longest = std::max(longest, labelOf(timeline, row).size());
  return std::min(340.0, 2 * margin + 6.2 * static_cast<double>(longest));
}

class Picture {
public:
  Picture(const Timeline &timeline, const Analysis &analysis)
      : timeline_(timeline), analysis_(analysis), labels_(labelWidth(timeline)), plot_(width - labels_ - margin),
        pixel_(std::max(timeline.length, 1e-3) / plot_), rows_(drawRows(timeline, analysis, pixel_)),
        colors_(kernelColors(timeline.kernels)),
        rowHeight_(std::clamp(900.0 / static_cast<double>(std::max<std::size_t>(1, rows_.size())), 3.0, 26.0)) {}

  std::string draw() {
    y_ = margin + lineHeight;
    drawTitle();
    drawLegend();
    top_ = y_ += 8;
    drawRowsAndAxis();
    drawSums();
    return format("<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f %.0f'>\n",
                  width, y_ + margin, width, y_ + margin) +
           "<style>text{font:12px sans-serif;fill:#222}.t{font-weight:bold;font-size:14px}.s{font-size:11px}"
           ".n{text-anchor:end;font-family:monospace;font-size:11px}.l{text-anchor:end}"
           ".c{fill:none;stroke:#000;stroke-width:1.2}.m{stroke:#7a5c20;stroke-width:.8;fill:none;opacity:.75}"
           ".g{stroke:#ddd}</style>\n"
           "<rect width='100%' height='100%' fill='#fff'/>\n" +
           body_ + "</svg>\n";
  }

private:
  double x(Time time) const { return labels_ + time / pixel_; }
  double rowTop(int row) const { return top_ + row * rowHeight_; }
  /// Where pieces of a row are, without the strip for idle times below them.
  double barsHeight(int row) const {
    return rowHeight_ - (rowHeight_ > 6 ? 2 : 0.5) - (timeline_.rows[row].computes() ? stripHeight() : 0);
  }
  double stripHeight() const { return rowHeight_ > 9 ? 4 : rowHeight_ / 4; }

  void text(double left, double top, const std::string &what, const std::string &attributes = "") {
    body_ += "<text x='" + px(left) + "' y='" + px(top) + "'" + (attributes.empty() ? "" : " " + attributes) + ">" +
             escape(what) + "</text>\n";
  }
  static std::string box(double left, double top, double right, double height) {
    return "M" + px(left) + " " + px(top) + "h" + px(right - left) + "v" + px(height) + "h" + px(left - right) + "z";
  }

  /// The machine, which takes many words, in a line of its own.
  void drawTitle() {
    const std::string title = titleOf(timeline_.facts);
    const std::size_t machine = timeline_.facts.machine.empty() ? title.size() : title.find(", in virtual time");
    text(margin, y_, title.substr(0, machine), "class='t'");
    if (machine < title.size())
      text(margin, y_ += lineHeight, title.substr(machine + 2));
  }

  void drawLegend() {
    double left = margin;
    const auto entry = [&](const std::string &color, const std::string &what, bool strip) {
      const double needed = 28 + 6.6 * static_cast<double>(what.size());
      if (left + needed > width - margin) {
        left = margin;
        y_ += lineHeight;
      }
      body_ += "<path fill='" + color + "' d='" +
               (strip ? box(left, y_ - 6, left + 12, 4) : box(left, y_ - 10, left + 12, 10)) + "'/>";
      text(left + 16, y_, what, "class='s'");
      left += needed;
    };
    y_ += lineHeight + 3;
    for (std::size_t kernel = 0; kernel < colors_.size(); ++kernel)
      entry(colors_[kernel],
            timeline_.kernels[kernel] + " " + std::to_string(analysis_.tasks[kernel]) + ": " +
                tla::formatSeconds(analysis_.busy[kernel] * 1e-6),
            false);
    entry("none", "outlined: critical path", false);
    body_ += "<path class='c' d='" + box(left - 28 - 6.6 * 23, y_ - 10, left - 28 - 6.6 * 23 + 12, 10) + "'/>\n";
    left = margin;
    y_ += lineHeight;
    for (int cause = 0; cause < causes; ++cause)
      if (analysis_.all.idle[cause] > little * timeline_.length)
        entry(colorOf(static_cast<Cause>(cause)), std::string("idle: ") + nameOf(static_cast<Cause>(cause)), true);
  }

  void drawRowsAndAxis() {
    const double height = rowHeight_ * static_cast<double>(rows_.size());
    const Unit unit = unitFor(timeline_.length);
    for (const Time tick : ticksFor(std::max(timeline_.length, 1e-3), 10)) {
      body_ += "<path class='g' d='M" + px(x(tick)) + " " + px(top_) + "v" + px(height + 4) + "'/>";
      text(x(tick), top_ + height + 16, format("%g ", tick * unit.perMicrosecond) + unit.name,
           "class='s' text-anchor='middle'");
    }
    std::map<std::string, std::string> fills; // by colour: what is filled with it
    std::string outlines;
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row) {
      if (rowHeight_ >= 9)
        text(labels_ - 6, rowTop(row) + rowHeight_ / 2 + 3, labelOf(timeline_, timeline_.rows[row]), "class='s l'");
      else if (row == 0 || timeline_.rows[row].rank != timeline_.rows[row - 1].rank)
        text(labels_ - 6, rowTop(row) + 9, "rank " + std::to_string(timeline_.rows[row].rank), "class='s l'");
      drawRow(row, fills, outlines);
    }
    for (const auto &[color, path] : fills)
      body_ += "<path fill='" + color + "' d='" + path + "'/>\n";
    if (!outlines.empty())
      body_ += "<path class='c' d='" + outlines + "'/>\n";
    y_ = top_ + height + 16;
    drawArrows();
  }

  void drawRow(int row, std::map<std::string, std::string> &fills, std::string &outlines) {
    const DrawnRow &drawn = rows_[row];
    const double lane = barsHeight(row) / drawn.lanes;
    for (const Bar &bar : drawn.bars) {
      const double left = x(bar.begin), right = std::max(x(bar.end), left + 0.4);
      const double top = rowTop(row) + bar.lane * lane;
      fills[colors_[bar.kernel]] += box(left, top, right, lane - (drawn.lanes > 1 ? 0.5 : 0));
      if (bar.critical && right - left >= 2)
        outlines += box(left + 0.5, top + 0.5, right - 0.5, lane - 1);
      else if (bar.critical)
        outlines += "M" + px(left) + " " + px(top) + "v" + px(lane);
    }
    for (const IdleBar &idle : drawn.idle)
      fills[colorOf(idle.cause)] +=
          box(x(idle.begin), rowTop(row) + barsHeight(row), std::max(x(idle.end), x(idle.begin) + 0.4), stripHeight());
  }

  /// From where a message was sent to where it had come, as long as these can be told apart.
  void drawArrows() {
    std::string arrows;
    std::uint64_t count = 0;
    for (std::size_t index = 0; index < timeline_.pieces.size(); ++index) {
      const Piece &sent = timeline_.pieces[index];
      if (sent.kind != Piece::Kind::Send || sent.otherEnd == Piece::none)
        continue;
      const Piece &received = timeline_.pieces[sent.otherEnd];
      if (++count <= mostArrows)
        arrows += "M" + px(x(sent.begin)) + " " + px(middle(sent.row)) + "L" + px(x(received.end)) + " " +
                  px(middle(received.row));
    }
    if (count > 0 && count <= mostArrows)
      body_ += "<path class='m' d='" + arrows + "'/>\n";
    else if (count > 0)
      remarks_.push_back(std::to_string(count) +
                         " messages: too many for arrows in a picture; a page (.html) has them");
  }
  double middle(int row) const { return rowTop(row) + barsHeight(row) / 2; }

  void drawSums() {
    constexpr std::size_t mostRows = 40;
    const SumTable table = tableOf(timeline_, analysis_, mostRows);
    y_ += 10;
    const double column = std::min(118.0, (width - labels_ - margin) / static_cast<double>(table[0].size() - 1));
    for (std::size_t line = 0; line < table.size(); ++line) {
      y_ += lineHeight - 2;
      text(margin, y_, line == 0 ? "times in " + table[0][0] : table[line][0], "class='s'");
      for (std::size_t cell = 1; cell < table[line].size(); ++cell)
        text(labels_ + column * static_cast<double>(cell), y_, table[line][cell],
             line == 0 ? "class='s l'" : "class='n'");
    }
    y_ += 6;
    remarks_.insert(remarks_.begin(), pathText(timeline_, analysis_));
    if (const std::string waits = waitsText(timeline_, analysis_); !waits.empty())
      remarks_.insert(remarks_.begin() + 1, waits);
    if (const std::uint64_t joined = joinedPieces(rows_))
      remarks_.push_back(std::to_string(joined) + " of " + std::to_string(timeline_.pieces.size()) +
                         " bars are shorter than a pixel (" + tla::formatSeconds(pixel_ * 1e-6) +
                         ") and drawn together, in the colour that has most of the time");
    for (const std::string &note : notesOf(timeline_))
      remarks_.push_back(note);
    for (const std::string &remark : remarks_)
      text(margin, y_ += lineHeight, remark, "class='s'");
  }

  static constexpr std::uint64_t mostArrows = 300;
  const Timeline &timeline_;
  const Analysis &analysis_;
  const double labels_, plot_; ///< pixels
  const Time pixel_;
  const std::vector<DrawnRow> rows_;
  const std::vector<std::string> colors_;
  const double rowHeight_;
  double y_ = 0, top_ = 0;
  std::string body_;
  std::vector<std::string> remarks_;
};

} // namespace

std::string svgOf(const Timeline &timeline, const Analysis &analysis) { return Picture(timeline, analysis).draw(); }

} // namespace hetc::gantt
