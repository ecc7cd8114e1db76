// Whose turn it is, where some have more turns than others.
#pragma once

#include <vector>

namespace tla {

/// The places to which the first turns go, up to where they repeat: each in proportion to its weight. Whatever the
/// number of turns, the share of each place is less than one turn away from its due. `weights` by place, not negative,
/// at least one positive; a place of weight 0 gets nothing.
std::vector<int> dealByWeights(const std::vector<int> &weights);

} // namespace tla
