// Where the operations of an algorithm are.
#pragma once

#include "runtime/host/problem/problem.hpp"

namespace tla::host {

/// The kernels that tasks of the algorithm call, hetc's own ones only, by short names; that of the most operations
/// first. From a run of its loops on the problem cut down to a few tiles of its present nb. Empty when these fail.
std::vector<std::string> kernelsByFlops(const Problem &problem);

} // namespace tla::host
