// The tile size of a call.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace tla::lapack {

/// HETC_NB, else a size that suits the algorithm on matrices of these sizes and this many threads: remembered for sizes
/// near these, so that calls in a loop over n do not each look for one.
int tileSize(const runtime::Algorithm &algorithm, const runtime::Values &values, const std::vector<long> &scalars,
             int threads);

} // namespace tla::lapack
