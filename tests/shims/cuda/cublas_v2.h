// cuBLAS by the reference bodies. See README.md.
#pragma once

#include "kernels/reference/reference.hpp"
#include "streams.hpp"

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
using cublasHandle_t = struct ShimBlas *;

struct cuComplex {
  float x, y;
};
struct cuDoubleComplex {
  double x, y;
};

inline const char *cublasGetStatusString(cublasStatus_t) { return "no error"; }
struct ShimBlas {
  cudaStream_t stream = nullptr;
};
inline cublasStatus_t cublasCreate(cublasHandle_t *handle) { return *handle = new ShimBlas, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) { return delete handle, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return handle->stream = stream, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) { return *version = 0, CUBLAS_STATUS_SUCCESS; }

namespace shim {
inline tla::Op op(cublasOperation_t x) {
  return x == CUBLAS_OP_N ? tla::Op::NoTrans : x == CUBLAS_OP_T ? tla::Op::Trans : tla::Op::ConjTrans;
}
inline tla::Uplo uplo(cublasFillMode_t x) { return x == CUBLAS_FILL_MODE_LOWER ? tla::Uplo::Lower : tla::Uplo::Upper; }
inline tla::Diag diag(cublasDiagType_t x) { return x == CUBLAS_DIAG_UNIT ? tla::Diag::Unit : tla::Diag::NonUnit; }
inline tla::Side side(cublasSideMode_t x) { return x == CUBLAS_SIDE_LEFT ? tla::Side::Left : tla::Side::Right; }
template <typename T, typename D> tla::Tile<T> tile(const D *data, int m, int n, int ld) {
  return {reinterpret_cast<T *>(const_cast<D *>(data)), m, n, ld};
}
template <typename T, typename D> T scalar(const D *x) { return *reinterpret_cast<const T *>(x); }
/// A matrix in the device's memory.
template <typename D> Range matrix(const D *data, int m, int n, int ld, bool written = false) {
  return {data, sizeof(D) * m, std::size_t(n), sizeof(D) * ld, written};
}
} // namespace shim

#define SHIM_BLAS(X, T, D)                                                                                             \
  inline cublasStatus_t cublas##X##gemm(cublasHandle_t handle, cublasOperation_t a, cublasOperation_t b, int m, int n, \
                                        int k, const D *alpha, const D *A, int lda, const D *B, int ldb,               \
                                        const D *beta, D *C, int ldc) {                                                \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    const T betaOf = shim::scalar<T>(beta);                                                                            \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::gemm<T>(                                                                           \
                        shim::op(a), shim::op(b), alphaOf, shim::tile<T>(A, a ? k : m, a ? m : k, lda),                \
                        shim::tile<T>(B, b ? n : k, b ? k : n, ldb), betaOf, shim::tile<T>(C, m, n, ldc));             \
                  },                                                                                                   \
                  {shim::matrix(A, a ? k : m, a ? m : k, lda), shim::matrix(B, b ? n : k, b ? k : n, ldb),             \
                   shim::matrix(C, m, n, ldc, true)});                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t a, cublasOperation_t b, \
                                                      int m, int n, int k, const D *alpha, const D *A, int lda,        \
                                                      long long strideA, const D *B, int ldb, long long strideB,       \
                                                      const D *beta, D *C, int ldc, long long strideC, int count) {    \
    for (int i = 0; i < count; ++i)                                                                                    \
      cublas##X##gemm(handle, a, b, m, n, k, alpha, A + i * strideA, lda, B + i * strideB, ldb, beta, C + i * strideC, \
                      ldc);                                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t s, cublasFillMode_t u,                 \
                                        cublasOperation_t o, cublasDiagType_t d, int m, int n, const D *alpha,         \
                                        const D *A, int lda, D *B, int ldb) {                                          \
    const int k = s == CUBLAS_SIDE_LEFT ? m : n;                                                                       \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::trsm<T>(shim::side(s), shim::uplo(u), shim::op(o), shim::diag(d), alphaOf,         \
                                            shim::tile<T>(A, k, k, lda), shim::tile<T>(B, m, n, ldb));                 \
                  },                                                                                                   \
                  {shim::matrix(A, k, k, lda), shim::matrix(B, m, n, ldb, true)});                                     \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##trmm(cublasHandle_t handle, cublasSideMode_t s, cublasFillMode_t u,                 \
                                        cublasOperation_t o, cublasDiagType_t d, int m, int n, const D *alpha,         \
                                        const D *A, int lda, const D *, int, D *C, int ldc) {                          \
    const int k = s == CUBLAS_SIDE_LEFT ? m : n;                                                                       \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::trmm<T>(shim::side(s), shim::uplo(u), shim::op(o), shim::diag(d), alphaOf,         \
                                            shim::tile<T>(A, k, k, lda), shim::tile<T>(C, m, n, ldc));                 \
                  },                                                                                                   \
                  {shim::matrix(A, k, k, lda), shim::matrix(C, m, n, ldc, true)});                                     \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##symm(cublasHandle_t handle, cublasSideMode_t s, cublasFillMode_t u, int m, int n,   \
                                        const D *alpha, const D *A, int lda, const D *B, int ldb, const D *beta, D *C, \
                                        int ldc) {                                                                     \
    const int k = s == CUBLAS_SIDE_LEFT ? m : n;                                                                       \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    const T betaOf = shim::scalar<T>(beta);                                                                            \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::symm<T>(shim::side(s), shim::uplo(u), alphaOf, shim::tile<T>(A, k, k, lda),        \
                                            shim::tile<T>(B, m, n, ldb), betaOf, shim::tile<T>(C, m, n, ldc));         \
                  },                                                                                                   \
                  {shim::matrix(A, k, k, lda), shim::matrix(B, m, n, ldb), shim::matrix(C, m, n, ldc, true)});         \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##syrk(cublasHandle_t handle, cublasFillMode_t u, cublasOperation_t o, int n, int k,  \
                                        const D *alpha, const D *A, int lda, const D *beta, D *C, int ldc) {           \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    const T betaOf = shim::scalar<T>(beta);                                                                            \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::syrk<T>(shim::uplo(u), shim::op(o), alphaOf,                                       \
                                            shim::tile<T>(A, o ? k : n, o ? n : k, lda), betaOf,                       \
                                            shim::tile<T>(C, n, n, ldc));                                              \
                  },                                                                                                   \
                  {shim::matrix(A, o ? k : n, o ? n : k, lda), shim::matrix(C, n, n, ldc, true)});                     \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }
