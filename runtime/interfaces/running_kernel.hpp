// What a thread was doing when it crashed.
#pragma once

#include <cstddef>

namespace tla::runtime {

/// Writes "kernel gemm on A(3, 2) (cholesky.tla:21), task 12" of the kernel that the calling thread runs for an
/// executor, cut to less than `size` characters, and nothing where it runs none. Neither waits nor allocates: signal
/// handlers may call it.
void describeRunningKernel(char *text, std::size_t size);

} // namespace tla::runtime
