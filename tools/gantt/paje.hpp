// A run for other people's viewers.
#pragma once

#include "tools/gantt/analysis.hpp"

#include <string>

namespace hetc::gantt {

/// A trace in Paje's format (Kergommeaux, Stein & Martin, "Paje input data format", 2003), which ViTE and pj_dump read:
/// a container per rank, row, and lane of pieces that overlap; states that are kernels, copies, messages and the causes
/// of idle times; links that are messages, from when they are given to the network to when they have come. Events are
/// in the order of time, in seconds. States have two fields more, the tile and the task's number on its rank.
std::string pajeOf(const Timeline &timeline, const Analysis &analysis);

} // namespace hetc::gantt
