#pragma once
#include "hermitian.hpp"
#include "residual.hpp"

/// D = A, both triangles.
#pragma tla algorithm shape(A(n, n), D(n, n))
template <typename T>
void whole(tla::LowerMatrix<T> A, tla::Matrix<T> D) {
  for (int j = 0; j < A.nt(); ++j) {
    #pragma tla task
    wholeHermitian(A(j, j), D(j, j));
    for (int i = j + 1; i < A.mt(); ++i) {
      #pragma tla task
      omatcopy(NoTrans, T(1), A(i, j), D(i, j));
      #pragma tla task
      omatcopy(ConjTrans, T(1), A(i, j), D(j, i));
    }
  }
}

/// D = A Z for a Hermitian A.
#pragma tla algorithm shape(A(n, n), Z(n, k), D(Z.m(), Z.n(), Z.nb()))
template <typename T>
void hermitian_product(tla::LowerMatrix<T> A, tla::Matrix<T> Z, tla::Workspace<T> D) {
  for (int j = 0; j < Z.nt(); ++j) {
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      hemm(Left, Lower, T(1), A(i, i), Z(i, j), T(0), D(i, j));
      for (int l = 0; l < i; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, l), Z(l, j), T(1), D(i, j));
      }
      for (int l = i + 1; l < Z.mt(); ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), A(l, i), Z(l, j), T(1), D(i, j));
      }
    }
  }
}

/// D = D - Z diag(w).
#pragma tla algorithm shape(w(k, 1), Z(n, k), D(Z.m(), Z.n(), Z.nb()))
template <typename T>
void subtract_scaled(tla::Matrix<tla::RealType<T>> w, tla::Matrix<T> Z, tla::Workspace<T> D) {
  for (int j = 0; j < Z.nt(); ++j) {
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      subtractScaled(w(j, 0), Z(i, j), D(i, j));
    }
  }
}

/// size = |A|_F of a Hermitian A.
#pragma tla algorithm shape(A(n, n), size(1, 1, 1, 1))
template <typename T>
void hermitian_norm(tla::LowerMatrix<T> A, tla::Workspace<T> size) {
  tla::Workspace<T> H(A.n(), A.n(), A.nb());
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int j = 0; j < A.nt(); ++j) {
    #pragma tla task
    wholeHermitian(A(j, j), H(j, j));
    #pragma tla task release(H(j, j))
    addSquares(H(j, j), size(0, 0));
    for (int i = j + 1; i < A.mt(); ++i) {
      for (int twice = 0; twice < 2; ++twice) {
        #pragma tla task
        addSquares(A(i, j), size(0, 0));
      }
    }
  }
}

/// r = |D|_F / (n size eps), D of n rows.
#pragma tla algorithm shape(D(n, k), size(1, 1, 1, 1), r(1, 1))
template <typename T>
void scaled_norm(tla::Matrix<T> D, tla::Workspace<T> size, tla::Matrix<T> r) {
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  for (int j = 0; j < D.nt(); ++j) {
    for (int i = 0; i < D.mt(); ++i) {
      #pragma tla task
      addSquares(D(i, j), r(0, 0));
    }
  }
  #pragma tla task
  scaleResidual(max(D.m(), 1), size(0, 0), r(0, 0));
}

/// r becomes the larger of r and |I - Y^H Y|_F / (n eps).
#pragma tla algorithm shape(Y(n, k), r(1, 1))
template <typename T>
void orthogonality(tla::Matrix<T> Y, tla::Matrix<T> r) {
  tla::Workspace<T> G(Y.n(), Y.n(), Y.nb()), size(1, 1, 1, 1), o(1, 1, 1, 1);
  #pragma tla task
  laset(T(1), T(1), size(0, 0));
  #pragma tla task
  laset(T(0), T(0), o(0, 0));
  for (int j = 0; j < Y.nt(); ++j) {
    for (int i = j; i < Y.nt(); ++i) {
      #pragma tla task
      laset(T(0), i == j ? T(-1) : T(0), G(i, j));
      for (int l = 0; l < Y.mt(); ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), Y(l, i), Y(l, j), T(1), G(i, j));
      }
      for (int twice = 0; twice < (i == j ? 1 : 2); ++twice) {
        #pragma tla task
        addSquares(G(i, j), o(0, 0));
      }
    }
  }
  #pragma tla task
  scaleResidual(max(Y.m(), 1), size(0, 0), o(0, 0));
  #pragma tla task
  keepLargerResidual(o(0, 0), r(0, 0));
}
