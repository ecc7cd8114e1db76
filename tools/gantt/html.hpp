// A run as a page to look around in.
#pragma once

#include "tools/gantt/analysis.hpp"

#include <string>

namespace hetc::gantt {

/// One HTML file that needs no other: zoom by wheel, move by drag, the task under the pointer; light and dark.
std::string htmlOf(const Timeline &timeline, const Analysis &analysis);

} // namespace hetc::gantt
