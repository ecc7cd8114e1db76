#include "tools/graph/picture.hpp"

#include "tools/graph/page.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <utility>

namespace hetc::graph {
namespace {

using tla::format;

constexpr int cell = 34, gap = 26, top = 24, secondsPerStep = 1;
constexpr double most = 760; ///< width, from which on matrices go into a new row

const char *nodeColor(int node) {
  static constexpr std::array colors = {"#bcd3ea", "#f3d5b5", "#cfe3bd", "#ecc5cf", "#d8cdea", "#f1e6a6",
                                        "#bfe0dc", "#dcd6cd", "#c9d4dc", "#f0cbbb", "#d3e8e8", "#e4d0e0"};
  return colors[node % colors.size()];
}
const char *kernelColor(int kernel) {
  static constexpr std::array colors = {"#d1495b", "#2e6fb0", "#3f8f3f", "#b07d1a",
                                        "#7a4fa3", "#148a8a", "#a0522d", "#5b6770"};
  return colors[kernel % colors.size()];
}

/// A file's name may be in it.
std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// The beginning of a text, of so many characters at most.
std::string beginning(const std::string &text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if ((text[end] & 0xC0) != 0x80 && ++characters > most) // the first byte of one, in UTF-8
      break;
  return text.substr(0, end);
}

std::string numberOf(std::size_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string sumText(const Steps &steps) {
  return numberOf(steps.tasks.size(), "task") + " in " + numberOf(steps.count, "step") +
         (steps.nodes > 1 ? ", " + numberOf(steps.messages.size(), "message") + format(" between %d nodes", steps.nodes)
                          : std::string());
}

struct Point {
  double x, y;
};

class Drawer {
public:
  Drawer(const Steps &steps, Motion motion) : steps_(steps), motion_(motion) { place(); }

  std::string draw() {
    begin();
    for (std::size_t number = 0; number < steps_.matrices.size(); ++number)
      drawMatrix(static_cast<int>(number));
    if (steps_.nodes > 1)
      drawNodes();
    for (int step = 0; step < steps_.count; ++step)
      drawStep(step);
    out_ << "</svg>\n";
    return out_.str();
  }

private:
  /// Matrices from left to right, in several rows where they are wide, and the nodes behind them.
  void place() {
    double x = gap, y = top, height = 0;
    const auto next = [&](double width, double high) {
      if (x > gap && x + width > most) {
        x = gap;
        y += height;
        height = 0;
      }
      const Point at{x, y};
      x += width + gap;
      width_ = std::max(width_, x);
      height = std::max(height, high + gap + 18);
      return at;
    };
    for (const Matrix &matrix : steps_.matrices)
      corners_.push_back(next(std::max(matrix.columns * cell, 40), matrix.rows * cell));
    if (steps_.nodes > 1) {
      const double radius = radiusOfNodes();
      const Point corner = next(2 * radius + 60, 2 * radius + 60);
      middle_ = {corner.x + radius + 30, corner.y + radius + 30};
    }
    width_ = std::max(width_, 420.0);
    legend_ = y + height + 4;
    height_ = legend_ + 46;
  }

  double radiusOfNodes() const { return std::max(46.0, 9.0 * steps_.nodes); }
  Point nodeAt(int node) const {
    const double angle = 2 * std::numbers::pi * node / steps_.nodes - std::numbers::pi * 3 / 4, r = radiusOfNodes();
    return {middle_.x + r * std::cos(angle), middle_.y + r * std::sin(angle)};
  }
  Point tileAt(const Tile &tile) const {
    const Point &corner = corners_[tile.matrix];
    return {corner.x + tile.column * cell, corner.y + tile.row * cell};
  }

  void begin() {
    const double period = static_cast<double>(steps_.count) * secondsPerStep;
    out_ << format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" "
                   "aria-label=\"Steps of %s\">\n",
                   width_, height_, width_, steps_.name.c_str())
         << "<desc>" << sumText(steps_)
         << "</desc>\n<style>\n"
            "svg{--text:#1d1f21;--line:#8a9097;--faint:#eceef0;font:11px system-ui,sans-serif}\n"
            "@media (prefers-color-scheme:dark){svg{--text:#e3e5e8;--line:#8a9097;--faint:#2b2f34}}\n"
            ":root[data-theme=light] svg{--text:#1d1f21;--faint:#eceef0}\n"
            ":root[data-theme=dark] svg{--text:#e3e5e8;--faint:#2b2f34}\n"
            "text{fill:var(--text)}.on{fill:#111}.task{fill:#fff;font-weight:600}\n"
            ".tile{stroke:#fff;stroke-opacity:.75}.none{fill:var(--faint)}\n"
            ".read{fill:none;stroke:#222;stroke-width:2.5}.arrow{fill:none;stroke:var(--text);stroke-width:1.6}\n";
    if (motion_ == Motion::ByItself) {
      out_ << format(".step{opacity:0;animation:show %.1fs step-end infinite}\n"
                     "@keyframes show{0%%{opacity:1}%.4f%%{opacity:0}100%%{opacity:0}}\n",
                     period, 100.0 / steps_.count)
           << "@media (prefers-reduced-motion:reduce){.step{animation:none}.step:last-of-type{opacity:1}}\n";
      for (int step = 1; step < steps_.count; ++step)
        out_ << format(".s%d{animation-delay:%.1fs}\n", step, static_cast<double>(step) * secondsPerStep);
    } else
      out_ << ".step{display:none}.step.shown{display:inline}\n";
    out_ << "</style>\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
            "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"context-stroke\"/></marker></defs>\n";
  }

  void text(Point at, const std::string &words, const char *kind = "", const char *anchor = "start") {
    out_ << format("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", at.x, at.y, kind, anchor) << words
         << "</text>\n";
  }

  void drawMatrix(int number) {
    const Matrix &matrix = steps_.matrices[number];
    const Point &corner = corners_[number];
    text({corner.x, corner.y - 7}, matrix.name);
    for (int j = 0; j < matrix.columns; ++j)
      for (int i = 0; i < matrix.rows; ++i) {
        const int owner = matrix.owners[i + static_cast<std::size_t>(j) * matrix.rows];
        const Point at = tileAt({number, i, j});
        out_ << format("<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" ", at.x, at.y, cell, cell);
        if (owner < 0) {
          out_ << "class=\"tile none\"/>\n";
          continue;
        }
        out_ << format("class=\"tile\" fill=\"%s\"><title>%s(%d, %d)", nodeColor(owner), matrix.name.c_str(), i, j)
             << (steps_.nodes > 1 ? format(", node %d", owner) : std::string()) << "</title></rect>\n";
        if (steps_.nodes > 1)
          text({at.x + 4, at.y + 11}, std::to_string(owner), "on");
      }
  }

  void drawNodes() {
    text({middle_.x, middle_.y - radiusOfNodes() - 24}, "nodes", "", "middle");
    for (int node = 0; node < steps_.nodes; ++node) {
      const Point at = nodeAt(node);
      out_ << format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"14\" class=\"tile\" fill=\"%s\"/>\n", at.x, at.y,
                     nodeColor(node));
      text({at.x, at.y + 4}, std::to_string(node), "on", "middle");
    }
  }

  void drawStep(int step) {
    out_ << format("<g class=\"step s%d\">\n", step);
    std::map<int, int> kernels;
    int count = 0;
    for (const Task &task : steps_.tasks)
      if (task.step == step) {
        drawReads(task);
        ++kernels[task.kernel];
        ++count;
      }
    for (const Task &task : steps_.tasks)
      if (task.step == step)
        drawWrites(task);
    const int sent = drawMessages(step);
    drawLegend(step, count, sent, kernels);
    out_ << "</g>\n";
  }

  void drawReads(const Task &task) {
    for (const Tile &tile : task.reads)
      if (std::ranges::find(task.writes, tile) == task.writes.end()) {
        const Point at = tileAt(tile);
        out_ << format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"read\"/>\n", at.x + 2, at.y + 2,
                       cell - 4, cell - 4);
      }
  }

