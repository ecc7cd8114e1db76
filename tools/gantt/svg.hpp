// A run as a picture.
#pragma once

#include "tools/gantt/analysis.hpp"

#include <string>

namespace hetc::gantt {

/// An SVG of 1200 pixels' width, for a light background: rows with their pieces, idle times below them, the critical
/// path, arrows of messages where there are few, the table of sums, and what was drawn together.
std::string svgOf(const Timeline &timeline, const Analysis &analysis);

} // namespace hetc::gantt
