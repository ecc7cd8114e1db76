// Kernels that judge singular values and vectors.
#pragma once
#include "../eigen/judge.hpp"
#include "../eigen/residual.hpp"

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

/// r = | |v| - size |, | |v^2| - fourth | / size or |sigma s(i) - v(i)|, whichever is largest, over m size eps, for all
/// singular values v of a matrix C of m rows, of Frobenius norm `size`, `fourth` that of C^H C.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, size.m() == 1, size.n() == 1, fourth.m() == 1, fourth.n() == 1)    \
    bound(memory)
template <typename T>
void judgeSingularValues(int m, tla::ConstTile<tla::RealType<T>> sigma, tla::ConstPanel<tla::RealType<T>> v,
                         tla::ConstPanel<tla::RealType<T>> s, tla::ConstTile<T> size, tla::ConstTile<T> fourth,
                         tla::OutTile<T> r) {
  using Real = tla::RealType<T>;
  const double norm = std::real(size(0, 0)) == 0 ? 1 : std::real(size(0, 0)); // of a zero matrix all must be zero
  const eigen::PanelVector<Real> all{v}, given{s};
  double squares = 0, fourths = 0, worst = 0;
  const auto judge = [&](double difference) { worst = std::abs(difference) <= worst ? worst : std::abs(difference); };
  for (int i = 0; i < v.m(); ++i) {
    const double square = (all[i] / norm) * (all[i] / norm);
    squares += square;
    fourths += square * square;
  }
  judge(std::sqrt(squares) - std::real(size(0, 0)) / norm);
  judge(std::sqrt(fourths) - std::real(fourth(0, 0)) / norm / norm);
  for (int i = 0; i < s.m(); ++i)
    judge((double(given[i]) * sigma(0, 0) - all[i]) / norm);
  r(0, 0) = T(Real(worst / (m * double(std::numeric_limits<Real>::epsilon()) / 2)));
}
