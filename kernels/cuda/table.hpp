// Which kernels run on a CUDA device.
#pragma once

#include <tla/kernels/table.hpp>

#include <string_view>

namespace tla::kernels::cuda {

/// The bodies of this back-end (bodies.hpp); null entries where it has none. T as in kernelTable().
template <typename T> const KernelTable<T> &cudaTable();

/// Whether there is a body for the kernel of this name; the same for all four types.
bool hasKernel(std::string_view name);

} // namespace tla::kernels::cuda
