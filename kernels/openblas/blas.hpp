// The CBLAS routines this back-end uses, one overloaded name each, on tiles.
#pragma once

#include <tla/tile.hpp>

#include <cblas.h>
#include <complex>

namespace tla::kernels::openblas::blas {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

inline CBLAS_TRANSPOSE cblas(Op op) { return static_cast<CBLAS_TRANSPOSE>(op); }
inline CBLAS_UPLO cblas(Uplo uplo) { return static_cast<CBLAS_UPLO>(uplo); }
inline CBLAS_DIAG cblas(Diag diag) { return static_cast<CBLAS_DIAG>(diag); }
inline CBLAS_SIDE cblas(Side side) { return static_cast<CBLAS_SIDE>(side); }

// X: the letter of the type; ADDRESS: & where CBLAS takes complex scalars by address.
#define TLA_BLAS_ON_TILES(X, T, ADDRESS)                                                                               \
  inline void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                       \
    cblas_##X##gemm(CblasColMajor, cblas(opA), cblas(opB), C.m(), C.n(), opA == Op::NoTrans ? A.n() : A.m(),           \
                    ADDRESS alpha, A.data(), A.ld(), B.data(), B.ld(), ADDRESS beta, C.data(), C.ld());                \
  }                                                                                                                    \
  inline void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {                       \
    cblas_##X##trsm(CblasColMajor, cblas(side), cblas(uplo), cblas(op), cblas(diag), B.m(), B.n(), ADDRESS alpha,      \
                    A.data(), A.ld(), B.data(), B.ld());                                                               \
  }                                                                                                                    \
  inline void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {                       \
    cblas_##X##trmm(CblasColMajor, cblas(side), cblas(uplo), cblas(op), cblas(diag), B.m(), B.n(), ADDRESS alpha,      \
                    A.data(), A.ld(), B.data(), B.ld());                                                               \
  }                                                                                                                    \
  inline void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                 \
    cblas_##X##symm(CblasColMajor, cblas(side), cblas(uplo), C.m(), C.n(), ADDRESS alpha, A.data(), A.ld(), B.data(),  \
                    B.ld(), ADDRESS beta, C.data(), C.ld());                                                           \
  }                                                                                                                    \
  inline void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {                                     \
    cblas_##X##syrk(CblasColMajor, cblas(uplo), cblas(op), C.n(), op == Op::NoTrans ? A.n() : A.m(), ADDRESS alpha,    \
                    A.data(), A.ld(), ADDRESS beta, C.data(), C.ld());                                                 \
  }
TLA_BLAS_ON_TILES(s, float, )
TLA_BLAS_ON_TILES(d, double, )
TLA_BLAS_ON_TILES(c, ComplexFloat, &)
TLA_BLAS_ON_TILES(z, ComplexDouble, &)
#undef TLA_BLAS_ON_TILES

#define TLA_HERK_ON_TILES(X, T)                                                                                        \
  inline void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {                 \
    cblas_##X##hemm(CblasColMajor, cblas(side), cblas(uplo), C.m(), C.n(), &alpha, A.data(), A.ld(), B.data(), B.ld(), \
                    &beta, C.data(), C.ld());                                                                          \
  }                                                                                                                    \
  inline void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {                 \
    cblas_##X##herk(CblasColMajor, cblas(uplo), cblas(op), C.n(), op == Op::NoTrans ? A.n() : A.m(), alpha, A.data(),  \
                    A.ld(), beta, C.data(), C.ld());                                                                   \
  }
TLA_HERK_ON_TILES(c, ComplexFloat)
TLA_HERK_ON_TILES(z, ComplexDouble)
#undef TLA_HERK_ON_TILES

inline void herk(Uplo uplo, Op op, float alpha, ConstTile<float> A, float beta, Tile<float> C) {
  syrk(uplo, op, alpha, A, beta, C);
}
inline void herk(Uplo uplo, Op op, double alpha, ConstTile<double> A, double beta, Tile<double> C) {
  syrk(uplo, op, alpha, A, beta, C);
}

} // namespace tla::kernels::openblas::blas
