#include "tools/tuner/report.hpp"

#include "tools/tuner/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace hetc::tuning {

namespace {
constexpr const char *blue = "#4477aa", *grey = "#bbbbbb", *dark = "#333333", *red = "#cc3311", *green = "#228833";
constexpr double pageWidth = 860, left = 70, right = 30, chartHeight = 220, rowHeight = 22;
constexpr std::size_t histogramBins = 40;

std::string formatted(const char *pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string countText(double count) { return formatted(count < 1e7 ? "%.0f" : "%.2e", count); }

std::string colourOf(const Finalist &finalist) {
  return finalist.kind == Kind::Candidate ? green : finalist.kind == Kind::Limit ? dark : red;
}

/// A step for about five marks on an axis that ends at `most`: 1, 2 or 5 times a power of ten.
double axisStep(double most) {
  const double magnitude = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1, 2, 5})
    if (most / (factor * magnitude) <= 6)
      return factor * magnitude;
  return 10 * magnitude;
}

/// The figure grows downwards, chart by chart.
class Figure {
public:
  explicit Figure(const Report &report) : report_(report), rates_(report.rates) {
    std::ranges::sort(rates_);
    most_ = rates_.empty() ? 1 : rates_.back();
    for (const Finalist &each : report.finalists)
      most_ = std::max(most_, each.gflops);
    most_ *= 1.05;
  }

  std::string draw() {
    const double finalists = static_cast<double>(report_.finalists.size()) * rowHeight;
    const double funnel = static_cast<double>(report_.funnel.size()) * rowHeight;
    Svg svg(pageWidth, 2 * (chartHeight + 80) + finalists + funnel + 180);
    heading(svg, "All candidates that are right, sorted by rate (Gflop/s)");
    drawSorted(svg);
    heading(svg, "How many candidates have which rate (Gflop/s)");
    drawHistogram(svg);
    heading(svg, "The best against each other, the library and the limit (Gflop/s)");
    drawFinalists(svg);
    heading(svg, "Points of the space that each constraint leaves");
    drawFunnel(svg);
    return svg.str();
  }

private:
  void heading(Svg &svg, const std::string &text) {
    top_ += 34;
    svg.text(left, top_, text, Svg::Anchor::Start, /*bold=*/true);
    top_ += 16;
  }

  double across(double part) const { return left + part * (pageWidth - left - right); }
  double up(double part) const { return top_ + chartHeight * (1 - part); }

  void drawAxis(Svg &svg, double most, const std::function<void(double value, const std::string &label)> &mark) const {
    for (double value = 0, step = axisStep(most); value <= most; value += step)
      mark(value, formatted("%g", value));
    svg.line(across(0), up(0), across(1), up(0), dark);
  }

  void drawSorted(Svg &svg) {
    drawAxis(svg, most_, [&](double value, const std::string &label) {
      svg.line(across(0), up(value / most_), across(1), up(value / most_), grey);
      svg.text(left - 8, up(value / most_) + 4, label, Svg::Anchor::End);
    });
    Svg::Points points;
    const std::size_t count = rates_.size(), most = 2000; // more than that nobody sees
    for (std::size_t each = 0; each < std::min(count, most); ++each) {
      const std::size_t rank = count <= most ? each : each * (count - 1) / (most - 1);
      points.emplace_back(across(count > 1 ? static_cast<double>(rank) / static_cast<double>(count - 1) : 0.5),
                          up(rates_[rank] / most_));
    }
    svg.polyline(points, blue);
    for (const Finalist &each : report_.finalists)
      if (each.kind != Kind::Candidate) {
        svg.line(across(0), up(each.gflops / most_), across(1), up(each.gflops / most_), colourOf(each), true);
        svg.text(across(0) + 6, up(each.gflops / most_) - 4, each.name);
      }
    svg.text(across(1), up(0) + 18, countText(static_cast<double>(count)) + " candidates", Svg::Anchor::End);
    top_ += chartHeight + 24;
  }

