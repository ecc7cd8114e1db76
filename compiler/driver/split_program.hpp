// The stage of --split: a program on tiles becomes one on slices of them.
#pragma once

#include "compiler/driver/fit.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <optional>
#include <vector>

namespace hetc::driver {

struct Split {
  std::vector<ir::Diagnostic> diagnostics; ///< remarks: kernels that run on whole tiles all the same
};

/// Rewrites the program, and the algorithm that its check calls, by these rules; `fitted` is the program's.
/// 2 <= slices <= split::mostSlices.
Split splitProgram(ir::Program &program, const Fitted &fitted, std::optional<ir::Program> &checkedCall, int slices,
                   const std::vector<ir::Program> &rules);

} // namespace hetc::driver
