// tla's enumerations as the analysis knows them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hetc::dependence {

/// An enumeration's members, values ascending; empty when the type is none of tla's enumerations.
std::vector<std::pair<std::string, std::int64_t>> enumMembers(const std::string &type);

} // namespace hetc::dependence
