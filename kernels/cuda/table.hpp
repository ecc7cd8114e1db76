// Which kernels run on a CUDA device.
#pragma once

#include <tla/kernels/table.hpp>

#include <string_view>

namespace tla::kernels::cuda {

/// The bodies of this back-end (bodies.hpp); null entries where it has none. T as in kernelTable().
template <typename T> const KernelTable<T> &cudaTable();

/// Whether there is a body for the kernel of this name; the same for all four types.
bool hasKernel(std::string_view name);

/// Whether getrf and geqrf are kernels of our own: cuSOLVER's where the environment says HETC_CUDA_PANELS=cusolver, to
/// compare, or when in doubt. Throws CudaError when it says anything else but "own".
bool panelsAreOurs();

} // namespace tla::kernels::cuda
