#pragma once
#include <tla/tla.hpp>

/// A <- L^-1 A L^-H, A Hermitian, L lower triangular (LAPACK: hegst, itype = 1, uplo = 'L'). On a tile: both sides are solved for,
/// of the tile written out in full.
#pragma tla kernel bound(compute) flops(A.m() * A.m() * A.m()) requires(A.m() == A.n(), L.m() == A.m(), L.n() == A.m())
template <typename T> void hegs2(tla::ConstTile<T> L, tla::Tile<T> A) {
  const int n = A.m();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      A(i, j) = A(j, i);
  tla::trsm(tla::Left, tla::Lower, tla::NoTrans, tla::NonUnit, T(1), L, A);
  tla::trsm(tla::Right, tla::Lower, tla::ConjTrans, tla::NonUnit, T(1), L, A);
}

#pragma tla algorithm shape(A(n, n), L(n, n)) input(A : hermitian, L : lower)
template <typename T>
void hegst(tla::LowerMatrix<T> L, tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    hegs2(L(k, k), A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), L(k, k), A(i, k));
      #pragma tla task
      hemm(Right, Lower, T(-0.5), A(k, k), L(i, k), T(1), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      gemmt(Lower, NoTrans, ConjTrans, T(-1), A(j, k), L(j, k), T(1), A(j, j));
      #pragma tla task
      gemmt(Lower, NoTrans, ConjTrans, T(-1), L(j, k), A(j, k), T(1), A(j, j));
      for (int i = j + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), A(i, k), L(j, k), T(1), A(i, j));
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), L(i, k), A(j, k), T(1), A(i, j));
      }
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      hemm(Right, Lower, T(-0.5), A(k, k), L(i, k), T(1), A(i, k));
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), L(i, i), A(i, k));
      for (int j = i + 1; j < A.mt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(j, i), A(i, k), T(1), A(j, k));
      }
    }
  }
}
