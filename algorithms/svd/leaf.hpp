// Divide and conquer within a tile: a leaf of bdsdc, on one core (LAPACK: bdsdc, lasd0, lasd1).
#pragma once
#include "../eigen/leaf.hpp"
#include "deflation.hpp"
#include "jacobi.hpp"
#include "vectors.hpp"

#include <algorithm>
#include <tla/tla.hpp>
#include <vector>

namespace svd {

/// The roots of a deflated merge, and the row for which they are exact.
template <typename T> struct SolvedMerge {
  std::vector<T> origin, offset, row;
  Roots<T> roots;
  bool found = true;

  explicit SolvedMerge(const eigen::Deflation<T> &merge)
      : origin(merge.kept), offset(merge.kept),
        row(merge.kept), roots{{merge.kept, merge.d.data(), origin.data(), offset.data()}} {
    eigen::SecularEquation<T, true> equation(merge.kept, merge.d.data(), merge.z.data(), merge.rho);
    for (int k = 0; k < merge.kept; ++k) {
      const eigen::Root<T> root = equation.root(k);
      origin[k] = T(root.origin), offset[k] = root.offset;
      found &= root.found;
    }
    exactRow(roots, merge.z.data(), 0, merge.kept, row.data());
  }
};

/// Column `place` of the right or left singular vectors of a merge in terms of the halves' vectors; `to` is zero
/// before.
template <typename T>
inline void fillColumn(const eigen::Deflation<T> &merge, const SolvedMerge<T> &solved, bool left, int place, T *to) {
  if (place >= merge.kept)
    return eigen::visitDeflated<T>(eigen::RotationsOf<T>{merge}, merge.columnAt[place],
                                   [&](int x, T factor) { to[x] += factor; });
  const T norm = normOfVector(solved.roots, solved.row.data(), place, left);
  for (int x = 0; x < static_cast<int>(merge.placeOf.size()); ++x)
    if (const int k = merge.placeOf[x]; k == 0 && left)
      to[x] = -merge.share[x] / norm;
    else if (k >= 0)
      to[x] = (left ? merge.d[k] : T(1)) * solved.row[k] * merge.share[x] / norm / solved.roots.distance(k, place);
}

/// The vectors in the diagonal blocks of Z, of n1 and n - n1 columns, times those of the merge, in this order.
template <typename T>
inline void multiplyHalves(const eigen::Deflation<T> &merge, const SolvedMerge<T> &solved, bool left,
                           const std::vector<int> &order, int n1, const Columns<T> &Z) {
  const int n = static_cast<int>(order.size());
  std::vector<T> columns(static_cast<std::size_t>(n) * n), product(static_cast<std::size_t>(n) * n);
  for (int j = 0; j < n; ++j)
    fillColumn(merge, solved, left, order[j], &columns[static_cast<std::size_t>(j) * n]);
  const tla::Tile<T> from(Z.data, n, n, static_cast<int>(Z.ld)), M(columns.data(), n, n, n), P(product.data(), n, n, n);
  tla::gemm(tla::NoTrans, tla::NoTrans, T(1), from.rows(0, n1).cols(0, n1), M.rows(0, n1), T(0), P.rows(0, n1));
  tla::gemm(tla::NoTrans, tla::NoTrans, T(1), from.rows(n1, n - n1).cols(n1, n - n1), M.rows(n1, n - n1), T(0),
            P.rows(n1, n - n1));
  for (int j = 0; j < n; ++j)
    std::copy(&P(0, j), &P(0, j) + n, Z[j]);
}

/// Merges the triplets of two halves, of n1 and n - n1 columns, that lie in s and on the diagonals of U and V. Returns
/// whether all roots were found.
template <typename T>
inline bool mergeHalves(int n, int n1, bool isLast, T alpha, T beta, T *s, const Columns<T> &U, const Columns<T> &V) {
  std::vector<T> row(n);
  for (int x = 0; x < n; ++x)
    row[x] = V(x < n1 ? n1 - 1 : n1, x);
  const Deflation<T> merge = Deflator<T>(std::vector<T>(s, s + n), std::move(row), n1, isLast, alpha, beta).deflate();
  const SolvedMerge<T> solved(merge.right);
  std::vector<T> values(merge.right.d);
  for (int k = 0; k < merge.right.kept; ++k)
    values[k] = solved.roots.value(k);
  const std::vector<int> order = orderOfPlaces(true, values, merge.right.columnAt);
  for (int j = 0; j < n; ++j)
    s[j] = std::scalbn(values[order[j]], merge.exponent);
  multiplyHalves(merge.right, solved, false, order, n1, V);
  multiplyHalves(merge.left, solved, true, order, n1, U);
  return solved.found;
}

/// Does what jacobi() does, for an order of any size. Returns 0, or the number, from 1 on, of a row of the part that
/// failed.
template <typename T>
inline int solveLeaf(int n, bool isLast, const T *d, const T *e, T *s, const Columns<T> &U, const Columns<T> &V) {
  constexpr int smallest = 16;
  if (n <= smallest)
    return jacobi(n, isLast, d, e, s, U, V) ? 0 : 1;
  const int n1 = n / 2;
  for (int j = 0; j < n; ++j) {
    std::fill(U[j], U[j] + n, T(0));
    std::fill(V[j], V[j] + n, T(0));
  }
  if (const int info = solveLeaf(n1, false, d, e, s, U, V))
    return info;
  if (const int info = solveLeaf(n - n1, isLast, d + n1, e + n1, s + n1, U.from(n1, n1), V.from(n1, n1)))
    return n1 + info;
  return mergeHalves(n, n1, isLast, d[n1 - 1], e[n1 - 1], s, U, V) ? 0 : n1;
}

} // namespace svd
