#pragma once
#include <tla/tla.hpp>

/// B = A^T, in blocks of h x h elements.
#pragma tla kernel flops(0 * A.m()) bound(memory) requires(h >= 1 && A.m() == B.n() && A.n() == B.m())
template <typename T> void transpose(int h, tla::ConstTile<T> A, tla::OutTile<T> B) {
  for (int jj = 0; jj < A.n(); jj += h)
    for (int ii = 0; ii < A.m(); ii += h)
      for (int j = jj; j < A.n() && j < jj + h; ++j)
        for (int i = ii; i < A.m() && i < ii + h; ++i)
          B(j, i) = A(i, j);
}
