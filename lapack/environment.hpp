// What the user sets by environment variables.
#pragma once

#include <optional>
#include <string>

namespace tla::lapack {

struct Environment {
  std::optional<int> nb;      ///< HETC_NB: tile size
  std::optional<int> minN;    ///< HETC_MIN_N: the smallest dimension that is computed on tiles
  std::optional<int> threads; ///< HETC_THREADS
  bool verbose = false;       ///< HETC_VERBOSE=1: a line on standard error for every call
  std::string report; ///< HETC_LAPACK_REPORT: a file that gets a line of JSON when the process ends (see summary)
};

/// Read at the first call of it. A value that makes no sense is warned of, once, and counts as not set.
const Environment &environment();

} // namespace tla::lapack
