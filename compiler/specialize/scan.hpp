// The nest of a set with affine bounds and strides, read off its constraints: a small part of what isl's code
// generation does, in a tenth of its time.
#pragma once

#include "compiler/specialize/nest.hpp"

#include <optional>

namespace hetc::specialize {

/// Makes the loops for makeNests() of simple sets. Nothing for sets of another shape: several pieces, unbounded,
/// coordinates that are no quotients of the loops' variables, or names that the program does not have.
///
/// Bounds of a loop are the constraints of the set's rational projection onto that loop and those around it. A
/// remainder of the loop's variable becomes its step; what else depends on divisions is tested inside the loop.
std::optional<Nest> scan(const isl::set &instances, const std::vector<NestVariable> &variables,
                         const std::map<std::string, ir::ExprRef> &parameters, const isl::set &context);

/// False where an equality has a division and says anything but that its other terms are divisible. isl 0.25 loses such
/// constraints, as (1 - j) mod 4 = 1 + 2 y, where it brings parameters into another order or makes loops: it takes the
/// value of j from there, and j is then what the division is of.
bool definesDivisions(const isl::set &set);

} // namespace hetc::specialize
