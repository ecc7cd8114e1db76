#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n), C(n, n)) requires(m >= 1)
template <typename T> void gram(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int j = 0; j < C.nt(); ++j)
    for (int l = 0; l < A.mt(); ++l) {
      #pragma tla task
      syrk(Lower, Trans, T(1), A(l, j), l == 0 ? T(0) : T(1), C(j, j));
      for (int i = j + 1; i < C.mt(); ++i) {
        #pragma tla task
        gemm(Trans, NoTrans, T(1), A(l, i), A(l, j), l == 0 ? T(0) : T(1), C(i, j));
      }
    }
}
