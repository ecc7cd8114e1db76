#include "squares.hpp"

/// s and w become the sum of the squares of A's elements, computed in two ways.
#pragma tla algorithm shape(A(m, n), s(1, 1), w(1, 1)) requires(m >= 1, n >= 1) input(A : random, s : zero, w : zero)
template <typename T>
void squares(tla::Matrix<T> A, tla::Matrix<T> s, tla::Matrix<T> w) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      addSquares(A(i, j), s(0, 0));
      #pragma tla task
      addSquaresWide(A(i, j), w(0, 0));
    }
}
