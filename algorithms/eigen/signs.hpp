// Kernels that turn eigenvectors: what A v = lambda v leaves open of v, a sign or a complex number of modulus one,
// follows from v itself.
#pragma once
#include <tla/tla.hpp>

#include <cmath>
#include <complex>
#include <limits>

namespace eigen {
enum { largestRow, largestReal, largestImag, rowsOfLargest };

/// Whether a component is larger than another one by more than rounding can make it: of equal ones the first counts.
template <typename Real> inline bool isLarger(Real modulus, Real than) {
  return modulus > than * (1 + std::sqrt(std::numeric_limits<Real>::epsilon()));
}
} // namespace eigen

/// S = of each column of Z the first of its largest components, and its row, counted from `row` on.
#pragma tla kernel requires(S.m() == 3, S.n() >= Z.n()) flops(Z.m() * Z.n()) bound(memory)
template <typename T> void largestComponents(int row, tla::ConstTile<T> Z, tla::OutTile<tla::RealType<T>> S) {
  using Real = tla::RealType<T>;
  for (int j = 0; j < S.n(); ++j) {
    int largest = -1;
    Real size = -1;
    for (int i = 0; j < Z.n() && i < Z.m(); ++i)
      if (const Real modulus = std::abs(Z(i, j)); largest < 0 || eigen::isLarger(modulus, size))
        largest = i, size = modulus;
    const T value = largest < 0 ? T(0) : Z(largest, j);
    S(eigen::largestRow, j) = Real(row + largest);
    S(eigen::largestReal, j) = std::real(value);
    S(eigen::largestImag, j) = std::imag(value);
  }
}

/// S = of the components in S and in Below, of rows further down, the larger.
#pragma tla kernel requires(S.m() == 3, Below.m() == 3, S.n() == Below.n()) flops(S.n()) bound(memory)
template <typename T> void largerComponents(tla::ConstTile<T> Below, tla::Tile<T> S) {
  const auto modulus = [](auto tile, int j) {
    return std::hypot(tile(eigen::largestReal, j), tile(eigen::largestImag, j));
  };
  for (int j = 0; j < S.n(); ++j)
    if (eigen::isLarger(modulus(Below, j), modulus(S, j)))
      for (int i = 0; i < eigen::rowsOfLargest; ++i)
        S(i, j) = Below(i, j);
}

/// The columns of Z, whose first row is number `row`, times that by which the component in S becomes real and positive.
#pragma tla kernel requires(S.m() == 3, S.n() >= Z.n()) flops(Z.m() * Z.n()) bound(memory)
template <typename T> void turnColumns(int row, tla::ConstTile<tla::RealType<T>> S, tla::Tile<T> Z) {
  using Real = tla::RealType<T>;
  for (int j = 0; j < Z.n(); ++j) {
    const Real re = S(eigen::largestReal, j), im = S(eigen::largestImag, j), modulus = std::hypot(re, im);
    if ((re >= 0 && im == 0) || !(modulus > 0))
      continue;
    T turn;
    if constexpr (tla::isComplex<T>)
      turn = T(re / modulus, -im / modulus);
    else
      turn = -1;
    for (int i = 0; i < Z.m(); ++i)
      Z(i, j) *= turn;
    if (const int i = static_cast<int>(S(eigen::largestRow, j)) - row; i >= 0 && i < Z.m())
      Z(i, j) = modulus;
  }
}
