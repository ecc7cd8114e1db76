// The iterations of one loop as a parameter set.
#pragma once

#include "compiler/dependence/affine.hpp"

namespace hetc::dependence {

struct Iterations {
  isl::set set;      ///< { : the loop's variable takes this value }, all names parameters
  int direction = 1; ///< sign of the step
};

/// `outer`: { : the loop is reached }. Throws NonAffine unless the step is a constant, the condition is affine and the
/// loop provably ends.
Iterations iterations(AffineTranslator &translator, const ir::Loop &loop, const isl::set &outer);

} // namespace hetc::dependence
