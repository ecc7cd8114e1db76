// Kernels that judge eigenpairs of tridiagonal matrices.
#pragma once
#include "../frobenius.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tla/tla.hpp>
#include <vector>

namespace eigen {

/// A vector in the tiles of a panel.
template <typename T> struct PanelVector {
  tla::ConstPanel<T> P;
  int column = 0;
  T operator[](int i) const { return P(i / P(0).m())(i % P(0).m(), column); }
};

/// Column k of T Q - Q W, in `to`, for a tridiagonal T of order n.
template <typename T, typename Real>
inline void columnOfResidual(int n, const PanelVector<Real> &d, const PanelVector<Real> &e, Real w,
                             const PanelVector<T> &q, T *to) {
  for (int i = 0; i < n; ++i) {
    T sum = (d[i] - w) * q[i];
    if (i > 0)
      sum += e[i - 1] * q[i - 1];
    if (i + 1 < n)
      sum += e[i] * q[i + 1];
    to[i] = sum;
  }
}

} // namespace eigen

/// Adds the elements of one tile of d and e, both sides of the diagonal, to the Frobenius norm r; the last element of e
/// does not count unless tiles follow.
#pragma tla kernel bound(memory) requires(r.m() == 1, r.n() == 1)
template <typename T>
void addTridiagonalSquares(tla::ConstTile<tla::RealType<T>> d, tla::ConstTile<tla::RealType<T>> e, int follow,
                           tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  const int edges = follow == 1 ? d.m() : d.m() - 1;
  tla::RealType<T> sum = std::real(r(0, 0));
  const tla::Tile<Real> norm(&sum, 1, 1, 1);
  addSquares<Real>(d, norm);
  addSquares<Real>(e.rows(0, edges), norm);
  addSquares<Real>(e.rows(0, edges), norm);
  r(0, 0) = T(sum);
}

/// Adds |T Q - Q W|_F of the columns of one panel of Q to the Frobenius norm r.
#pragma tla kernel bound(compute) flops(6.0 * Q.m() * Q.n()) requires(r.m() == 1, r.n() == 1)
template <typename T>
void addEigenSquares(tla::ConstPanel<tla::RealType<T>> d, tla::ConstPanel<tla::RealType<T>> e,
                     tla::ConstTile<tla::RealType<T>> w, tla::ConstPanel<T> Q, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  std::vector<T> column(Q.m());
  for (int k = 0; k < Q.n(); ++k) {
    eigen::columnOfResidual(Q.m(), eigen::PanelVector<Real>{d}, eigen::PanelVector<Real>{e}, w(k, 0),
                            eigen::PanelVector<T>{Q, k}, column.data());
    addSquares<T>(tla::Tile<T>(column.data(), Q.m(), 1, std::max(Q.m(), 1)), r);
  }
}

/// r becomes NaN, which no check passes, where w does not ascend.
#pragma tla kernel bound(memory) requires(r.m() == 1, r.n() == 1)
template <typename T> void requireAscending(tla::ConstPanel<tla::RealType<T>> w, tla::Tile<T> r) {
  const eigen::PanelVector<tla::RealType<T>> values{w};
  for (int i = 0; i + 1 < w.m(); ++i)
    if (!(values[i] <= values[i + 1]))
      r(0, 0) = std::numeric_limits<tla::RealType<T>>::quiet_NaN();
}

/// R = R - Z T, T with diagonal d and subdiagonal e as far as it lies within these columns.
#pragma tla kernel bound(memory) requires(R.m() == Z.m(), R.n() == Z.n(), d.m() == Z.n(), e.m() == Z.n())
template <typename T>
void subtractTridiagonal(tla::ConstTile<tla::RealType<T>> d, tla::ConstTile<tla::RealType<T>> e, tla::ConstTile<T> Z,
                         tla::Tile<T> R) {
  for (int j = 0; j < Z.n(); ++j)
    for (int i = 0; i < Z.m(); ++i) {
      R(i, j) -= Z(i, j) * d(j, 0);
      if (j > 0)
        R(i, j) -= Z(i, j - 1) * e(j - 1, 0);
      if (j + 1 < Z.n())
        R(i, j) -= Z(i, j + 1) * e(j, 0);
    }
}

/// The column R becomes R - Z times the last element of e, which couples it with the column Z of the next tile.
#pragma tla kernel bound(memory) requires(R.m() == Z.m(), R.n() == 1, Z.n() == 1)
template <typename T> void subtractNeighbour(tla::ConstTile<tla::RealType<T>> e, tla::ConstTile<T> Z, tla::Tile<T> R) {
  for (int i = 0; i < Z.m(); ++i)
    R(i, 0) -= Z(i, 0) * e(e.m() - 1, 0);
}
