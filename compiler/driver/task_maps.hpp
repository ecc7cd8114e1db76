// The stage of task maps: a program whose owners do all becomes one whose updates are dealt, to copies of the nodes or
// to the elements of one.
#pragma once

#include "compiler/driver/compile.hpp"
#include "compiler/ir/diagnostic.hpp"

#include <string>
#include <vector>

namespace hetc::driver {

struct Dealt {
  bool isDealt;                            ///< false where there is nothing to deal, as the error says
  std::vector<ir::Diagnostic> diagnostics; ///< remarks; or an error: the program is not for it
};

/// Rewrites the program (maps::replicate()). 2 <= copies <= maps::mostCopies.
Dealt replicateProgram(ir::Program &program, int copies, const std::vector<ir::Kernel> &kernels);

/// Rewrites the program (maps::deal()).
Dealt dealProgram(ir::Program &program, const std::vector<ir::Kernel> &kernels);

/// The short names of the kernels that they want; none where owners do all.
std::vector<std::string> kernelsForMaps(int copies, Tasks tasks);

} // namespace hetc::driver
