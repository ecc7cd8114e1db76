// The invariants of the IR, checked after every stage: a violation is a bug in hetc, never in the user's program.
#pragma once

#include "compiler/ir/program.hpp"

namespace hetc::ir {

/// The first violated invariant, with the task or loop that violates it; empty when the program is well formed.
/// Checked: names unique and defined before use (matrices, scalars, loop variables in scope); task ids unique and in
/// textual order; arguments match the kernel's parameters (count, tile or scalar, panel, access); every task
/// writes something and mainOutput is a written tile; rows, cols, tile sizes present where the kind asks for them;
/// released tiles name known matrices; conditions and indices are well formed (operand counts, no null).
std::string verify(const Program &program);

/// Verifies that a task writes something, and that its main output is a tile that it writes. What is wrong continues a
/// sentence on the task: ": it writes no tile".
std::string verifyMainOutput(const Task &task);

/// Verifies the names of a function and of its parameters, and the matrices that it has parts of.
std::string verifySignature(const Program &program, const Function &function);

/// Verifies a kernel's declaration likewise: its clauses name its own parameters.
std::string verifyKernel(const Kernel &kernel);

} // namespace hetc::ir
