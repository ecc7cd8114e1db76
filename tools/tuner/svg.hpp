// A small writer of SVG: shapes in the order in which they are drawn.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hetc::tuning {

/// Text as it stands in XML: no character that means something there, and none that it forbids.
std::string escapeXml(const std::string &text);

class Svg {
public:
  enum class Anchor { Start, Middle, End };
  using Points = std::vector<std::pair<double, double>>;

  Svg(double width, double height) : width_(width), height_(height) {}

  /// `title` is shown where the pointer rests on the shape.
  void rectangle(double x, double y, double width, double height, const std::string &colour,
                 const std::string &title = "");
  void line(double x1, double y1, double x2, double y2, const std::string &colour, bool dashed = false);
  void polyline(const Points &points, const std::string &colour);
  void text(double x, double y, const std::string &text, Anchor anchor = Anchor::Start, bool bold = false);

  /// The whole element <svg>, which may stand in a page or, after an XML declaration, in a file of its own.
  std::string str() const;

private:
  double width_, height_;
  std::string body_;
};

} // namespace hetc::tuning
