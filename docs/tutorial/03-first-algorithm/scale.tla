#include "scale.hpp"

#pragma tla algorithm shape(d(m, 1), A(m, n)) input(d : random, A : random)
template <typename T>
void scale(tla::Matrix<T> d, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scaleRows(d(i, 0), A(i, j));
    }
}
