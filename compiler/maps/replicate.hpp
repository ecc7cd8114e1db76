// Task maps: who computes an update of a tile. Its owner, elsewhere in hetc; here nodes stand in several copies of a
// grid, and an update is done where what it adds is at hand: 2.5-D [E. Solomonik, J. Demmel: Communication-optimal
// parallel 2.5D matrix multiplication and LU factorization algorithms, Euro-Par 2011].
#pragma once

#include "compiler/maps/mapped.hpp"

#include <variant>
#include <vector>

namespace hetc::maps {

inline constexpr int mostCopies = 64;

/// The program for `copies` >= 2 copies of a grid of nodes, with one workspace A__c for each matrix A whose tiles are
/// updated, and each copy c >= 1 further on than the tile's own.
///
/// An update is a task that adds to its main output, a whole tile A(i, j) (clause sum of the kernel, decided by the
/// call's scalars). Its step is the outermost loop around it whose variable k names neither i nor j. Tile column j is
/// at home with copy j mod copies, and so is what step k reads of column k: the update is done there, on A__c(i, j)
/// with c = (k - j) mod copies, or on A(i, j) itself for c = 0. Of a matrix that most updates read by rows
/// (Matrix::byRows) row i is at home with copy i mod copies, and c = (k - i) mod copies. In front of the first update
/// of a run (dependence/runs.hpp) these tiles become zero, and behind the last one they are added up by a tree over c,
/// and released.
///
/// So the sums of a tile are in another order, which `copies` decides and nothing else: the program is judged by its
/// residual, and bit by bit by its own runs. Errors: a program of which hetc knows no runs; one without an update.
/// `kernels`: tla::laset, tla::geadd and tla::tradd.
std::variant<Mapped, ir::Diagnostic> replicate(const ir::Program &program, int copies,
                                               const std::vector<ir::Kernel> &kernels);

} // namespace hetc::maps
