// cuSOLVER by the reference bodies. See README.md.
#pragma once

#include "cublas_v2.h"

#include <cstdint>

enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_INVALID_VALUE = 3 };
using cusolverDnHandle_t = struct ShimSolver *;
using cusolverDnParams_t = struct ShimSolverParameters *;

struct ShimSolver {
  cudaStream_t stream = nullptr;
};
inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  return *handle = new ShimSolver, CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) { return delete handle, CUSOLVER_STATUS_SUCCESS; }
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return handle->stream = stream, CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *parameters) {
  return *parameters = nullptr, CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t) { return CUSOLVER_STATUS_SUCCESS; }

inline cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t,
                                                    std::int64_t, cudaDataType, const void *, std::int64_t,
                                                    cudaDataType, std::size_t *bytes, std::size_t *hostBytes) {
  *bytes = 64;
  *hostBytes = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t u,
                                         std::int64_t n, cudaDataType type, void *A, std::int64_t lda, cudaDataType,
                                         void *, std::size_t, void *, std::size_t, int *info) {
  const int order = static_cast<int>(n), ld = static_cast<int>(lda);
  const auto factor = [=]<typename T>(T) {
    shim::enqueue(
        handle->stream,
        [=] {
          *info = tla::reference::potrf<T>(shim::uplo(u), {static_cast<T *>(A), order, order, ld});
        },
        {shim::matrix(static_cast<T *>(A), order, order, ld, true), {info, sizeof(int), 1, sizeof(int), true}});
  };
  type == CUDA_R_32F   ? factor(float())
  : type == CUDA_R_64F ? factor(double())
  : type == CUDA_C_32F ? factor(std::complex<float>())
                       : factor(std::complex<double>());
  return CUSOLVER_STATUS_SUCCESS;
}
