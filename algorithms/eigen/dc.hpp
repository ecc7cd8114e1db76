// Kernels of stedc, divide and conquer on tiles. The tasks do not depend on elements; what does (which columns deflate,
// how many are kept, in which order) is in small tiles that the kernels read. One column of a merge has a row in them:
//
//   D  what deflation made of it: columns of D below
//   R  origin and offset of the root at its place
//   S  the new column: which place it shows, its root, its eigenvalue
//
// These tiles are full at the edge, too: `order` is the order of the whole merge, and rows behind it are zero.
#pragma once
#include "deflation.hpp"
#include "leaf.hpp"
#include "rank_one.hpp"
#include "secular.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <tla/tla.hpp>
#include <vector>

namespace eigen {

/// Columns of D: of each old column (Of) or of each place (At).
enum ColumnOfD {
  valueOf,
  rowOf,
  poleAt,
  weightAt,
  columnAt,
  placeOf,
  shareOf,
  nextOf,
  cosineOf,
  sineOf,
  previousOf,
  columnsOfD
};
/// Columns of S, of each new column.
enum ColumnOfS { placeShown, originOf, offsetOf, eigenvalueOf, inverseNormOf, columnsOfS };
/// Rows of H: how many columns of a merge are kept, and rho.
enum RowOfH { keptOf, rhoOf };

/// The first `order` elements of column c of the tiles of a panel, below each other.
template <typename T> inline std::vector<T> gather(tla::ConstPanel<T> P, int c, int order) {
  std::vector<T> all(order);
  for (int t = 0, first = 0; first < order; first += P(t).m(), ++t)
    std::copy(&P(t)(0, c), &P(t)(0, c) + std::min(P(t).m(), order - first), all.begin() + first);
  return all;
}
template <typename T, typename From> inline void scatter(const std::vector<From> &all, tla::Panel<T> P, int c) {
  const int order = static_cast<int>(all.size());
  for (int t = 0, first = 0; first < order; first += P(t).m(), ++t)
    for (int i = 0; i < std::min(P(t).m(), order - first); ++i)
      P(t)(i, c) = T(all[first + i]);
}
/// Zeros in a Tile or an OutTile.
template <typename Tile> inline void clear(const Tile &A) {
  for (int j = 0; j < A.n(); ++j)
    std::fill_n(&A(0, j), A.m(), 0);
}
/// Rows of tile t, of nb rows, that a merge of this order has.
inline int rowsOfTile(int order, int nb, int t) { return std::clamp(order - t * nb, 0, nb); }

/// A tile as one of real numbers, real and imaginary parts in rows of their own.
template <typename T> inline tla::Tile<tla::RealType<T>> asReal(tla::ConstTile<T> A) {
  constexpr int parts = sizeof(T) / sizeof(tla::RealType<T>);
  return {reinterpret_cast<tla::RealType<T> *>(const_cast<T *>(A.data())), parts * A.m(), A.n(), parts * A.ld()};
}

/// The indices below `count` for which `isFirst` holds, then the others, both ascending, and how many the former are.
struct Partition {
  std::vector<int> order;
  int first = 0;
  template <typename IsFirst> Partition(int count, IsFirst isFirst) : order(count) {
    for (int i = 0; i < count; ++i)
      first += isFirst(i);
    for (int i = 0, a = 0, b = first; i < count; ++i)
      order[isFirst(i) ? a++ : b++] = i;
  }
};
/// The old columns of a tile of D that take part in the product come first.
template <typename T> inline Partition partingRows(tla::ConstTile<T> D, int count) {
  return {count, [&](int i) { return D(i, placeOf) >= 0; }};
}
/// The new columns of a tile of S that are not deflated ones come first.
template <typename T> inline Partition partingColumns(int kept, tla::ConstTile<T> S, int count) {
  return {count, [&](int j) { return S(j, placeShown) < kept; }};
}

/// The roots of a merge, gathered from D and R.
template <typename T> struct GatheredRoots {
  std::vector<T> d, origin, offset;
  GatheredRoots(int order, tla::ConstPanel<T> D, tla::ConstPanel<T> R)
      : d(gather(D, poleAt, order)), origin(gather(R, 0, order)), offset(gather(R, 1, order)) {}
  Roots<T> of(int kept) const { return {kept, d.data(), origin.data(), offset.data()}; }
};

} // namespace eigen

