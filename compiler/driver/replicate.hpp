// The stage of copies of nodes: a program whose owners do all becomes one whose updates are dealt to copies.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <string>
#include <vector>

namespace hetc::driver {

struct Dealt {
  bool isDealt;                            ///< else there is nothing to deal, as the error says
  std::vector<ir::Diagnostic> diagnostics; ///< remarks; or an error: the program is not for copies
};

/// Rewrites the program (maps::replicate()). 2 <= copies <= maps::mostCopies.
Dealt replicateProgram(ir::Program &program, int copies, const std::vector<ir::Kernel> &kernels);

/// The short names of these kernels; none where there is one copy.
std::vector<std::string> kernelsForCopies(int copies);

} // namespace hetc::driver
