// One .npy file that all ranks write.
#pragma once

#include "runtime/host/problem/problem.hpp"

namespace tla::host {

/// Writes the file that writeNpy() would write, for a matrix that is spread over the ranks: rank 0 makes the file in
/// its whole length, each rank writes its own tiles where they belong, rank 0 gives the file its name. The folder must
/// be the same for all ranks. Collective. Throws tla::Error; no file appears then.
void writeNpyTogether(const std::string &path, const ProblemMatrix &matrix, Ranks &ranks);

} // namespace tla::host
