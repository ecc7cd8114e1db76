// The verifier of node programs.
#pragma once

#include "compiler/specialize/node_program.hpp"

#include <optional>

namespace hetc::specialize {

/// A loop variable or bool of the node program that is named where it does not exist: a mistake of ours. Nothing when
/// there is none.
std::optional<std::string> nameOutOfScope(const NodeProgram &nodeProgram);

} // namespace hetc::specialize
