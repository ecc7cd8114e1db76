#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, k), B(k, n), C(m, n)) requires(k >= 1)
template <typename T> void multiply(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int l = 0; l < A.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, l), B(l, j), l == 0 ? T(0) : T(1), C(i, j));
      }
}
