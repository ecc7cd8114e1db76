// Divide and conquer within a tile: a leaf of stedc, on one core (LAPACK: stedc, laed0, laed1).
#pragma once
#include "deflation.hpp"
#include "rank_one.hpp"
#include "steqr.hpp"

#include <algorithm>
#include <tla/tla.hpp>
#include <vector>

namespace eigen {

/// The rotations of a Deflation, as visitDeflated asks for them.
template <typename T> struct RotationsOf {
  const Deflation<T> &all;
  int next(int x) const { return all.next[x]; }
  int previous(int x) const { return all.previous[x]; }
  T cosine(int x) const { return all.cosine[x]; }
  T sine(int x) const { return all.sine[x]; }
};

/// The roots of a deflated merge, and Gu & Eisenstat's z.
template <typename T> struct SolvedMerge {
  std::vector<T> origin, offset, weights;
  Roots<T> roots;
  bool found = true;

  explicit SolvedMerge(const Deflation<T> &merge)
      : origin(merge.kept), offset(merge.kept),
        weights(merge.kept), roots{merge.kept, merge.d.data(), origin.data(), offset.data()} {
    SecularEquation<T> equation(merge.kept, merge.d.data(), merge.z.data(), merge.rho);
    for (int k = 0; k < merge.kept; ++k) {
      const Root<T> root = equation.root(k);
      origin[k] = T(root.origin), offset[k] = root.offset;
      found &= root.found;
    }
    exactWeights(roots, merge.z.data(), 0, merge.kept, weights.data());
  }
};

/// Column `place` of the eigenvectors of a merge in terms of the halves' eigenvectors; `to` is zero before.
template <typename T>
inline void fillColumn(const Deflation<T> &merge, const SolvedMerge<T> &solved, int place, T *to) {
  if (place >= merge.kept)
    return visitDeflated<T>(RotationsOf<T>{merge}, merge.columnAt[place], [&](int x, T factor) { to[x] += factor; });
  const T origin = solved.roots.poleOf(place), offset = solved.offset[place],
          norm = normOfVector(solved.roots, solved.weights.data(), place);
  for (int x = 0; x < static_cast<int>(merge.placeOf.size()); ++x)
    if (const int k = merge.placeOf[x]; k >= 0)
      to[x] = solved.weights[k] * merge.share[x] / norm / ((merge.d[k] - origin) - offset);
}

/// Merges the eigenpairs of two halves, of n1 and n - n1 rows, that lie in d and on the diagonal of Z. Returns whether
/// all roots were found.
template <typename T> inline bool mergeHalves(int n, int n1, T edge, T *d, T *z, long ldz) {
  std::vector<T> row(n);
  for (int x = 0; x < n; ++x)
    row[x] = z[(x < n1 ? n1 - 1 : n1) + x * ldz];
  const Deflation<T> merge = Deflator<T>(std::vector<T>(d, d + n), std::move(row), n1, edge).deflate();
  const SolvedMerge<T> solved(merge);
  std::vector<T> values(merge.d), columns(static_cast<std::size_t>(n) * n), product(static_cast<std::size_t>(n) * n);
  for (int k = 0; k < merge.kept; ++k)
    values[k] = solved.roots.value(k);
  const std::vector<int> order = orderOfPlaces(true, values);
  for (int j = 0; j < n; ++j) {
    d[j] = values[order[j]];
    fillColumn(merge, solved, order[j], &columns[static_cast<std::size_t>(j) * n]);
  }
  const tla::Tile<T> Z(z, n, n, static_cast<int>(ldz)), M(columns.data(), n, n, n), P(product.data(), n, n, n);
  tla::gemm(tla::NoTrans, tla::NoTrans, T(1), Z.rows(0, n1).cols(0, n1), M.rows(0, n1), T(0), P.rows(0, n1));
  tla::gemm(tla::NoTrans, tla::NoTrans, T(1), Z.rows(n1, n - n1).cols(n1, n - n1), M.rows(n1, n - n1), T(0),
            P.rows(n1, n - n1));
  for (int j = 0; j < n; ++j)
    std::copy(&P(0, j), &P(0, j) + n, z + j * ldz);
  return solved.found;
}

/// d becomes the eigenvalues, ascending, Z the eigenvectors of the matrix of order n with diagonal d and subdiagonal e,
/// n elements that are scratch afterwards. Returns 0, or the number, from 1 on, of a row of the part that failed.
template <typename T> inline int solveLeaf(int n, T *d, T *e, T *z, long ldz) {
  constexpr int smallest = 32;
  if (n <= smallest)
    return steqr(n, d, e, z, ldz);
  const int n1 = n / 2;
  const T edge = e[n1 - 1];
  d[n1 - 1] -= std::abs(edge);
  d[n1] -= std::abs(edge);
  for (int j = 0; j < n; ++j)
    std::fill(z + j * ldz, z + j * ldz + n, T(0));
  if (const int info = solveLeaf(n1, d, e, z, ldz))
    return info;
  if (const int info = solveLeaf(n - n1, d + n1, e + n1, z + n1 + n1 * ldz, ldz))
    return n1 + info;
  return mergeHalves(n, n1, edge, d, z, ldz) ? 0 : n1;
}

} // namespace eigen
