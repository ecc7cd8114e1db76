// The stage of `hetc --split s`: a program on tiles becomes one on slices ([Song12] 3.1). Tiles of nb columns are cut
// into s - 1 slices of one width and a last one with the rest; slice d of tile column j is slice column s * j + d. What
// stands for a task is its kernel's split rule, with the task's arguments in it.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <set>
#include <vector>

namespace hetc::split {

inline constexpr int mostSlices = 16;

/// A program, and the ids of those tasks whose tiles fit together and are not one another.
struct Subject {
  ir::Program *program = nullptr;
  std::set<unsigned> fitting{};
};

/// Rewrites a verified program in place; the result is verified, too. `rules` are programs under the names of kernels,
/// as the front end reads them (frontend/converter.hpp), for each element type that tasks call them with;
/// 2 <= slices <= mostSlices.
///
/// Cut is every matrix and workspace whose elements are not int and whose tiles are nb wide (ir::Matrix::sliced). A
/// task without a rule stays one task on the gathered slices of its tiles, and so does one whose tiles are not cut as
/// in the rule or are viewed by columns, or are opaque in the rule and elsewhere not; or whose arguments are not known
/// to fit together, as a rule may not notice what the kernel refuses. Accesses to lower() and upper() of cut tiles are
/// to all of a slice. Release clauses are dropped: after a task that names a tile, other slices of it may still be
/// read.
///
/// Remarks say which kernels run on gathered tiles and why, each once, at the first call. Rewritten alike is the
/// program of `ofCheck`, which a check of this one calls, or null; it has the same matrices and is split alike.
std::vector<ir::Diagnostic> split(Subject subject, Subject ofCheck, int slices, const std::vector<ir::Program> &rules);

} // namespace hetc::split
