// Words of counterexamples. Private to the stage.
#pragma once

#include "compiler/dependence/dependence.hpp"

#include <string>

namespace hetc::dependence {

/// The value of a scalar parameter or a size as the program writes it: "3", "ConjTrans".
std::string valueText(const ir::Program &program, const std::string &name, std::int64_t value);

/// Loops of the same name got a number each ("k_1"), and what says how far a loop got has a name of hetc's (Until);
/// people know them by the name they wrote, or by what they are.
std::string sourceName(const ir::Program &program, const std::string &name);

} // namespace hetc::dependence
