// Matrices that are spread over the ranks, in one place: for the little that works on whole matrices.
#pragma once

#include "runtime/bootstrap/problem.hpp"

namespace tla::bootstrap {

/// Copies of the problem's matrices, whole, on the first rank; nothing on the others. Collective.
std::vector<StorageRef> gatherMatrices(const Problem &problem, Ranks &ranks);

} // namespace tla::bootstrap
