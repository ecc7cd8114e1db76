#include "scaled.hpp"
#pragma tla algorithm input(A : random)
template <typename T> void scaled_all(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      scaled(i, A(i, j));
    }
}