/// scale = a power of two by which the elements of d and e become smaller than 2, the largest not smaller than 1; 1 of
/// zeros. Returns i > 0 when row i, counted from 1, is the first that has a NaN or an infinity. The last element of e
/// is not referenced.
#pragma tla kernel bound(memory)
template <typename T> int stedcScale(tla::ConstPanel<T> d, tla::ConstPanel<T> e, tla::OutTile<T> scale) {
  T largest = 0;
  int row = 0;
  scale(0, 0) = T(1);
  for (int t = 0; t < d.mt(); ++t)
    for (int i = 0; i < d(t).m(); ++i) {
      const T edge = t + 1 < d.mt() || i + 1 < d(t).m() ? e(t)(i, 0) : T(0);
      ++row;
      if (!std::isfinite(d(t)(i, 0)) || !std::isfinite(edge))
        return row;
      largest = std::max({largest, std::abs(d(t)(i, 0)), std::abs(edge)});
    }
  if (largest > 0)
    scale(0, 0) = std::scalbn(T(1), std::ilogb(largest));
  return 0;
}

/// A leaf: the eigenpairs of the diagonal block of a tile, whose corners lose the absolute value of the subdiagonal
/// elements that are cut there (J. J. M. Cuppen, Numer. Math. 36, 1981). Returns i > 0 where an eigenvalue of row i did
/// not converge.
#pragma tla kernel bound(compute) flops(6.0 * Q.m() * Q.m() * Q.m())
template <typename T>
int stedcLeaf(int cutAbove, int cutBelow, tla::ConstTile<tla::RealType<T>> scale, tla::ConstTile<tla::RealType<T>> d,
              tla::ConstTile<tla::RealType<T>> e, tla::ConstTile<tla::RealType<T>> above,
              tla::OutTile<tla::RealType<T>> S, tla::OutTile<T> Q) {
  using Real = tla::RealType<T>;
  const int n = d.m();
  std::vector<Real> values(n), edges(n), vectors(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) {
    values[i] = d(i, 0) / scale(0, 0);
    edges[i] = i + 1 < n ? e(i, 0) / scale(0, 0) : Real(0);
  }
  if (cutAbove)
    values[0] -= std::abs(above(above.m() - 1, 0) / scale(0, 0));
  if (cutBelow)
    values[n - 1] -= std::abs(e(n - 1, 0) / scale(0, 0));
  const int info = eigen::solveLeaf(n, values.data(), edges.data(), vectors.data(), n);
  eigen::clear(S);
  for (int i = 0; i < n; ++i)
    S(i, eigen::eigenvalueOf) = values[i];
  for (int j = 0; j < Q.n(); ++j)
    for (int i = 0; i < Q.m(); ++i)
      Q(i, j) = vectors[i + static_cast<std::size_t>(j) * n];
  return info;
}

/// D = the eigenvalues in S and the last or the first row of Q.
#pragma tla kernel bound(memory)
template <typename T>
void stedcRow(int last, tla::ConstTile<tla::RealType<T>> S, tla::ConstTile<T> Q, tla::OutTile<tla::RealType<T>> D) {
  eigen::clear(D);
  for (int i = 0; i < Q.n(); ++i) {
    D(i, eigen::valueOf) = S(i, eigen::eigenvalueOf);
    D(i, eigen::rowOf) = std::real(Q(last ? Q.m() - 1 : 0, i));
  }
}

/// Deflates a merge whose lower half begins at tile `lower` of D (LAPACK: laed2, without its copies of the columns).
#pragma tla kernel bound(memory)
template <typename T>
void stedcDeflate(int order, int lower, tla::ConstTile<T> scale, tla::ConstTile<T> e, tla::Panel<T> D,
                  tla::OutTile<T> H) {
  using namespace eigen;
  const Deflation<T> merge = Deflator<T>(gather<T>(D, valueOf, order), gather<T>(D, rowOf, order), lower * D(0).m(),
                                         e(e.m() - 1, 0) / scale(0, 0))
                                 .deflate();
  scatter(merge.d, D, poleAt), scatter(merge.z, D, weightAt), scatter(merge.columnAt, D, columnAt);
  scatter(merge.placeOf, D, placeOf), scatter(merge.share, D, shareOf), scatter(merge.next, D, nextOf);
  scatter(merge.cosine, D, cosineOf), scatter(merge.sine, D, sineOf), scatter(merge.previous, D, previousOf);
  clear(H);
  H(keptOf, 0) = T(merge.kept), H(rhoOf, 0) = merge.rho;
}

/// R = origins and offsets of the roots at the places of tile t (LAPACK: laed4). Returns i > 0 where a root at the i-th
/// place was not found.
#pragma tla kernel bound(compute) flops(60.0 * R.m() * order)
template <typename T> int stedcRoots(int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::OutTile<T> R) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), first = t * R.m();
  const std::vector<T> d = gather(D, poleAt, order), z = gather(D, weightAt, order);
  SecularEquation<T> equation(kept, d.data(), z.data(), H(rhoOf, 0));
  clear(R);
  for (int i = 0; i < std::min(R.m(), kept - first); ++i) {
    const Root<T> root = equation.root(first + i);
    if (!root.found)
      return first + i + 1;
    R(i, 0) = T(root.origin), R(i, 1) = root.offset;
  }
  return 0;
}

