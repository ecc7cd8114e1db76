// A matrix twice as large, for the test of ranks.
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n)) input(A : random)
template <typename T> void twice(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
#pragma tla task
      scal(T(2), A(i, j));
    }
}
