#pragma once

#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void bump(T by, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) += by;
}

#pragma tla kernel
template <typename T> int fail(int s, tla::Tile<T> A) {
  A(0, 0) += T(1);
  return s >= 1 ? 5 : 0;
}
