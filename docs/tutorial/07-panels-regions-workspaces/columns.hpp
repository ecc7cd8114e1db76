#pragma once
#include <tla/tla.hpp>

#include <cmath>

/// s(j, 0) = the norm of column j of the panel A.
#pragma tla kernel flops(2 * A.m() * A.n()) bound(memory) requires(s.m() >= A.n())
template <typename T> void columnNorms(tla::ConstPanel<T> A, tla::OutTile<T> s) {
  for (int j = 0; j < s.m(); ++j) {
    T sum = T(0);
    for (int t = 0; j < A.n() && t < A.mt(); ++t)
      for (int i = 0; i < A(t).m(); ++i)
        sum += A(t)(i, j) * A(t)(i, j);
    s(j, 0) = std::sqrt(sum);
  }
}

/// Each column j of A is divided by s(j, 0).
#pragma tla kernel flops(A.m() * A.n()) bound(memory) requires(s.m() >= A.n())
template <typename T> void divideColumns(tla::ConstTile<T> s, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) /= s(j, 0);
}
