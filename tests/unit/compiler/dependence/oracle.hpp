// The isl relations at concrete sizes, and the same facts from running the program's loops: text lines, so that a
// difference shows itself.
#pragma once

#include "compiler/dependence/relations.hpp"
#include "compiler/ir/unroll.hpp"

#include <set>
#include <string>

namespace hetc::test {

using Facts = std::set<std::string>;

/// Element counts and scalars by the program's names; tiles have one element, so that sizes are tile counts.
ir::Sizes makeSizes(std::map<std::string, std::int64_t> values);

/// "S0[0] -> S1[0,1] on A[0,0]" with flow, anti or output before it; "S0[0] reads initial A[0,0]"; "S0[0] last uses
/// A[0,0]"; and "S0[0] at 3" for the order of execution. Halved matrices by half.
/// `lastUses`: of computeLastUses.
Facts factsOf(const dependence::Relations &relations, const isl::union_map &lastUses, const ir::Sizes &sizes);
Facts factsOf(const ir::Program &program, const std::vector<ir::TaskInstance> &instances);

} // namespace hetc::test
