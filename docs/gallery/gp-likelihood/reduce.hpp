#pragma once
#include <tla/tla.hpp>

#include <cmath>

/// Begins the sum in l, a 1 x 1 tile: of n terms the constant part, -n/2 log(2 pi).
#pragma tla kernel flops(1) requires(l.m() == 1 && l.n() == 1)
template <typename T> void constantPart(int n, tla::OutTile<T> l) { l(0, 0) = -T(n) / 2 * std::log(2 * std::acos(T(-1))); }

/// l = l - sum of log L(i, i): half the logarithm of the determinant of L L^T.
#pragma tla kernel flops(10 * L.n()) requires(L.m() == L.n() && l.m() == 1 && l.n() == 1)
template <typename T> void subtractLogarithms(tla::ConstTile<T> L, tla::Tile<T> l) {
  for (int i = 0; i < L.n(); ++i)
    l(0, 0) -= std::log(L(i, i));
}

/// l = l - |z|^2 / 2.
#pragma tla kernel flops(2 * z.m()) requires(z.n() == 1 && l.m() == 1 && l.n() == 1)
template <typename T> void subtractSquares(tla::ConstTile<T> z, tla::Tile<T> l) {
  for (int i = 0; i < z.m(); ++i)
    l(0, 0) -= z(i, 0) * z(i, 0) / 2;
}
