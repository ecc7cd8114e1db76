// Kernels that judge eigenvalues and eigenvectors.
#pragma once
#include "../frobenius.hpp"
#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

/// R = R - Z diag(w).
#pragma tla kernel requires(R.m() == Z.m(), R.n() == Z.n(), w.m() == Z.n()) flops(2 * Z.m() * Z.n()) bound(memory)
template <typename T>
void subtractScaled(tla::ConstTile<tla::RealType<T>> w, tla::ConstTile<T> Z, tla::Tile<T> R) {
  for (int j = 0; j < Z.n(); ++j)
    for (int i = 0; i < Z.m(); ++i)
      R(i, j) -= w(j, 0) * Z(i, j);
}

/// r becomes NaN, which no check passes, unless the eigenvalues w are numbers in ascending order.
#pragma tla kernel requires(r.m() == 1, r.n() == 1) bound(memory)
template <typename T> void requireAscending(tla::ConstPanel<tla::RealType<T>> w, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  Real last = -std::numeric_limits<Real>::infinity();
  for (int t = 0; t < w.mt(); ++t)
    for (int i = 0; i < w(t).m(); ++i) {
      if (!(w(t)(i, 0) >= last))
        r(0, 0) = std::numeric_limits<Real>::quiet_NaN();
      last = w(t)(i, 0);
    }
}

/// r becomes the larger of the residuals other and r; NaN stays.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, other.m() == 1, other.n() == 1) bound(memory)
template <typename T> void keepLargerResidual(tla::ConstTile<T> other, tla::Tile<T> r) {
  const auto a = std::real(other(0, 0)), b = std::real(r(0, 0));
  r(0, 0) = b >= a || std::isnan(b) ? b : a;
}