SHIM_BLAS(S, float, float)
SHIM_BLAS(D, double, double)
SHIM_BLAS(C, std::complex<float>, cuComplex)
SHIM_BLAS(Z, std::complex<double>, cuDoubleComplex)
#undef SHIM_BLAS

#define SHIM_HERK(X, T, R, D)                                                                                          \
  inline cublasStatus_t cublas##X##hemm(cublasHandle_t handle, cublasSideMode_t s, cublasFillMode_t u, int m, int n,   \
                                        const D *alpha, const D *A, int lda, const D *B, int ldb, const D *beta, D *C, \
                                        int ldc) {                                                                     \
    const int k = s == CUBLAS_SIDE_LEFT ? m : n;                                                                       \
    const T alphaOf = shim::scalar<T>(alpha);                                                                          \
    const T betaOf = shim::scalar<T>(beta);                                                                            \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::hemm<T>(shim::side(s), shim::uplo(u), alphaOf, shim::tile<T>(A, k, k, lda),        \
                                            shim::tile<T>(B, m, n, ldb), betaOf, shim::tile<T>(C, m, n, ldc));         \
                  },                                                                                                   \
                  {shim::matrix(A, k, k, lda), shim::matrix(B, m, n, ldb), shim::matrix(C, m, n, ldc, true)});         \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##herk(cublasHandle_t handle, cublasFillMode_t u, cublasOperation_t o, int n, int k,  \
                                        const R *alpha, const D *A, int lda, const R *beta, D *C, int ldc) {           \
    const R alphaOf = *alpha, betaOf = *beta;                                                                          \
    shim::enqueue(handle->stream,                                                                                      \
                  [=] {                                                                                                \
                    tla::reference::herk<T>(shim::uplo(u), shim::op(o), alphaOf,                                       \
                                            shim::tile<T>(A, o ? k : n, o ? n : k, lda), betaOf,                       \
                                            shim::tile<T>(C, n, n, ldc));                                              \
                  },                                                                                                   \
                  {shim::matrix(A, o ? k : n, o ? n : k, lda), shim::matrix(C, n, n, ldc, true)});                     \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }
SHIM_HERK(C, std::complex<float>, float, cuComplex)
SHIM_HERK(Z, std::complex<double>, double, cuDoubleComplex)
#undef SHIM_HERK
