// What a task map makes.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <vector>

namespace hetc::maps {

/// A program whose updates are dealt, and remarks on what stayed with the owners.
struct Mapped {
  ir::Program program;
  std::vector<ir::Diagnostic> diagnostics;
};

} // namespace hetc::maps
