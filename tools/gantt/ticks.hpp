// Round times on an axis.
#pragma once

#include "tools/gantt/timeline.hpp"

#include <vector>

namespace hetc::gantt {

/// Multiples of 1, 2 or 5 times a power of ten from 0 up to `length` > 0: at most `most` >= 2 of them.
std::vector<Time> ticksFor(Time length, int most);

} // namespace hetc::gantt
