// A distribution that the user wrote down: rows of node numbers.
#pragma once

#include "runtime/distribution/distribution.hpp"

namespace tla {

/// The file of "file:PATH", see parseDistribution; the distribution's name is `name`.
std::optional<Distribution> readTableFile(const std::string &path, const std::string &name, std::string &error);

} // namespace tla
