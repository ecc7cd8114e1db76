// Trials of a program that has no proof, for all small sizes.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <optional>

namespace hetc::dependence {

/// The first error that a run with few tiles of one element has: an index outside its matrix or part, a loop or calls
/// without end. Nothing where there is none, and where sizes and defaults do not decide what the program does.
std::optional<ir::Diagnostic> trySmallSizes(const ir::Program &program);

} // namespace hetc::dependence
