#pragma once
#include <tla/tla.hpp>

/// Z = L Z.
#pragma tla algorithm shape(L(n, n), Z(n, k))
template <typename T>
void multiply_lower(tla::LowerMatrix<T> L, tla::Matrix<T> Z) {
  for (int u = 0; u < L.nt(); ++u) {
    const int i = L.nt() - 1 - u;
    for (int j = 0; j < Z.nt(); ++j) {
      #pragma tla task
      trmm(Left, Lower, NoTrans, NonUnit, T(1), L(i, i), Z(i, j));
      for (int l = 0; l < i; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), L(i, l), Z(l, j), T(1), Z(i, j));
      }
    }
  }
}

/// Z = L^H Z.
#pragma tla algorithm shape(L(n, n), Z(n, k))
template <typename T>
void multiply_lower_adjoint(tla::LowerMatrix<T> L, tla::Matrix<T> Z) {
  for (int i = 0; i < L.nt(); ++i) {
    for (int j = 0; j < Z.nt(); ++j) {
      #pragma tla task
      trmm(Left, Lower, ConjTrans, NonUnit, T(1), L(i, i), Z(i, j));
      for (int l = i + 1; l < L.nt(); ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), L(l, i), Z(l, j), T(1), Z(i, j));
      }
    }
  }
}

/// Z = L^-1 Z.
#pragma tla algorithm shape(L(n, n), Z(n, k))
template <typename T>
void solve_lower(tla::LowerMatrix<T> L, tla::Matrix<T> Z) {
  for (int i = 0; i < L.nt(); ++i) {
    for (int j = 0; j < Z.nt(); ++j) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), L(i, i), Z(i, j));
      for (int l = i + 1; l < L.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(l, i), Z(i, j), T(1), Z(l, j));
      }
    }
  }
}

/// Z = L^-H Z.
#pragma tla algorithm shape(L(n, n), Z(n, k))
template <typename T>
void solve_lower_adjoint(tla::LowerMatrix<T> L, tla::Matrix<T> Z) {
  for (int u = 0; u < L.nt(); ++u) {
    const int i = L.nt() - 1 - u;
    for (int j = 0; j < Z.nt(); ++j) {
      #pragma tla task
      trsm(Left, Lower, ConjTrans, NonUnit, T(1), L(i, i), Z(i, j));
      for (int l = 0; l < i; ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(-1), L(i, l), Z(i, j), T(1), Z(l, j));
      }
    }
  }
}
