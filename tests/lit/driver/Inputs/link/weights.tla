#include "weights.hpp"

#pragma tla algorithm shape(A(m, n))
template <typename T> void weights(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      weigh(A(i, j));
    }
}
