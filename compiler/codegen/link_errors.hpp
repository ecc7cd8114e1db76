// The linker's complaints in the words of a user of hetc.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>
#include <vector>

namespace hetc::codegen {

/// Lines to show, from what the linker printed when it failed to link these object files. A kernel without a body gets
/// one line: where to put it, or what is wrong with the one that is there. Text that is not understood stays as it is.
std::string explainLinkFailure(const std::string &messages, const ir::Program &program,
                               const std::vector<std::string> &objects);

} // namespace hetc::codegen
