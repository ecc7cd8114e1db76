#pragma once
#include "../pragma-once.tla"
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void backward(tla::Matrix<T> A) {
  for (int i = A.mt() - 1; i >= 0; --i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(1), A(i, j));
    }
}
