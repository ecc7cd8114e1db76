// Random affine tile programs, as IR text: loops up and down with several steps, branches, halves, panels,
// workspaces, division and selection in indices.
#pragma once

#include <cstdint>
#include <string>

namespace hetc::test {

/// The same seed gives the same program. Matrices A (m x n), L (n x n, lower), W (workspace, n x m tiles); int p.
/// `guarded`: every access lies inside its matrix; otherwise most do. `called`: W is of an algorithm that is called in
/// each iteration of a loop over c, around all else, and
/// some of its tiles are written by the first call only.
std::string randomProgram(std::uint32_t seed, bool guarded, bool called = false);

} // namespace hetc::test
