// The first stage: from the source to the IR.
#pragma once

#include "compiler/frontend/frontend.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"
#include "compiler/process/source_files.hpp"

#include <optional>
#include <vector>

namespace hetc::driver {

struct Parsed {
  ir::Program program;
  std::optional<ir::Program> checkedCall; ///< the algorithm that a check argument calls
  /// Remarks of the front end. Errors: loops that never end, and steps of panels that may not be positive.
  std::vector<ir::Diagnostic> diagnostics;
};

/// Parses the session's program. Nothing after an error, which was shown: of the front end, or as the output would
/// overwrite a file that was read. Those are added to `files`.
std::optional<Parsed> parseProgram(frontend::FrontEnd &session, process::SourceFiles &files);

} // namespace hetc::driver
