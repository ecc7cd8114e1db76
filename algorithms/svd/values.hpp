// Kernels for singular values alone: those of a bidiagonal matrix are the upper half of the eigenvalues of a
// tridiagonal one of twice its order, with a zero diagonal and d(0), e(0), d(1), ... beside it (G. Golub, W. Kahan, J.
// SIAM Numer. Anal. Ser. B 2, 1965).
#pragma once
#include "../eigen/sturm.hpp"

#include <algorithm>
#include <tla/tla.hpp>

/// D, E = two rows of the tridiagonal matrix for each row of the bidiagonal one.
#pragma tla kernel bound(memory) requires(D.m() == 2 * d.m(), E.m() == 2 * d.m())
template <typename T> void golubKahan(tla::ConstTile<T> d, tla::ConstTile<T> e, tla::OutTile<T> D, tla::OutTile<T> E) {
  for (int i = 0; i < d.m(); ++i) {
    D(2 * i, 0) = D(2 * i + 1, 0) = 0;
    E(2 * i, 0) = d(i, 0);
    E(2 * i + 1, 0) = e(i, 0);
  }
}

/// s = the eigenvalues first, first + 1, ... in descending order: sturmValues the other way round.
#pragma tla kernel bound(compute) flops(150.0 * s.m() * D.m())
template <typename T> int sturmDescending(int first, tla::ConstPanel<T> D, tla::ConstPanel<T> E, tla::OutTile<T> s) {
  const int info = sturmValues<T>(first, D, E, s);
  for (int k = 0; 2 * k < s.m(); ++k) {
    const T low = s(k, 0), high = s(s.m() - 1 - k, 0);
    s(k, 0) = std::max(high, T(0));
    s(s.m() - 1 - k, 0) = std::max(low, T(0));
  }
  return info;
}

/// s: no element is greater than the last one of the tile before, from which rounding may have kept it.
#pragma tla kernel bound(memory)
template <typename T> void sturmDescend(tla::ConstTile<T> before, tla::Tile<T> s) {
  for (int k = 0; k < s.m() && s(k, 0) > before(before.m() - 1, 0); ++k)
    s(k, 0) = before(before.m() - 1, 0);
}
