#pragma once
#include <tla/tla.hpp>

/// A = A^-1, in place, for a triangular A (LAPACK: trtri). Of A one triangle counts. Step k of the lower form knows the
/// inverse of the leading k x k tiles and borders it:
///
///   [ L11      ]^-1   [  L11^-1                   ]
///   [ L21  L22 ]    = [ -L22^-1 L21 L11^-1  L22^-1 ]
///
/// info = j: element (j, j) is zero, A is singular.
#pragma tla algorithm shape(A(n, n)) default(uplo : Lower, diag : NonUnit) input(A : dominant) check(trtri(uplo, diag, A))
template <typename T>
void trtri(Uplo uplo, Diag diag, tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    if (uplo == Lower) {
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        trsm(Right, Lower, NoTrans, diag, T(-1), A(k, k), A(i, k));
        for (int j = 0; j < k; ++j) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), A(i, j));
        }
      }
      for (int j = 0; j < k; ++j) {
        #pragma tla task
        trsm(Left, Lower, NoTrans, diag, T(1), A(k, k), A(k, j));
      }
    } else {
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        trsm(Left, Upper, NoTrans, diag, T(-1), A(k, k), A(k, j));
        for (int i = 0; i < k; ++i) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, j), T(1), A(i, j));
        }
      }
      for (int i = 0; i < k; ++i) {
        #pragma tla task
        trsm(Right, Upper, NoTrans, diag, T(1), A(k, k), A(i, k));
      }
    }
    #pragma tla task
    trtri(uplo, diag, A(k, k));
  }
}
