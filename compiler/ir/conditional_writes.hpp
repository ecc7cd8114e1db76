// What a kernel does to a tile with some of its scalars, as gemm to C: with beta = 0 it writes it, with beta = 1 it
// adds to it. Where a call's scalars decide that.
#pragma once

#include "compiler/ir/program.hpp"

#include <memory>

namespace hetc::ir {

/// Where the call only writes its argument, a tile that the kernel else reads and writes: 1, 0 or, where variables
/// decide it, as those of gemm(..., k == 0 ? T(0) : T(1), C(i, j)) do, a condition: k == 0. What depends on the value
/// of a number that is no constant is 0: then it may be read.
ExprRef whereOnlyWritten(const Declarations &program, const Kernel &kernel, const Task &task, std::size_t argument);

/// Where the call surely adds to its argument (KernelParameter::addsIf): 1, 0 or a condition, as above. What depends on
/// the value of a number that is no constant is 0: k != 0 for gemm(..., k == 0 ? beta : T(1), C(i, j)).
ExprRef whereAdded(const Declarations &program, const Kernel &kernel, const Task &task, std::size_t argument);

/// The call where it is known whether a condition holds, with the scalars of that case.
std::unique_ptr<Task> inCase(const Task &task, const ExprRef &condition, bool holds);

/// Appends the call, whose accesses are as the kernel's parameters say, to the block: with the accesses of its scalars,
/// and where variables decide these as an if with a call for each case, in which the scalars are those of the case.
/// Views stay read and written, as the rest of their tile does. Tasks are numbered from `next` on.
void appendCall(const Declarations &program, Block &block, const Kernel &kernel, std::unique_ptr<Task> task,
                unsigned &next);

} // namespace hetc::ir
