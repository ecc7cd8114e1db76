// Telling real counterexamples from those that only the analysis believes in.
#pragma once

#include "compiler/dependence/dependence.hpp"

namespace hetc::dependence {

/// Shapes such as n / 2 become sizes of their own in the analysis, unrelated to n: a counterexample may then set both
/// as no real matrix has them. False when the violation rests on such a size and running the loops for all small sizes
/// and tile sizes that the program's requirements allow does not show it.
bool isConfirmed(const ir::Program &program, const Violation &violation);

} // namespace hetc::dependence
