// The errors of CUDA's libraries as exceptions that name the call.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include <stdexcept>
#include <string>

namespace tla::kernels::cuda {

/// A call of CUDA that failed: "cudaMemcpyAsync on device 1: an illegal memory access was encountered".
class CudaError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws CudaError: "CALL on device N: REASON". Of `call` only the name of the function counts.
[[noreturn]] void fail(const char *call, const std::string &reason);

inline void check(cudaError_t status, const char *call) {
  if (status != cudaSuccess)
    fail(call, cudaGetErrorString(status));
}
inline void check(cublasStatus_t status, const char *call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail(call, cublasGetStatusString(status));
}
inline void check(cusolverStatus_t status, const char *call) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    fail(call, "cuSOLVER status " + std::to_string(status));
}

} // namespace tla::kernels::cuda

#define TLA_CUDA_CHECK(call) ::tla::kernels::cuda::check((call), #call)
