#include "rows.hpp"

/// Each row of A is divided by its sum, which stays in s.
#pragma tla algorithm shape(A(m, n), s(m, 1)) requires(n >= 1) input(A : minij)
template <typename T>
void normalize(tla::Matrix<T> A, tla::Matrix<T> s) {
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      addRowSums(j == 0 ? 1 : 0, A(i, j), s(i, 0));
    }
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      divideRows(s(i, 0), A(i, j));
    }
  }
}
