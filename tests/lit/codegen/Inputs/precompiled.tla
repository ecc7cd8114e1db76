#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void twice(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) *= T(2);
}

/// A = 2 A.
#pragma tla algorithm
template <typename T> void doubled(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      twice(A(i, j));
    }
}
