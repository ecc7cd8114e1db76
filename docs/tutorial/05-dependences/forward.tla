#include <tla/tla.hpp>

/// L X = B, X overwrites B.
#pragma tla algorithm shape(L(n, n), B(n, k)) default(k : 1) input(L : dominant, B : random) \
    check(trsm(Left, Lower, NoTrans, NonUnit, 1, L, B))
template <typename T>
void forward(tla::Matrix<T> L, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int k = 0; k < L.nt(); ++k) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), L(k, k), B(k, j));
      for (int i = k + 1; i < L.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(i, k), B(k, j), T(1), B(i, j));
      }
    }
}
