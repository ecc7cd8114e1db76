// Kernels of bdsdc: singular triplets of a bidiagonal matrix by divide and conquer on tiles, with those of stedc for
// all that both have in common (LAPACK: bdsdc, lasd1 to lasd3).
#pragma once
#include "../eigen/dc.hpp"
#include "leaf.hpp"

#include <algorithm>
#include <tla/tla.hpp>
#include <vector>

namespace svd {

/// The row of H that has the power of two by which a merge is scaled, where eigenproblems have rho.
inline constexpr int scaleOf = eigen::rhoOf;

template <typename T> inline void scatterDeflation(const eigen::Deflation<T> &merge, tla::Panel<T> D) {
  using namespace eigen;
  scatter(merge.d, D, poleAt), scatter(merge.z, D, weightAt), scatter(merge.columnAt, D, columnAt);
  scatter(merge.placeOf, D, placeOf), scatter(merge.share, D, shareOf), scatter(merge.next, D, nextOf);
  scatter(merge.cosine, D, cosineOf), scatter(merge.sine, D, sineOf), scatter(merge.previous, D, previousOf);
}

/// The roots of a merge, gathered from D and R.
template <typename T> struct GatheredRoots {
  eigen::GatheredRoots<T> all;
  Roots<T> roots;
  GatheredRoots(int order, int kept, tla::ConstPanel<T> D, tla::ConstPanel<T> R)
      : all(order, D, R), roots{all.of(kept)} {}
};

/// Fills tiles of M, the new columns in terms of the old ones, as eigen::VectorTile does.
template <typename T> class VectorTile : public eigen::VectorTile<T> {
public:
  VectorTile(int left, int order, int t, tla::ConstPanel<T> D, tla::ConstPanel<T> Z, tla::ConstTile<T> S)
      : eigen::VectorTile<T>(order, t, D, Z, S) {
    for (int i = 0; left == 1 && i < this->rows_.first; ++i)
      if (this->placeOfRow(i) == 0)
        pinned_ = i;
      else
        this->weights_[i] *= this->poles_[i];
  }

  /// Column j of S that is not deflated.
  void keptColumn(int j, T *__restrict to) const {
    const T from = this->origin(j), by = this->S_(j, eigen::offsetOf), factor = this->S_(j, eigen::inverseNormOf);
    const T *poles = this->poles_.data(), *weights = this->weights_.data();
    for (int i = 0; i < this->rows_.first; ++i)
      to[i] = weights[i] * factor / (((poles[i] - from) - by) * ((poles[i] + from) + by));
    if (pinned_ >= 0)
      to[pinned_] = -factor;
  }

private:
  int pinned_ = -1; ///< the row of the pinned column, of left vectors, if it is in this tile
};

} // namespace svd

/// A leaf: the singular triplets of the diagonal block of a tile, the last row of which is missing where it
/// `cutsBelow`. Returns i > 0 where a part from row i on did not converge.
#pragma tla kernel bound(compute) flops(12.0 * U.m() * U.m() * U.m())
template <typename T>
int bdsdcLeaf(int cutsBelow, tla::ConstTile<tla::RealType<T>> scale, tla::ConstTile<tla::RealType<T>> d,
              tla::ConstTile<tla::RealType<T>> e, tla::OutTile<tla::RealType<T>> S, tla::OutTile<T> U,
              tla::OutTile<T> V) {
  using Real = tla::RealType<T>;
  const int n = d.m();
  const std::size_t size = static_cast<std::size_t>(n) * n;
  std::vector<Real> diagonal(n), edges(n), values(n), left(size), right(size);
  for (int i = 0; i < n; ++i) {
    diagonal[i] = d(i, 0) / scale(0, 0);
    edges[i] = i + 1 < n || cutsBelow == 1 ? e(i, 0) / scale(0, 0) : Real(0);
  }
  const int info = svd::solveLeaf<Real>(n, cutsBelow == 0, diagonal.data(), edges.data(), values.data(),
                                        {left.data(), n}, {right.data(), n});
  eigen::clear(S);
  for (int i = 0; i < n; ++i)
    S(i, eigen::eigenvalueOf) = values[i];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      U(i, j) = left[i + static_cast<std::size_t>(j) * n];
      V(i, j) = right[i + static_cast<std::size_t>(j) * n];
    }
  return info;
}

