// Frobenius norms, for algorithms that judge a result.
#pragma once
#include <cmath>
#include <complex>
#include <limits>
#include <tla/tla.hpp>

/// The Frobenius norm r of some elements becomes that of these and D's: r^2 becomes r^2 + |D|_F^2, but no square of an
/// element is formed that could over- or underflow. The sum is one of squares over that of the largest element so far,
/// in double (LAPACK: lassq). NaN stays.
#pragma tla kernel requires(r.m() == 1, r.n() == 1) flops(2 * D.m() * D.n()) bound(memory)
template <typename T> void addSquares(tla::ConstTile<T> D, tla::Tile<T> r) {
  double largest = 0, sum = 1; // the norm of D is largest * sqrt(sum)
  const auto add = [&](double size) {
    if (!(size <= largest)) { // or NaN
      const double shrunk = largest / size;
      sum = 1 + sum * shrunk * shrunk;
      largest = size;
    } else if (size > 0) {
      const double part = size / largest;
      sum += part * part;
    }
  };
  for (int j = 0; j < D.n(); ++j)
    for (int i = 0; i < D.m(); ++i) {
      add(std::abs(std::real(D(i, j))));
      add(std::abs(std::imag(D(i, j))));
    }
  r(0, 0) = tla::RealType<T>(std::hypot(double(std::real(r(0, 0))), largest * std::sqrt(sum)));
}

/// Scales the residual of two norms: r becomes r / (size a eps), eps the unit roundoff; 0 where both are 0, and NaN,
/// which no check passes, where a is not finite: a norm that is too large for its type would make any error small.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, a.m() == 1, a.n() == 1) bound(memory)
template <typename T> void scaleResidual(int size, tla::ConstTile<T> a, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  const Real unit = std::numeric_limits<Real>::epsilon() / 2, norm = std::real(a(0, 0)), error = std::real(r(0, 0));
  if (!std::isfinite(norm))
    r(0, 0) = std::numeric_limits<Real>::quiet_NaN();
  else
    r(0, 0) = error == 0 && norm == 0 ? Real(0) : error / norm / (Real(size) * unit);
}
