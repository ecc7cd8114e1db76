// Loops and panels that cannot be run, whatever the sizes.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <vector>

namespace hetc::ir {

/// Errors: loops that never end once they are entered, and steps of panels that may not be positive.
std::vector<Diagnostic> findLoopErrors(const Program &program);

} // namespace hetc::ir
