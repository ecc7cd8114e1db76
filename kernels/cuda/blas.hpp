// The cuBLAS routines this back-end uses, one overloaded name each, on tiles in the device's memory. Products are our
// own where these are faster (tuned_products.hpp).
#pragma once

#include "kernels/cuda/launch.hpp"

#include <complex>

namespace tla::kernels::cuda::blas {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

/// The cuBLAS value of an operation; for a real type ConjTrans is Trans.
template <typename T> cublasOperation_t cublas(Op op) {
  return op == Op::NoTrans ? CUBLAS_OP_N : op == Op::Trans || !isComplex<T> ? CUBLAS_OP_T : CUBLAS_OP_C;
}
inline cublasFillMode_t cublas(Uplo uplo) {
  return uplo == Uplo::Lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
inline cublasDiagType_t cublas(Diag diag) { return diag == Diag::Unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
inline cublasSideMode_t cublas(Side side) { return side == Side::Left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT; }

// X: the letter of the type; D: CUDA's own type.
#define TLA_CUBLAS_ON_TILES(X, T, D)                                                                                   \
  inline void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                       \
    Launch &launch = Launch::current();                                                                                \
    if (launch.tuned() && launch.tuned()->gemm(launch.stream(), opA, opB, alpha, A, B, beta, C, launch.held()))        \
      return;                                                                                                          \
    TLA_CUDA_CHECK(cublas##X##gemm(launch.blas(), cublas<T>(opA), cublas<T>(opB), C.m(), C.n(),                        \
                                   opA == Op::NoTrans ? A.n() : A.m(), (const D *)&alpha, (const D *)A.data(), A.ld(), \
                                   (const D *)B.data(), B.ld(), (const D *)&beta, (D *)C.data(), C.ld()));             \
  }                                                                                                                    \
  /* `count` products, whose operands are so many elements further each. */                                            \
  inline void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, long strideA, ConstTile<T> B, long strideB, T beta,        \
                   Tile<T> C, long strideC, int count) {                                                               \
    TLA_CUDA_CHECK(cublas##X##gemmStridedBatched(Launch::current().blas(), cublas<T>(opA), cublas<T>(opB), C.m(),      \
                                                 C.n(), opA == Op::NoTrans ? A.n() : A.m(), (const D *)&alpha,         \
                                                 (const D *)A.data(), A.ld(), strideA, (const D *)B.data(), B.ld(),    \
                                                 strideB, (const D *)&beta, (D *)C.data(), C.ld(), strideC, count));   \
  }                                                                                                                    \
  inline void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {                       \
    TLA_CUDA_CHECK(cublas##X##trsm(Launch::current().blas(), cublas(side), cublas(uplo), cublas<T>(op), cublas(diag),  \
                                   B.m(), B.n(), (const D *)&alpha, (const D *)A.data(), A.ld(), (D *)B.data(),        \
                                   B.ld()));                                                                           \
  }                                                                                                                    \
  inline void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {                       \
    TLA_CUDA_CHECK(cublas##X##trmm(Launch::current().blas(), cublas(side), cublas(uplo), cublas<T>(op), cublas(diag),  \
                                   B.m(), B.n(), (const D *)&alpha, (const D *)A.data(), A.ld(), (const D *)B.data(),  \
                                   B.ld(), (D *)B.data(), B.ld()));                                                    \
  }                                                                                                                    \
  inline void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                 \
    TLA_CUDA_CHECK(cublas##X##symm(Launch::current().blas(), cublas(side), cublas(uplo), C.m(), C.n(),                 \
                                   (const D *)&alpha, (const D *)A.data(), A.ld(), (const D *)B.data(), B.ld(),        \
                                   (const D *)&beta, (D *)C.data(), C.ld()));                                          \
  }                                                                                                                    \
  inline void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {                                     \
    TLA_CUDA_CHECK(cublas##X##syrk(Launch::current().blas(), cublas(uplo), cublas<T>(op), C.n(),                       \
                                   op == Op::NoTrans ? A.n() : A.m(), (const D *)&alpha, (const D *)A.data(), A.ld(),  \
                                   (const D *)&beta, (D *)C.data(), C.ld()));                                          \
  }
TLA_CUBLAS_ON_TILES(S, float, float)
TLA_CUBLAS_ON_TILES(D, double, double)
TLA_CUBLAS_ON_TILES(C, ComplexFloat, cuComplex)
TLA_CUBLAS_ON_TILES(Z, ComplexDouble, cuDoubleComplex)
#undef TLA_CUBLAS_ON_TILES

#define TLA_CUBLAS_HERK_ON_TILES(X, T, D)                                                                              \
  inline void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                 \
    TLA_CUDA_CHECK(cublas##X##hemm(Launch::current().blas(), cublas(side), cublas(uplo), C.m(), C.n(),                 \
                                   (const D *)&alpha, (const D *)A.data(), A.ld(), (const D *)B.data(), B.ld(),        \
                                   (const D *)&beta, (D *)C.data(), C.ld()));                                          \
  }                                                                                                                    \
  inline void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {                 \
    TLA_CUDA_CHECK(cublas##X##herk(Launch::current().blas(), cublas(uplo), cublas<T>(op), C.n(),                       \
                                   op == Op::NoTrans ? A.n() : A.m(), &alpha, (const D *)A.data(), A.ld(), &beta,      \
                                   (D *)C.data(), C.ld()));                                                            \
  }
TLA_CUBLAS_HERK_ON_TILES(C, ComplexFloat, cuComplex)
TLA_CUBLAS_HERK_ON_TILES(Z, ComplexDouble, cuDoubleComplex)
#undef TLA_CUBLAS_HERK_ON_TILES

} // namespace tla::kernels::cuda::blas
