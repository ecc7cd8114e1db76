#include <tla/tla.hpp>

/// A = L U.
#pragma tla algorithm shape(A(n, n))
template <typename T> void factorize(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    getrf_nopiv(A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Upper, NoTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(k, k), A(k, j));
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), A(k, j), T(1), A(i, j));
      }
    }
  }
}

/// B = L^-1 B.
#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void forward(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(k, k), B(k, j));
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), B(k, j), T(1), B(i, j));
      }
    }
}

/// B = U^-1 B.
#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void backward(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int k = A.nt() - 1; k >= 0; --k) {
      #pragma tla task
      trsm(Left, Upper, NoTrans, NonUnit, T(1), A(k, k), B(k, j));
      for (int i = 0; i < k; ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), B(k, j), T(1), B(i, j));
      }
    }
}

#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void solve_dominant(tla::Matrix<T> A, tla::Matrix<T> B) {
  factorize(A);
  forward(A, B);
  backward(A, B);
}
