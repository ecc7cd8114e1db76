// Pictures of steps: matrices whose tiles have the colours of their nodes, and on them, step by step, the tasks.
#pragma once

#include "tools/graph/steps.hpp"

#include <string>

namespace hetc::graph {

enum class Motion {
  ByItself, ///< an SVG that plays, again and again; in light and dark, as the reader has it
  ByScript, ///< for the page: group "step" of each step is shown by its script
};

std::string drawSteps(const Steps &steps, Motion motion);

/// One file, which needs no network: the picture, with a button to play it, one for each step, and a list of what
/// happens in it.
std::string pageOf(const Steps &steps);

} // namespace hetc::graph
