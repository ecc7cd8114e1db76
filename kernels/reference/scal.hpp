// A = alpha A (BLAS: scal, over a tile).
#pragma once

#include "kernels/reference/scalar.hpp"

namespace tla::reference {

template <typename T> void scal(T alpha, Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      scale(A(i, j), alpha);
}

} // namespace tla::reference
