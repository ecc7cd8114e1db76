// Algorithms that call themselves: whether their calls end, and trials of what their tasks touch. Where a call leads
// depends on how deep it is, so no affine program is the whole of them, and they are not analyzed as others are.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <vector>

namespace hetc::dependence {

/// The mistakes and what remains open in a program with functions. Errors: calls that are made again with as many tiles
/// and the same ints, and indices and loops that go wrong for a small size. Remarks: calls that nothing is seen to end.
std::vector<ir::Diagnostic> checkFunctions(const ir::Program &program);

/// Returns what a remark says of such a program: "'f' calls itself, so ...".
std::string whyNotAnalyzed(const ir::Program &program);

} // namespace hetc::dependence
