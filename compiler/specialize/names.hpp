// How the program writes the parameters of isl's sets.
#pragma once

#include "compiler/dependence/model.hpp"

#include <map>

namespace hetc::specialize {

/// By isl's name; null where the program has no expression. Enumerations are their values.
std::map<std::string, ir::ExprRef> parameterNames(const dependence::Model &model);

} // namespace hetc::specialize
