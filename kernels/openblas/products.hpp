// Products by OpenBLAS; see kernels/recursive/products.hpp.
#pragma once

#include "kernels/openblas/gemmt.hpp"
#include "kernels/openblas/symm.hpp"
#include "kernels/recursive/products.hpp"

namespace tla::kernels::products {

using openblas::blas::ComplexDouble;
using openblas::blas::ComplexFloat;

template <typename T> bool likesStrips() { return openblas::usesBlocks<T>(); }

template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  openblas::gemm(opA, opB, alpha, A, B, beta, C);
}
template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  openblas::gemmt(uplo, opA, opB, alpha, A, B, beta, C);
}
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  openblas::syrk(uplo, op, alpha, A, beta, C);
}
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  openblas::herk(uplo, op, alpha, A, beta, C);
}
template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  openblas::symm(side, uplo, alpha, A, B, beta, C);
}
template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  openblas::hemm(side, uplo, alpha, A, B, beta, C);
}

template <typename T> void trsmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  openblas::blas::trsm(side, uplo, op, diag, alpha, A, B);
}
template <typename T> void trmmLeaf(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  openblas::blas::trmm(side, uplo, op, diag, alpha, A, B);
}

template <>
inline void addOuterProduct(ComplexFloat alpha, const ComplexFloat *x, const ComplexFloat *y, Tile<ComplexFloat> A) {
  cblas_cgerc(CblasColMajor, A.m(), A.n(), &alpha, x, 1, y, 1, A.data(), A.ld());
}
template <>
inline void addOuterProduct(ComplexDouble alpha, const ComplexDouble *x, const ComplexDouble *y,
                            Tile<ComplexDouble> A) {
  cblas_zgerc(CblasColMajor, A.m(), A.n(), &alpha, x, 1, y, 1, A.data(), A.ld());
}
template <> inline void multiplyAdjoint(ConstTile<ComplexFloat> A, const ComplexFloat *x, ComplexFloat *y) {
  const ComplexFloat one = 1, zero = 0;
  cblas_cgemv(CblasColMajor, CblasConjTrans, A.m(), A.n(), &one, A.data(), A.ld(), x, 1, &zero, y, 1);
}
template <> inline void multiplyAdjoint(ConstTile<ComplexDouble> A, const ComplexDouble *x, ComplexDouble *y) {
  const ComplexDouble one = 1, zero = 0;
  cblas_zgemv(CblasColMajor, CblasConjTrans, A.m(), A.n(), &one, A.data(), A.ld(), x, 1, &zero, y, 1);
}

} // namespace tla::kernels::products
