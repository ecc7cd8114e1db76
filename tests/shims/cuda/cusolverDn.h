// cuSOLVER by the reference bodies. See README.md.
#pragma once

#include "cublas_v2.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

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

namespace shim {
/// body(zero of the type).
template <typename Body> void withType(cudaDataType type, Body &&body) {
  type == CUDA_R_32F   ? body(float())
  : type == CUDA_R_64F ? body(double())
  : type == CUDA_C_32F ? body(std::complex<float>())
                       : body(std::complex<double>());
}
} // namespace shim

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
  shim::withType(type, [=]<typename T>(T) {
    shim::enqueue(
        handle->stream,
        [=] {
          *info = tla::reference::potrf<T>(shim::uplo(u), {static_cast<T *>(A), order, order, ld});
        },
        {shim::matrix(static_cast<T *>(A), order, order, ld, true), {info, sizeof(int), 1, sizeof(int), true}});
  });
  return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, std::int64_t, std::int64_t,
                                                    cudaDataType, const void *, std::int64_t, cudaDataType,
                                                    std::size_t *bytes, std::size_t *hostBytes) {
  *bytes = 64;
  *hostBytes = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, std::int64_t m, std::int64_t n,
                                         cudaDataType type, void *A, std::int64_t lda, std::int64_t *ipiv, cudaDataType,
                                         void *, std::size_t, void *, std::size_t, int *info) {
  shim::withType(type, [=]<typename T>(T) {
    const tla::Tile<T> a(static_cast<T *>(A), static_cast<int>(m), static_cast<int>(n), static_cast<int>(lda));
    const int k = std::min(a.m(), a.n());
    shim::enqueue(handle->stream,
                  [=] {
                    std::vector<int> pivots(k);
                    const tla::Tile<T> tiles[] = {a};
                    *info = tla::reference::getrf<T>(0, tla::Panel<T>(tiles, 1), {pivots.data(), k, 1, k});
                    std::copy(pivots.begin(), pivots.end(), ipiv);
                  },
                  {shim::matrix(a.data(), a.m(), a.n(), a.ld(), true),
                   shim::matrix(ipiv, k, 1, k, true),
                   {info, sizeof(int), 1, sizeof(int), true}});
  });
  return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, std::int64_t, std::int64_t,
                                                    cudaDataType, const void *, std::int64_t, cudaDataType,
                                                    const void *, cudaDataType, std::size_t *bytes,
                                                    std::size_t *hostBytes) {
  *bytes = 64;
  *hostBytes = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, std::int64_t m, std::int64_t n,
                                         cudaDataType type, void *A, std::int64_t lda, cudaDataType, void *tau,
                                         cudaDataType, void *, std::size_t, void *, std::size_t, int *info) {
  shim::withType(type, [=]<typename T>(T) {
    const tla::Tile<T> a(static_cast<T *>(A), static_cast<int>(m), static_cast<int>(n), static_cast<int>(lda));
    const int k = std::min(a.m(), a.n());
    T *const t = static_cast<T *>(tau);
    shim::enqueue(handle->stream,
                  [=] {
                    std::vector<T> factor(static_cast<std::size_t>(k) * k);
                    const tla::Tile<T> tiles[] = {a};
                    tla::reference::geqrf<T>(tla::Panel<T>(tiles, 1), {t, k, 1, k}, {factor.data(), k, k, k});
                    *info = 0;
                  },
                  {shim::matrix(a.data(), a.m(), a.n(), a.ld(), true),
                   shim::matrix(t, k, 1, k, true),
                   {info, sizeof(int), 1, sizeof(int), true}});
  });
  return CUSOLVER_STATUS_SUCCESS;
}
