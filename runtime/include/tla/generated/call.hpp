// A compiled algorithm as a function of the host's: what the headers that hetc --emit=header writes are made of.
#pragma once

#include <tla/generated/generated.hpp>
#include <tla/runtime/executor.hpp>

#include <initializer_list>

namespace tla::runtime {

/// Runs the algorithm on these arguments, matrices and scalars each in the order of the description, and waits. The
/// first call of the process installs the fastest kernels there are (tla/kernels/table.hpp); HETC_KERNELS, or
/// installKernels() after it, chooses others.
///
/// Throws UsageError when the arguments do not fit, before anything runs: shapes that ask for different sizes, negative
/// sizes, tiles of different sizes or of none or cut as the program does not ask for, a leading dimension below the
/// rows, a null array, a scalar that its parameter does not take (scalars.hpp), an executor that is running;
/// std::runtime_error when HETC_KERNELS names kernels that cannot be loaded. Everything else is in the Outcome.
Outcome call(Executor &executor, const Algorithm &algorithm, std::initializer_list<Storage *> matrices,
             std::initializer_list<ScalarValue> scalars);

/// The sizes m, n and k that follow from the matrices, from which workspaces and tile sizes follow; 0 for a size that
/// no matrix has. Workspaces are not looked at, and nothing is checked: call() does that.
Values sizesOf(const Algorithm &algorithm, const Arguments &arguments);

} // namespace tla::runtime
