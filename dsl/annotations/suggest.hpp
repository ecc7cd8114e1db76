// Errors about words that are not in a table, with the nearest one that is.
#pragma once

#include "dsl/annotations/annotation.hpp"

#include <span>

namespace hetc::annotations {

/// The candidate that `word` most likely means: at most a third of its letters (at least one) inserted, deleted,
/// replaced or swapped with a neighbour. The first one wins a tie; empty when none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "unknown clause 'priorty'; did you mean 'priority'?", or "...; known are priority, device, bound" when none is near.
SyntaxError unknownWord(std::string_view what, std::string_view word, unsigned offset,
                        std::span<const std::string_view> candidates);

} // namespace hetc::annotations
