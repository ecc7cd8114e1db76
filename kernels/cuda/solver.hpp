// What calls of cuSOLVER have in common.
#pragma once

#include <complex>
#include <cusolverDn.h>
#include <type_traits>

namespace tla::kernels::cuda {

template <typename T> cudaDataType dataType() {
  if constexpr (std::is_same_v<T, float>)
    return CUDA_R_32F;
  else if constexpr (std::is_same_v<T, double>)
    return CUDA_R_64F;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return CUDA_C_32F;
  else
    return CUDA_C_64F;
}

} // namespace tla::kernels::cuda
