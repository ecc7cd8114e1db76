// Errors about words that are not in a table, with the nearest one that is.
#pragma once

#include "dsl/annotations/annotation.hpp"

#include <span>

namespace hetc::annotations {

/// "unknown clause 'priorty'; did you mean 'priority'?", or "...; known are priority, device, bound" when none is near.
SyntaxError unknownWord(std::string_view what, std::string_view word, unsigned offset,
                        std::span<const std::string_view> candidates);

} // namespace hetc::annotations
