// Expressions with what is constant in them computed.
#pragma once

#include "compiler/ir/expr.hpp"

namespace hetc::ir {

/// An expression of the same value and type: arithmetic, comparisons and logic of constants become integers, x + 0, 1 *
/// x, c ? x : x and the like x. Enumerators stay names, numbers of the element type as they are written.
ExprRef simplify(const ExprRef &expr);

} // namespace hetc::ir
