// Frobenius norms, for algorithms that judge a result.
#pragma once
#include <cmath>
#include <complex>
#include <limits>
#include <tla/tla.hpp>

/// The sum of squares r becomes r + |D|_F^2.
#pragma tla kernel requires(r.m() == 1, r.n() == 1) flops(2 * D.m() * D.n()) bound(memory)
template <typename T> void addSquares(tla::ConstTile<T> D, tla::Tile<T> r) {
  tla::RealType<T> sum = 0;
  for (int j = 0; j < D.n(); ++j)
    for (int i = 0; i < D.m(); ++i)
      sum += std::norm(D(i, j));
  r(0, 0) += sum;
}

/// Of two sums of squares: r becomes sqrt(r) / (size sqrt(a) eps), eps the unit roundoff; 0 where both are.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, a.m() == 1, a.n() == 1) bound(memory)
template <typename T> void scaleResidual(int size, tla::ConstTile<T> a, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  const Real unit = std::numeric_limits<Real>::epsilon() / 2, difference = std::sqrt(std::real(r(0, 0)));
  r(0, 0) = difference == 0 ? Real(0) : difference / (Real(size) * std::sqrt(std::real(a(0, 0))) * unit);
}
