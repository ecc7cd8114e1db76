#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n), B(n, m))
template <typename T> void transpose(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(Trans, T(1), A(i, j), B(j, i));
    }
}
