#include <cstdlib>
#include "wrong.hpp"
#pragma tla algorithm shape(d(m, 1), A(m, n)) input(d : random, A : random)
template <typename T>
void wrong(int mistake, int column, tla::Matrix<T> d, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      work(i == 1 && j == 2 ? mistake : 0, column, d(i, 0), A(i, j));
    }
}
