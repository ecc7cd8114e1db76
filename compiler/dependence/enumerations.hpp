// tla's enumerations as the analysis knows them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hetc::dependence {

/// An enumeration's members, values ascending; empty when the type is none of tla's enumerations.
std::vector<std::pair<std::string, std::int64_t>> enumMembers(const std::string &type);

/// The name of the enumerator, of any of tla's enumerations, with this value; empty where there is none.
std::string enumeratorName(std::int64_t value);

} // namespace hetc::dependence
