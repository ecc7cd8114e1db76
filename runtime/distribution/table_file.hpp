// A distribution that the user wrote down: rows of node numbers.
#pragma once

#include "runtime/distribution/distribution.hpp"

namespace tla {

/// Reads the file of "file:PATH", see parseDistribution; the distribution's name is `name`. Throws UsageError.
Distribution readTableFile(const std::string &path, const std::string &name);

} // namespace tla
