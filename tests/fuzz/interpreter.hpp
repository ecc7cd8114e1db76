// Runs a program's control for given sizes, without any kernel: whether the program is right, and what it does.
#pragma once

#include "tests/fuzz/program.hpp"

#include <cstdint>
#include <functional>

namespace fuzz {

/// The sizes and scalars of one call.
struct Sizes {
  long m = 0, n = 0, k = 0;
  int nb = 1;
  long shift = 0, ib = 1;
  int p = 1, q = 1; ///< the period of the distribution
  /// Not all tiles of the caller's matrices are there, if it is not 0 (isPresent).
  unsigned sparse = 0;

  long of(char size) const { return size == 'm' ? m : size == 'n' ? n : size == 'k' ? k : 1; }
  bool operator==(const Sizes &) const = default;
};

/// Whether a run that is sparse so has tile (i, j) of a matrix: those of the diagonal, and two thirds of the others.
bool isPresent(unsigned sparse, const std::string &matrix, long i, long j);

/// The caller's matrices, except workspaces, with their rows and columns in elements.
struct Shape {
  std::string matrix;
  long m, n;
};
std::vector<Shape> shapesOf(const Program &program, const Sizes &sizes);

struct Tally {
  std::uint64_t tasks = 0;
  int iterations = -1;      ///< iterations of the loop that an element may end; -1: there is none
  bool endedEarly = false;  ///< whether an element ended that loop
  bool aliases = false;     ///< some task writes a tile that it has as another argument, too
  bool emptyPanels = false; ///< some task has a panel without tiles as an output
  bool unwritten = false;   ///< some task reads what no earlier task wrote, in a workspace of the algorithm's own
  bool overflows = false;   ///< some integer does not fit 64 bits: the counts are those up to there
  bool misfits = false;     ///< some task's arguments do not fit together, or are one tile where its kernel takes none
};

/// Throws Invalid where a program would be wrong in a way that programs are not made to be: a tile that a matrix does
/// not have, a view outside its tile, a division by zero, a loop that does not end, too many tasks, a break where the
/// language has none; and where it depends on a scalar of a kernel whether a tile that nobody has written is read.
Tally interpret(const Program &program, const Sizes &sizes);
/// Interprets the program with the loop that an element may end ending in that iteration, from 1 on; 0: by itself.
Tally interpret(const Program &program, const Sizes &sizes, int iterations);

/// Calls interpret() for the first numbers of iterations that the loop which an element may end can have, until one
/// returns true.
bool anyEnd(const Program &program, const std::function<bool(int iterations)> &interpret);

/// Whether a program is wrong in this way at some small sizes, with some small periods.
bool maybe(bool Tally::*wrong, const Program &program);

} // namespace fuzz
