#pragma once
#include <tla/tla.hpp>

extern "C" double weightOf(int i, int j);

#pragma tla kernel link("./libweights.so")
template <typename T> void weigh(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) = T(weightOf(i, j));
}
