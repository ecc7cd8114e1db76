// Products by OpenBLAS; see kernels/recursive/products.hpp.
#pragma once

#include "kernels/openblas/gemmt.hpp"
#include "kernels/openblas/symm.hpp"

namespace tla::kernels::products {

using openblas::gemm;
using openblas::gemmt;
using openblas::hemm;
using openblas::herk;
using openblas::symm;
using openblas::syrk;
using openblas::blas::ComplexDouble;
using openblas::blas::ComplexFloat;

template <typename T> bool likesStrips() { return openblas::usesBlocks<T>(); }

template <typename T> void trsmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  openblas::blas::trsm(side, uplo, op, diag, alpha, A, B);
}
template <typename T> void trmmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  openblas::blas::trmm(side, uplo, op, diag, alpha, A, B);
}

inline void addOuterProduct(const ComplexFloat &alpha, const ComplexFloat *x, const ComplexFloat *y,
                            Tile<ComplexFloat> A) {
  cblas_cgerc(CblasColMajor, A.m(), A.n(), &alpha, x, 1, y, 1, A.data(), A.ld());
}
inline void addOuterProduct(const ComplexDouble &alpha, const ComplexDouble *x, const ComplexDouble *y,
                            Tile<ComplexDouble> A) {
  cblas_zgerc(CblasColMajor, A.m(), A.n(), &alpha, x, 1, y, 1, A.data(), A.ld());
}
inline void multiplyAdjoint(ConstTile<ComplexFloat> A, const ComplexFloat *x, ComplexFloat *y) {
  const ComplexFloat one = 1, zero = 0;
  cblas_cgemv(CblasColMajor, CblasConjTrans, A.m(), A.n(), &one, A.data(), A.ld(), x, 1, &zero, y, 1);
}
inline void multiplyAdjoint(ConstTile<ComplexDouble> A, const ComplexDouble *x, ComplexDouble *y) {
  const ComplexDouble one = 1, zero = 0;
  cblas_zgemv(CblasColMajor, CblasConjTrans, A.m(), A.n(), &one, A.data(), A.ld(), x, 1, &zero, y, 1);
}

} // namespace tla::kernels::products