/// Z = Gu & Eisenstat's z at the places of tile t.
#pragma tla kernel bound(compute) flops(4.0 * Z.m() * order)
template <typename T>
void stedcWeights(int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> R,
                  tla::OutTile<T> Z) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), nb = Z.m();
  const GatheredRoots<T> roots(order, D, R);
  const std::vector<T> z = gather(D, weightAt, order);
  clear(Z);
  exactWeights(roots.of(kept), z.data(), t * nb, std::clamp(kept - t * nb, 0, nb), &Z(0, 0));
}

/// S = the new columns of tile t: which places they show, roots, eigenvalues, and the norms of the vectors. `sorted`:
/// in the order of the eigenvalues.
#pragma tla kernel bound(compute) flops(4.0 * S.m() * order)
template <typename T>
void stedcColumns(int sorted, int order, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> R,
                  tla::ConstPanel<T> Z, tla::OutTile<T> S) {
  using namespace eigen;
  const int kept = static_cast<int>(H(keptOf, 0)), nb = S.m();
  const GatheredRoots<T> all(order, D, R);
  const Roots<T> roots = all.of(kept);
  const std::vector<T> z = gather(Z, 0, order);
  std::vector<T> values(all.d);
  for (int k = 0; k < kept; ++k)
    values[k] = roots.value(k);
  const std::vector<int> places = orderOfPlaces(sorted == 1, values);
  clear(S);
  for (int i = 0; i < rowsOfTile(order, nb, t); ++i) {
    const int k = places[t * nb + i];
    S(i, placeShown) = T(k), S(i, eigenvalueOf) = values[k], S(i, originOf) = all.origin[k],
         S(i, offsetOf) = all.offset[k];
    S(i, inverseNormOf) = k < kept ? 1 / normOfVector(roots, z.data(), k) : T(1);
  }
}

/// Columns of Q that take part in the product come first.
#pragma tla kernel bound(memory)
template <typename T> void stedcCompress(tla::ConstTile<tla::RealType<T>> D, tla::Tile<T> Q) {
  const eigen::Partition columns = eigen::partingRows(D, Q.n());
  if (columns.first == Q.n())
    return;
  std::vector<T> copy(static_cast<std::size_t>(Q.m()) * Q.n());
  for (int j = 0; j < Q.n(); ++j)
    std::copy(&Q(0, columns.order[j]), &Q(0, columns.order[j]) + Q.m(), &copy[static_cast<std::size_t>(j) * Q.m()]);
  for (int j = 0; j < Q.n(); ++j)
    std::copy_n(&copy[static_cast<std::size_t>(j) * Q.m()], Q.m(), &Q(0, j));
}

namespace eigen {

/// Fills tiles of M, the new columns in terms of the old ones: a row for each old column of tile t, those that take
/// part in the product first, and the new columns that are not deflated first.
template <typename T> class VectorTile {
public:
  VectorTile(int order, int t, tla::ConstPanel<T> D, tla::ConstPanel<T> Z, tla::ConstTile<T> S)
      : D_(D), S_(S), nb_(D(0).m()), first_(t * nb_), count_(rowsOfTile(order, nb_, t)),
        rows_(partingRows(D(t), count_)), poles_(rows_.first), weights_(rows_.first), rowOf_(count_) {
    for (int i = 0; i < count_; ++i)
      rowOf_[rows_.order[i]] = i;
    for (int i = 0; i < rows_.first; ++i) {
      const int x = rows_.order[i], k = static_cast<int>(D(t)(x, placeOf));
      poles_[i] = at(k, poleAt);
      weights_[i] = Z(k / nb_)(k % nb_, 0) * D(t)(x, shareOf);
    }
  }

  /// Column j of S that is not deflated.
  void keptColumn(int j, T *__restrict to) const {
    const T from = origin(j), offset = S_(j, offsetOf), factor = S_(j, inverseNormOf);
    const T *poles = poles_.data(), *weights = weights_.data();
    for (int i = 0; i < rows_.first; ++i)
      to[i] = weights[i] * factor / ((poles[i] - from) - offset);
  }
  void deflatedColumn(int j, T *to) const {
    const int x = static_cast<int>(at(static_cast<int>(S_(j, placeShown)), columnAt));
    visitDeflated<T>(*this, x, [&](int y, T factor) {
      if (y >= first_ && y < first_ + count_)
        to[rowOf_[y - first_]] += factor;
    });
  }

  int next(int x) const { return static_cast<int>(at(x, nextOf)); }
  int previous(int x) const { return static_cast<int>(at(x, previousOf)); }
  T cosine(int x) const { return at(x, cosineOf); }
  T sine(int x) const { return at(x, sineOf); }

protected:
  /// The place of the i-th row, which takes part in the product.
  int placeOfRow(int i) const { return static_cast<int>(at(first_ + rows_.order[i], placeOf)); }
  T origin(int j) const { return at(static_cast<int>(S_(j, originOf)), poleAt); }

  T at(int k, ColumnOfD c) const { return D_(k / nb_)(k % nb_, c); }

  const tla::ConstPanel<T> D_;
  const tla::ConstTile<T> S_;
  const int nb_, first_, count_;
  const Partition rows_;
  std::vector<T> poles_, weights_;
  std::vector<int> rowOf_;
};

/// M = the `columns` new columns that S describes, of which this many are kept, in the rows of a VectorTile.
template <typename Rows, typename T>
inline void fillVectors(const Rows &tile, int kept, int columns, tla::ConstTile<T> S, tla::OutTile<T> M) {
  const Partition parts = partingColumns(kept, S, columns);
  clear(M);
  for (int j = 0; j < columns; ++j)
    if (j < parts.first)
      tile.keptColumn(parts.order[j], &M(0, j));
    else
      tile.deflatedColumn(parts.order[j], &M(0, j));
}

} // namespace eigen