  void drawWrites(const Task &task) {
    for (const Tile &tile : task.writes) {
      const Point at = tileAt(tile);
      const std::string &name = steps_.kernels[task.kernel];
      out_ << format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\"><title>", at.x + 2,
                     at.y + 2, cell - 4, cell - 4, kernelColor(task.kernel))
           << name
           << format(" %s(%d, %d) in line %d", steps_.matrices[tile.matrix].name.c_str(), tile.row, tile.column,
                     task.line)
           << (steps_.nodes > 1 ? format(", node %d", task.node) : std::string()) << "</title></rect>\n";
      text({at.x + cell / 2.0, at.y + cell / 2.0 + 4}, beginning(name, 5), "task", "middle");
    }
  }

  /// Draws the messages with tiles that this step has written; with the first step go tiles that were there before.
  int drawMessages(int step) {
    std::map<std::pair<int, int>, int> counts;
    int sum = 0;
    for (const Message &message : steps_.messages)
      if (std::max(message.step, 0) == step) {
        ++counts[{message.from, message.to}];
        ++sum;
      }
    for (const auto &[ends, count] : counts)
      drawArrow(nodeAt(ends.first), nodeAt(ends.second), count);
    return sum;
  }

  /// Bent to one side, so that there is room for the one that goes back.
  void drawArrow(Point from, Point to, int count) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const Point along{dx / length, dy / length}, side{-along.y, along.x};
    const Point begin{from.x + 15 * along.x + 3 * side.x, from.y + 15 * along.y + 3 * side.y};
    const Point end{to.x - 16 * along.x + 3 * side.x, to.y - 16 * along.y + 3 * side.y};
    const Point bend{(from.x + to.x) / 2 + 14 * side.x, (from.y + to.y) / 2 + 14 * side.y};
    out_ << format("<path class=\"arrow\" marker-end=\"url(#head)\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n", begin.x,
                   begin.y, bend.x, bend.y, end.x, end.y);
    if (count > 1 && steps_.nodes <= 9)
      text({bend.x + 3 * side.x, bend.y + 3 * side.y + 4}, std::to_string(count), "", "middle");
  }

  void drawLegend(int step, int count, int sent, const std::map<int, int> &kernels) {
    text({gap, legend_ + 12}, format("step %d of %d: ", step + 1, steps_.count) + numberOf(count, "task") +
                                  (steps_.nodes > 1 ? ", " + numberOf(sent, "message") +
                                                          (step == 0 && isFed() ? " with what is there before" : "")
                                                    : std::string()));
    double x = gap;
    for (const auto &[kernel, many] : kernels) {
      const std::string words = steps_.kernels[kernel] + " x " + std::to_string(many);
      out_ << format("<rect x=\"%.0f\" y=\"%.0f\" width=\"11\" height=\"11\" rx=\"2\" fill=\"%s\"/>\n", x, legend_ + 22,
                     kernelColor(kernel));
      text({x + 16, legend_ + 32}, words);
      x += 34 + 6.5 * static_cast<double>(words.size());
    }
    out_ << format(
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\" class=\"read\" style=\"stroke:var(--text)\"/>\n", x,
        legend_ + 22);
    text({x + 16, legend_ + 32}, "read");
  }

  bool isFed() const {
    return std::ranges::any_of(steps_.messages, [](const Message &message) { return message.step < 0; });
  }

  const Steps &steps_;
  const Motion motion_;
  std::vector<Point> corners_; ///< a corner of each matrix
  Point middle_{};             ///< middle of the nodes' circle
  double width_ = 0, height_ = 0, legend_ = 0;
  std::ostringstream out_;
};

} // namespace

std::string drawSteps(const Steps &steps, Motion motion) { return Drawer(steps, motion).draw(); }

std::string pageOf(const Steps &steps) {
  const std::string name = steps.name + (steps.nodes > 1 ? " on " + steps.distribution : "");
  std::string page = pageText;
  for (const auto &[mark, text] : {std::pair<std::string, std::string>{"{{TITLE}}", escaped(name)},
                                   {"{{SUM}}", sumText(steps)},
                                   {"{{PICTURE}}", drawSteps(steps, Motion::ByScript)}})
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + text.size()))
      page.replace(at, mark.size(), text);
  return page;
}

} // namespace hetc::graph
