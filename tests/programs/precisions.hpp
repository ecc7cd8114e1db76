// From one precision to another.
#pragma once

#include <tla/tla.hpp>

/// F = A, rounded to float.
#pragma tla kernel bound(memory) requires(A.m() == F.m() && A.n() == F.n())
template <typename T> void narrow(tla::ConstTile<T> A, tla::OutTile<float> F) {
  for (int j = 0; j < F.n(); ++j)
    for (int i = 0; i < F.m(); ++i)
      F(i, j) = static_cast<float>(A(i, j));
}

/// C = C + F.
#pragma tla kernel bound(memory) requires(F.m() == C.m() && F.n() == C.n())
template <typename T> void addWidened(tla::ConstTile<float> F, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) += T(F(i, j));
}
