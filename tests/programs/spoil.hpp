// Elements that must not survive.
#pragma once

#include <tla/tla.hpp>

/// A = NaN.
#pragma tla kernel bound(memory)
template <typename T> void spoil(tla::OutTile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = T(0) / T(0);
}
