#include "tools/tuner/svg.hpp"

#include <cstdio>

namespace hetc::tuning {

namespace {
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string attribute(const std::string &name, const std::string &value) {
  return " " + name + "=\"" + escapeXml(value) + "\"";
}
std::string attribute(const std::string &name, double value) { return attribute(name, number(value)); }
} // namespace

std::string escapeXml(const std::string &text) {
  std::string result;
  for (const char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default: // what is no ASCII text may be no UTF-8 either
      result += (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t' ? c : '?';
    }
  return result;
}

void Svg::rectangle(double x, double y, double width, double height, const std::string &colour,
                    const std::string &title) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
           attribute("fill", colour);
  body_ += title.empty() ? "/>\n" : "><title>" + escapeXml(title) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string &colour, bool dashed) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
           attribute("stroke", colour) + (dashed ? attribute("stroke-dasharray", "6 4") : "") + "/>\n";
}

void Svg::polyline(const Points &points, const std::string &colour) {
  std::string list;
  for (const auto &[x, y] : points)
    list += (list.empty() ? "" : " ") + number(x) + "," + number(y);
  body_ += "<polyline" + attribute("points", list) + attribute("fill", "none") + attribute("stroke", colour) +
           attribute("stroke-width", 2) + "/>\n";
}

void Svg::text(double x, double y, const std::string &text, Anchor anchor, bool bold) {
  const char *const anchors[] = {"start", "middle", "end"};
  body_ += "<text" + attribute("x", x) + attribute("y", y) +
           attribute("text-anchor", anchors[static_cast<int>(anchor)]) +
           (bold ? attribute("font-weight", "bold") : "") + ">" + escapeXml(text) + "</text>\n";
}

std::string Svg::str() const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width_) + attribute("height", height_) +
         attribute("viewBox", "0 0 " + number(width_) + " " + number(height_)) +
         " font-family=\"sans-serif\" font-size=\"13\">\n" + body_ + "</svg>\n";
}

} // namespace hetc::tuning
