#include <tla/tla.hpp>

/// C = A^H B by way of a copy of A^H: no parameter has as many columns as the workspace.
#pragma tla algorithm shape(A(m, n), B(m, k), C(n, k)) input(A : random, B : random)
template <typename T>
void transposed(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  tla::Workspace<T> D(A.n(), A.m(), A.nb());
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), A(i, j), D(j, i));
    }
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int l = 0; l < A.mt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), D(i, l), B(l, j), l == 0 ? T(0) : T(1), C(i, j));
      }
}

/// The slices of max(m, n) columns are those of m or of n, and no matrix has m columns.
#pragma tla algorithm shape(A(m, n), Q(k, max(m, n))) input(A : random)
template <typename T>
void widest(tla::Matrix<T> A, tla::Matrix<T> Q) {
  for (int i = 0; i < Q.mt(); ++i)
    for (int j = 0; j < Q.nt(); ++j) {
      #pragma tla task
      laset(T(1), T(2), Q(i, j));
    }
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scal(T(2), A(i, j));
    }
}
