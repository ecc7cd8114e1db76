// Ways through a program that its arguments decide: the sides of conditions over sizes and scalars.
#pragma once

#include "compiler/ir/program.hpp"

#include <cstddef>
#include <vector>

namespace hetc::ir {

/// The part of a program that runs when `condition`, over sizes and scalars, holds.
struct Path {
  ExprRef condition;
  /// Task::origin says of which task of the whole program a task is; Matrix::byRows is decided where the way decides
  /// it.
  Program program;
};

/// The paths of a program: whatever its arguments, the condition of one of them holds and of no other, and the program
/// does what that path's does. A condition without an else, or one that divides by what may be zero, is not
/// taken for a fork. One path, and no condition, of a
/// program that has none, or more than `most`.
std::vector<Path> pathsOf(const Program &program, std::size_t most = 8);

} // namespace hetc::ir