/// M = the rows of tile t of the `columns` new columns of a tile in terms of the old ones, in the orders of
/// stedcProduct.
#pragma tla kernel bound(compute) flops(3.0 * M.m() * columns)
template <typename T>
void stedcVectors(int order, int t, int columns, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> Z,
                  tla::ConstTile<T> S, tla::OutTile<T> M) {
  using namespace eigen;
  fillVectors(VectorTile<T>(order, t, D, Z, S), static_cast<int>(H(keptOf, 0)), columns, S, M);
}

/// P = Q M, or P += Q M, over the old columns of one tile: a product of the columns that are kept, and of deflated new
/// columns the few old ones that rotations have mixed.
#pragma tla kernel bound(compute) flops(2.0 * Q.m() * Q.n() * P.n()) writes(P if first == 1)
template <typename T>
void stedcProduct(int first, tla::ConstTile<tla::RealType<T>> H, tla::ConstTile<tla::RealType<T>> D,
                  tla::ConstTile<tla::RealType<T>> S, tla::ConstTile<T> Q, tla::ConstTile<tla::RealType<T>> M,
                  tla::Tile<T> P) {
  using namespace eigen;
  using Real = tla::RealType<T>;
  const int kept = static_cast<int>(H(keptOf, 0)), rows = partingRows(D, Q.n()).first,
            columns = partingColumns(kept, S, P.n()).first;
  const tla::Tile<Real> from = asReal<T>(Q), to = asReal<T>(P);
  if (first == 1 && rows == 0)
    clear(to);
  if (rows > 0)
    tla::gemm(tla::NoTrans, tla::NoTrans, Real(1), from.cols(0, rows), M.rows(0, rows).cols(0, columns),
              first == 1 ? Real(0) : Real(1), to.cols(0, columns));
  for (int j = columns; j < P.n(); ++j) {
    if (first == 1)
      std::fill(&to(0, j), &to(0, j) + to.m(), Real(0));
    for (int r = 0; r < Q.n(); ++r)
      if (const Real a = M(r, j); a != 0)
        for (int i = 0; i < to.m(); ++i)
          to(i, j) += a * from(i, r);
  }
}

/// Q = P with the columns where they belong.
#pragma tla kernel bound(memory)
template <typename T>
void stedcDecompress(tla::ConstTile<tla::RealType<T>> H, tla::ConstTile<tla::RealType<T>> S, tla::ConstTile<T> P,
                     tla::OutTile<T> Q) {
  const eigen::Partition parts = eigen::partingColumns(static_cast<int>(H(eigen::keptOf, 0)), S, P.n());
  for (int j = 0; j < P.n(); ++j)
    std::copy(&P(0, j), &P(0, j) + P.m(), &Q(0, parts.order[j]));
}

/// w = the eigenvalues in S, scaled back.
#pragma tla kernel bound(memory)
template <typename T> void stedcValues(tla::ConstTile<T> scale, tla::ConstTile<T> S, tla::OutTile<T> w) {
  for (int i = 0; i < w.m(); ++i)
    w(i, 0) = S(i, eigen::eigenvalueOf) * scale(0, 0);
}