/// Deflates a merge whose lower half begins at tile `lower` of D (LAPACK: lasd2, without its copies of the columns). D
/// becomes that of the right vectors, L that of the left ones.
#pragma tla kernel bound(memory)
template <typename T>
void bdsdcDeflate(int order, int lower, int isLast, tla::ConstTile<T> scale, tla::ConstTile<T> d, tla::ConstTile<T> e,
                  tla::Panel<T> D, tla::Panel<T> L, tla::OutTile<T> H) {
  using namespace eigen;
  const svd::Deflation<T> merge =
      svd::Deflator<T>(gather<T>(D, valueOf, order), gather<T>(D, rowOf, order), lower * D(0).m(), isLast == 1,
                       d(d.m() - 1, 0) / scale(0, 0), e(e.m() - 1, 0) / scale(0, 0))
          .deflate();
  svd::scatterDeflation(merge.right, D);
  svd::scatterDeflation(merge.left, L);
  clear(H);
  H(keptOf, 0) = T(merge.right.kept), H(svd::scaleOf, 0) = std::scalbn(T(1), merge.exponent);
}

/// R = origins and offsets of the singular values at the places of tile t (LAPACK: lasd4). Returns i > 0 where the one
/// at the i-th place was not found.
#pragma tla kernel bound(compute) flops(80.0 * R.m() * order)
template <typename T> int bdsdcRoots(int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::OutTile<T> R) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), first = t * R.m();
  const std::vector<T> d = gather(D, poleAt, order), z = gather(D, weightAt, order);
  SecularEquation<T, true> equation(kept, d.data(), z.data(), T(1));
  clear(R);
  for (int i = 0; i < std::min(R.m(), kept - first); ++i) {
    const Root<T> root = equation.root(first + i);
    if (!root.found)
      return first + i + 1;
    R(i, 0) = T(root.origin), R(i, 1) = root.offset;
  }
  return 0;
}

/// Z = the row for which the roots are exact at the places of tile t.
#pragma tla kernel bound(compute) flops(6.0 * Z.m() * order)
template <typename T>
void bdsdcRow(int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> R, tla::OutTile<T> Z) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), nb = Z.m();
  const svd::GatheredRoots<T> all(order, kept, D, R);
  const std::vector<T> z = gather(D, weightAt, order);
  clear(Z);
  svd::exactRow(all.roots, z.data(), t * nb, std::clamp(kept - t * nb, 0, nb), &Z(0, 0));
}

/// S = the new columns of tile t: which places they show, roots, singular values, and the norms of the right or left
/// vectors. `sorted`: by descending singular values.
#pragma tla kernel bound(compute) flops(6.0 * S.m() * order)
template <typename T>
void bdsdcColumns(int left, int sorted, int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D,
                  tla::ConstPanel<T> R, tla::ConstPanel<T> Z, tla::OutTile<T> S) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), nb = S.m();
  const svd::GatheredRoots<T> all(order, kept, D, R);
  const std::vector<T> z = gather(Z, 0, order);
  std::vector<T> values(all.all.d);
  for (int k = 0; k < kept; ++k)
    values[k] = all.roots.value(k);
  const std::vector<int> places = svd::orderOfPlaces(sorted == 1, values, gather(D, columnAt, order));
  clear(S);
  for (int i = 0; i < rowsOfTile(order, nb, t); ++i) {
    const int k = places[t * nb + i];
    S(i, placeShown) = T(k), S(i, eigenvalueOf) = values[k] * H(svd::scaleOf, 0), S(i, originOf) = all.all.origin[k],
         S(i, offsetOf) = all.all.offset[k];
    S(i, inverseNormOf) = k < kept ? 1 / svd::normOfVector(all.roots, z.data(), k, left == 1) : T(1);
  }
}

/// M = the rows of tile t of the `columns` new right or left columns of a tile in terms of the old ones, in the orders
/// of stedcProduct.
#pragma tla kernel bound(compute) flops(5.0 * M.m() * columns)
template <typename T>
void bdsdcVectors(int left, int order, int t, int columns, tla::ConstTile<T> H, tla::ConstPanel<T> D,
                  tla::ConstPanel<T> Z, tla::ConstTile<T> S, tla::OutTile<T> M) {
  eigen::fillVectors(svd::VectorTile<T>(left, order, t, D, Z, S), static_cast<int>(H(eigen::keptOf, 0)), columns, S, M);
}
