// The iterations of one loop as a parameter set.
#pragma once

#include "compiler/dependence/affine.hpp"

namespace hetc::dependence {

struct Iterations {
  isl::set set;         ///< { : the loop's variable takes this value }, all names parameters
  int direction = 1;    ///< sign of the step
  bool complete = true; ///< no iteration is missing; false: one may be
};

/// The treatment of loops whose step is not a constant, as those of trees: d *= 2, i += 2 * d; and of conditions that
/// ask which tiles a matrix has.
enum class Steps {
  Constant, ///< NonAffine
  Covered,  ///< all values as far as its end count as iterations: more than there are; every tile may be there, or not
};

/// `outer`: { : the loop is reached }. Throws NonAffine unless the step is a constant (or covered), the condition is
/// affine and the loop provably ends.
Iterations iterations(AffineTranslator &translator, const ir::Loop &loop, const isl::set &outer, Steps steps);

} // namespace hetc::dependence
