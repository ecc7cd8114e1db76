#pragma once
#include <tla/tla.hpp>

#pragma tla kernel flops(A.m() * A.n()) bound(memory) requires(d.m() == A.m())
template <typename T> void scaleRows(tla::ConstTile<T> d, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) *= d(i, 0);
}
