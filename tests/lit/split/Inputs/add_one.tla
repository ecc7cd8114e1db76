#include <tla/split.hpp>
#include <tla/tla.hpp>

#include "add_one.hpp"

#pragma tla algorithm input(A : random)
template <typename T> void addOne(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      addOne(A(i, j));
    }
}
