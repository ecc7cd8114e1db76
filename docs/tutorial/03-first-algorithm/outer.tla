#include "outer.hpp"

/// A = A + x y^T.
#pragma tla algorithm shape(x(m, 1), y(n, 1), A(m, n)) input(x : random, y : random, A : random) \
    check(gemm(NoTrans, Trans, 1, x, y, 1, A))
template <typename T>
void outer(tla::Matrix<T> x, tla::Matrix<T> y, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      addOuter(x(i, 0), y(j, 0), A(i, j));
    }
}
