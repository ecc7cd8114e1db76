// "did you mean ...?"
#pragma once

#include <string>
#include <vector>

namespace hetc::support {

/// The candidate with the fewest edits from `name`, the first of several; empty when all need more than `limit`.
std::string nearest(const std::string &name, const std::vector<std::string> &candidates, unsigned limit);

} // namespace hetc::support
