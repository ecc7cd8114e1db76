// The last stage: objects become an executable or a shared library.
#pragma once

#include "compiler/backend/link.hpp"
#include "compiler/ir/program.hpp"

#include <optional>
#include <set>
#include <string>

namespace hetc::codegen {

struct Linked {
  std::string file;
  std::set<std::string> read; ///< files that were read, as in backend::LinkOutcome
};

/// Writes `output`. Nothing half-written is ever seen there: it is linked beside it and renamed. Nothing after an
/// error, which was shown in the words of the program's author.
std::optional<Linked> linkProgram(const ir::Program &program, const backend::LinkInputs &inputs, backend::LinkKind kind,
                                  const std::string &output);

} // namespace hetc::codegen
