#pragma once
#include <tla/tla.hpp>
#include <tla/vec.hpp>

/// s(0, 0) = s(0, 0) + the sum of the squares of the elements of A.
#pragma tla kernel flops(2.0 * A.m() * A.n())
template <typename T> void addSquares(tla::ConstTile<T> A, tla::Tile<T> s) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      s(0, 0) += A(i, j) * A(i, j);
}

/// The same, as many elements at once as fit into a register.
#pragma tla kernel flops(2.0 * A.m() * A.n())
template <typename T> void addSquaresWide(tla::ConstTile<T> A, tla::Tile<T> s) {
  using Vec = tla::Vec<T>;
  Vec even = Vec::zero(), odd = Vec::zero();
  for (int j = 0; j < A.n(); ++j) {
    const T *column = &A(0, j);
    int i = 0;
    for (; i + 2 * Vec::lanes <= A.m(); i += 2 * Vec::lanes) {
      const Vec a = Vec::load(column + i), b = Vec::load(column + i + Vec::lanes);
      even = fma(a, a, even);
      odd = fma(b, b, odd);
    }
    for (; i < A.m(); i += Vec::lanes) {
      const int some = A.m() - i < Vec::lanes ? A.m() - i : Vec::lanes;
      const Vec a = Vec::load(column + i, some);
      even = fma(a, a, even);
    }
  }
  s(0, 0) += (even + odd).sum();
}
