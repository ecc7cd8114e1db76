// Kernels that judge singular values and vectors.
#pragma once
#include "eigen/judge.hpp"
#include "eigen/residual.hpp"

#include <cmath>
#include <limits>
#include <tla/tla.hpp>
#include <vector>

/// Adds |B V - U S|_F and |B^T U - V S|_F of the columns of one panel of U and V to the Frobenius norm r, for the upper
/// bidiagonal matrix B of d and e.
#pragma tla kernel bound(compute) flops(10.0 * U.m() * U.n()) requires(r.m() == 1, r.n() == 1)
template <typename T>
void addTripletSquares(tla::ConstPanel<tla::RealType<T>> d, tla::ConstPanel<tla::RealType<T>> e,
                       tla::ConstTile<tla::RealType<T>> s, tla::ConstPanel<T> U, tla::ConstPanel<T> V, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  const eigen::PanelVector<Real> diagonal{d}, edge{e};
  const int n = U.m();
  std::vector<T> column(2 * static_cast<std::size_t>(n));
  for (int k = 0; k < U.n(); ++k) {
    const eigen::PanelVector<T> u{U, k}, v{V, k};
    for (int i = 0; i < n; ++i) {
      column[i] = diagonal[i] * v[i] - s(k, 0) * u[i];
      column[n + i] = diagonal[i] * u[i] - s(k, 0) * v[i];
      if (i + 1 < n)
        column[i] += edge[i] * v[i + 1];
      if (i > 0)
        column[n + i] += edge[i - 1] * u[i - 1];
    }
    addSquares<T>(tla::Tile<T>(column.data(), 2 * n, 1, 2 * n), r);
  }
}

/// r becomes NaN, which no check passes, where s does not descend, or where one of them is negative.
#pragma tla kernel bound(memory) requires(r.m() == 1, r.n() == 1)
template <typename T> void requireDescending(tla::ConstPanel<tla::RealType<T>> s, tla::Tile<T> r) {
  const eigen::PanelVector<tla::RealType<T>> values{s};
  for (int i = 0; i < s.m(); ++i)
    if (!(values[i] >= 0 && (i == 0 || values[i - 1] >= values[i])))
      r(0, 0) = std::numeric_limits<tla::RealType<T>>::quiet_NaN();
}

/// r becomes the larger of r and the largest |v - s|; NaN stays.
#pragma tla kernel bound(memory) requires(v.m() == s.m(), r.m() == 1, r.n() == 1)
template <typename T>
void addDifference(tla::ConstTile<tla::RealType<T>> v, tla::ConstTile<tla::RealType<T>> s, tla::Tile<T> r) {
  tla::RealType<T> largest = std::real(r(0, 0));
  for (int i = 0; i < s.m(); ++i)
    if (const tla::RealType<T> difference = std::abs(v(i, 0) - s(i, 0)); !(difference <= largest))
      largest = std::isnan(largest) ? largest : difference;
  r(0, 0) = T(largest);
}
