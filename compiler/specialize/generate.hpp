// isl's code generation for a single statement, for sets that scan() leaves.
#pragma once

#include "compiler/specialize/nest.hpp"

namespace hetc::specialize {

/// Makes the loops for makeNests(), for any set: some ten milliseconds each.
std::vector<Nest> generate(const isl::set &instances, const std::vector<NestVariable> &variables,
                           const std::map<std::string, ir::ExprRef> &parameters, const isl::set &context);

} // namespace hetc::specialize
