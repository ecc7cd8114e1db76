// The linker's complaints in the words of a user of hetc.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>

namespace hetc::driver {

/// Lines to show, from what the linker printed when it failed. A kernel without a body gets one line that says where
/// to put it; text that is not understood stays as it is.
std::string explainLinkFailure(const std::string &messages, const ir::Program &program);

} // namespace hetc::driver
