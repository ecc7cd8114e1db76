#include <tla/tla.hpp>

#pragma tla algorithm shape(U(n, n), B(n, k))
template <typename T> void solve_upper(tla::Matrix<T> U, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int k = U.nt() - 1; k >= 0; --k) {
      #pragma tla task
      trsm(Left, Upper, NoTrans, NonUnit, T(1), U(k, k), B(k, j));
      for (int i = 0; i < k; ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), U(i, k), B(k, j), T(1), B(i, j));
      }
    }
}
