// How the program writes the parameters of isl's sets.
#pragma once

#include "compiler/dependence/model.hpp"

#include <map>

namespace hetc::specialize {

/// How the program writes each of isl's parameters, by isl's name; null where it has no expression. Enumerations are
/// their values.
std::map<std::string, ir::ExprRef> parameterNames(const dependence::Model &model);

} // namespace hetc::specialize
