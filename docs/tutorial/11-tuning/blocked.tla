#include "blocked.hpp"

/// B = A^T.
#pragma tla algorithm shape(A(m, n), B(n, m)) input(A : random) tune(h : 8 | 32)
template <typename T>
void blocked(int h, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      transpose(h, A(i, j), B(j, i));
    }
}
