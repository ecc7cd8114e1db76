// Why a run took as long as it did: the chain of tasks, copies and messages that ends with the last one.
#pragma once

#include "tools/gantt/idle.hpp"

#include <vector>

namespace hetc::gantt {

/// Indices of pieces in the order of time, from the first of the chain to the piece that ends last. Before each is the
/// one whose end made it ready; before a received message, if it had to wait for it, what was sent; before what was
/// ready when the program's loops made it, after these had waited, what ended last before the wait was over.
std::vector<std::uint32_t> criticalPath(const Timeline &timeline, const PieceIndex &index);

} // namespace hetc::gantt
