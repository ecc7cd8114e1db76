// The sizes of a program's matrices, and of all that they decide, as unroll() needs them. Private to the IR.
#pragma once

#include "compiler/ir/unroll.hpp"

#include <cstdint>
#include <vector>

namespace hetc::ir {

/// Leaves a walk at any depth; becomes the UnrollError that unroll() returns.
struct Stop {
  UnrollError error;
};

struct Dimensions {
  std::int64_t m = 0, n = 0, mb = 1, nb = 1, mt = 0, nt = 0, ns = 0;
};

struct BoundSizes {
  Environment names;                  ///< scalars and extents, as the program's body names them
  std::vector<Dimensions> dimensions; ///< the dimensions of each matrix
};

/// Throws Stop where the sizes are none for the program.
BoundSizes bindMatrices(const Program &program, const Sizes &sizes);

} // namespace hetc::ir