  void drawHistogram(Svg &svg) {
    std::vector<double> bins(histogramBins, 0);
    for (const double rate : rates_)
      bins[std::min(histogramBins - 1, static_cast<std::size_t>(rate / most_ * histogramBins))] += 1;
    const double highest = std::max(1.0, std::ranges::max(bins)) * 1.05;
    const double width = across(1.0 / histogramBins) - across(0);
    for (std::size_t bin = 0; bin < histogramBins; ++bin) {
      const double from = static_cast<double>(bin) / histogramBins;
      svg.rectangle(across(from) + 1, up(bins[bin] / highest), width - 2, up(0) - up(bins[bin] / highest), blue,
                    countText(bins[bin]) + " from " + formatted("%.1f", from * most_) + " to " +
                        formatted("%.1f Gflop/s", (from + 1.0 / histogramBins) * most_));
    }
    drawAxis(svg, most_, [&](double value, const std::string &label) {
      svg.text(across(value / most_), up(0) + 18, label, Svg::Anchor::Middle);
    });
    svg.text(left - 8, up(1) + 4, countText(std::ranges::max(bins)), Svg::Anchor::End);
    top_ += chartHeight + 24;
  }

  void drawFinalists(Svg &svg) {
    for (const Finalist &each : report_.finalists) {
      const double width = (across(1) - across(0)) * each.gflops / most_;
      svg.rectangle(left, top_, width, rowHeight - 6, colourOf(each), formatted("spread %.1f%%", 100 * each.spread));
      svg.text(left - 8, top_ + 12, formatted("%.1f", each.gflops), Svg::Anchor::End);
      svg.text(left + 6, top_ + 12, each.name + (each.name == report_.defaultName ? " (the default)" : ""));
      top_ += rowHeight;
    }
  }

  /// Bars over the logarithms: each constraint leaves a small part.
  void drawFunnel(Svg &svg) {
    const double most = report_.funnel.empty() ? 1 : std::log1p(report_.funnel.front().left);
    for (const Report::Step &step : report_.funnel) {
      const double part = most > 0 ? std::log1p(step.left) / most : 0;
      svg.rectangle(across(0.3), top_, part * (across(1) - across(0.3)), rowHeight - 6, grey, countText(step.left));
      svg.text(across(0.3) - 8, top_ + 12, step.name, Svg::Anchor::End);
      svg.text(across(0.3) + 6, top_ + 12, countText(step.left));
      top_ += rowHeight;
    }
  }

  const Report &report_;
  std::vector<double> rates_; ///< ascending
  double most_ = 1;           ///< where the axis of rates ends
  double top_ = 0;
};

std::string row(const std::vector<std::string> &cells, const char *tag) {
  std::string text = "<tr>";
  for (const std::string &cell : cells)
    text += std::string("<") + tag + ">" + escapeXml(cell) + "</" + tag + ">";
  return text + "</tr>\n";
}
} // namespace

std::string svgOf(const Report &report) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Figure(report).draw();
}

std::string htmlOf(const Report &report) {
  const std::string title = escapeXml(report.title);
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>" + title +
                     "</title>\n<style>body { font-family: sans-serif; margin: 2em } td, th { padding: 0 1em 0 0; "
                     "text-align: left }</style>\n</head>\n<body>\n<h1>" +
                     title + "</h1>\n";
  for (const std::string &note : report.notes)
    page += "<p>" + escapeXml(note) + "</p>\n";
  page += Figure(report).draw() + "<table>\n" + row({"Gflop/s", "spread", "body"}, "th");
  for (const Finalist &each : report.finalists)
    page += row({formatted("%.1f", each.gflops), formatted("%.1f%%", 100 * each.spread), each.name}, "td");
  return page + "</table>\n</body>\n</html>\n";
}

} // namespace hetc::tuning
