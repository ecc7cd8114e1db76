// Eigenvalues of a symmetric tridiagonal matrix by multisection with Sturm counts (LAPACK: stebz; J. W. Demmel,
// I. Dhillon, H. Ren, On the correctness of some bisection-like parallel eigenvalue algorithms in floating point
// arithmetic, ETNA 3, 1995).
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <tla/tla.hpp>
#include <vector>

namespace eigen {

/// A tridiagonal matrix of real numbers, scaled so that the largest element is in [1, 2): diagonal and squares of the
/// subdiagonal elements, none of them zero.
template <typename Real> struct SturmMatrix {
  std::vector<Real> d, squares;
  Real scale = 1, low = 0, high = 0; ///< bounds of the eigenvalues, by Gershgorin's theorem
  int unusable = 0;                  ///< the row, from 1 on, of the first NaN or infinity

  template <typename T>
  SturmMatrix(tla::ConstPanel<T> diagonal, tla::ConstPanel<T> edges) : d(diagonal.m()), squares(diagonal.m()) {
    const int n = static_cast<int>(d.size());
    std::vector<Real> e(n);
    int row = 0;
    Real largest = 0;
    for (int t = 0; t < diagonal.mt(); ++t)
      for (int i = 0; i < diagonal(t).m(); ++i, ++row) {
        d[row] = std::real(diagonal(t)(i, 0));
        e[row] = row + 1 < n ? std::real(edges(t)(i, 0)) : Real(0);
        if (!unusable && (!std::isfinite(d[row]) || !std::isfinite(e[row])))
          unusable = row + 1;
        largest = std::max({largest, std::abs(d[row]), std::abs(e[row])});
      }
    if (largest > 0 && !unusable)
      scale = std::scalbn(Real(1), std::ilogb(largest));
    for (int i = 0; i < n; ++i) {
      d[i] = d[i] / scale + Real(0); // no negative zeros
      e[i] = std::abs(e[i] / scale);
      squares[i] = std::max(e[i] * e[i], std::numeric_limits<Real>::min());
    }
    for (int i = 0; i < n; ++i) {
      const Real radius = (i > 0 ? e[i - 1] : Real(0)) + e[i];
      low = i == 0 ? d[i] - radius : std::min(low, d[i] - radius);
      high = i == 0 ? d[i] + radius : std::max(high, d[i] + radius);
    }
    const Real margin =
        4 * std::numeric_limits<Real>::epsilon() * std::max(std::abs(low), std::abs(high)) * std::max(n, 1);
    low -= margin;
    high += margin;
  }
};

/// counts[j] = how many eigenvalues are below x[j], of `lanes` numbers: the negative pivots of the elimination of the
/// matrix less x[j]. A pivot that is zero makes the next one infinite, and that one the next but one finite again.
template <int lanes, typename Real>
inline void sturmCounts(const SturmMatrix<Real> &matrix, const Real *x, int *counts) {
  Real shift[lanes], pivot[lanes], negative[lanes];
  for (int j = 0; j < lanes; ++j)
    shift[j] = x[j] + Real(0), pivot[j] = 1, negative[j] = 0;
  Real square = 0;
  for (std::size_t i = 0; i < matrix.d.size(); ++i) {
    const Real d = matrix.d[i];
    for (int j = 0; j < lanes; ++j) {
      pivot[j] = (d - shift[j]) - square / pivot[j];
      negative[j] += pivot[j] < 0 ? Real(1) : Real(0);
    }
    square = matrix.squares[i];
  }
  for (int j = 0; j < lanes; ++j)
    counts[j] = static_cast<int>(negative[j]);
}

/// The eigenvalues first .. first + count - 1, from 0 on and ascending, of a matrix: each has a bracket, and in every
/// round each bracket gets a new number inside; where several eigenvalues have the same one, at equal distances.
template <typename Real> class Multisection {
public:
  Multisection(const SturmMatrix<Real> &matrix, int first, int count)
      : matrix_(matrix), first_(first), low_(count, matrix.low), high_(count, matrix.high), inside_(padded(count)),
        counts_(padded(count)) {}

  /// Returns false where brackets did not become narrow.
  bool solve() {
    for (int round = 0; round < 4 * std::numeric_limits<Real>::digits; ++round) {
      if (allNarrow())
        return true;
      divide();
      for (std::size_t k = 0; k < inside_.size(); k += lanes)
        sturmCounts<lanes>(matrix_, &inside_[k], &counts_[k]);
      narrow();
    }
    return allNarrow();
  }
  Real value(int k) const { return middle(k) * matrix_.scale; }

private:
  static constexpr int lanes = 256 / static_cast<int>(sizeof(Real));
  static std::size_t padded(int count) { return static_cast<std::size_t>((count + lanes - 1) / lanes) * lanes; }
  int size() const { return static_cast<int>(low_.size()); }
  Real middle(int k) const { return low_[k] + (high_[k] - low_[k]) / 2; }

  bool isNarrow(int k) const {
    constexpr Real eps = std::numeric_limits<Real>::epsilon();
    const Real norm = std::max(std::abs(matrix_.low), std::abs(matrix_.high));
    return high_[k] - low_[k] <= eps / 2 * norm || !(middle(k) > low_[k] && middle(k) < high_[k]);
  }
  bool allNarrow() const {
    for (int k = 0; k < size(); ++k)
      if (!isNarrow(k))
        return false;
    return true;
  }

  void divide() {
    std::fill(inside_.begin(), inside_.end(), matrix_.high);
    for (int k = 0, end; k < size(); k = end) {
      for (end = k + 1; end < size() && low_[end] == low_[k] && high_[end] == high_[k];)
        ++end;
      if (end == k + 1)
        inside_[k] = middle(k);
      else
        for (int i = k; i < end; ++i)
          inside_[i] = low_[k] + (high_[k] - low_[k]) * (Real(i - k + 1) / Real(end - k + 1));
    }
  }
  /// The numbers ascend, and so do the counts: eigenvalue k is above the last number that has k eigenvalues below it at
  /// most, and below the first that has more.
  void narrow() {
    int above = 0; // the first number that has more eigenvalues below it than k
    for (int k = 0; k < size(); ++k) {
      while (above < size() && counts_[above] <= first_ + k)
        ++above;
      if (above < size())
        high_[k] = std::max(low_[k], std::min(high_[k], inside_[above]));
      if (above > 0)
        low_[k] = std::min(high_[k], std::max(low_[k], inside_[above - 1]));
    }
  }

  const SturmMatrix<Real> &matrix_;
  const int first_;
  std::vector<Real> low_, high_, inside_;
  std::vector<int> counts_;
};

/// How many eigenvalues of the matrix are below x, in double and with a pivot that is never zero (LAPACK: laebz): for a
/// judge, other code than sturmCounts.
template <typename T> inline int countBelow(int n, const std::vector<double> &d, const std::vector<double> &e, T x) {
  int count = 0;
  double pivot = 1;
  for (int i = 0; i < n; ++i) {
    pivot = d[i] - x - (i > 0 ? e[i - 1] * e[i - 1] / pivot : 0);
    if (std::abs(pivot) < std::numeric_limits<double>::min() * 1e10)
      pivot = -std::numeric_limits<double>::min() * 1e10;
    count += pivot < 0;
  }
  return count;
}

} // namespace eigen

/// w = the eigenvalues first .. first + w.m() - 1, from 0 on and ascending, of the tridiagonal matrix of d and e; the
/// last element of e is not referenced. Returns i > 0 where row i has a NaN or an infinity, or an eigenvalue was not
/// found.
#pragma tla kernel bound(compute) flops(150.0 * w.m() * d.m())
template <typename T> int sturmValues(int first, tla::ConstPanel<T> d, tla::ConstPanel<T> e, tla::OutTile<T> w) {
  using Real = tla::RealType<T>;
  const eigen::SturmMatrix<Real> matrix(d, e);
  for (int k = 0; k < w.m(); ++k)
    w(k, 0) = T(std::numeric_limits<Real>::quiet_NaN());
  if (matrix.unusable)
    return matrix.unusable;
  eigen::Multisection<Real> values(matrix, first, w.m());
  if (!values.solve())
    return first + 1;
  for (int k = 0; k < w.m(); ++k)
    w(k, 0) = T(values.value(k));
  return 0;
}

/// w: no element is less than the last one of the tile before, from which rounding may have kept it.
#pragma tla kernel bound(memory)
template <typename T> void sturmAscend(tla::ConstTile<T> before, tla::Tile<T> w) {
  const tla::RealType<T> least = std::real(before(before.m() - 1, 0));
  for (int k = 0; k < w.m() && std::real(w(k, 0)) < least; ++k)
    w(k, 0) = T(least);
}

/// r = the largest of r and, over the eigenvalues in w, the least power of two times eps |T| within which the counts of
/// the matrix have an eigenvalue of that number; |T| is the largest element.
#pragma tla kernel bound(compute) flops(10.0 * w.m() * d.m()) requires(r.m() == 1, r.n() == 1)
template <typename T>
void judgeValues(int first, tla::ConstPanel<T> d, tla::ConstPanel<T> e, tla::ConstTile<T> w, tla::Tile<T> r) {
  using Real = tla::RealType<T>;
  std::vector<double> diagonal, edges;
  double largest = 0;
  for (int t = 0; t < d.mt(); ++t)
    for (int i = 0; i < d(t).m(); ++i) {
      diagonal.push_back(std::real(d(t)(i, 0)));
      edges.push_back(t + 1 < d.mt() || i + 1 < d(t).m() ? double(std::real(e(t)(i, 0))) : 0.0);
      largest = std::max({largest, std::abs(diagonal.back()), std::abs(edges.back())});
    }
  const int n = static_cast<int>(diagonal.size());
  for (int i = 0; i < n && largest > 0; ++i)
    diagonal[i] /= largest, edges[i] /= largest;
  for (int k = 0; k < w.m(); ++k) {
    const double value = largest > 0 ? double(std::real(w(k, 0))) / largest : double(std::real(w(k, 0)));
    double factor = 1;
    const auto within = [&](double error) {
      return eigen::countBelow(n, diagonal, edges, value - error) <= first + k &&
             eigen::countBelow(n, diagonal, edges, value + error) > first + k;
    };
    while (factor < 1e9 && !within(factor * std::numeric_limits<Real>::epsilon()))
      factor *= 2;
    r(0, 0) =
        T(std::isfinite(value) ? std::max(std::real(r(0, 0)), Real(factor)) : std::numeric_limits<Real>::quiet_NaN());
  }
}

/// r becomes NaN, which no check passes, where the real parts of w do not ascend.
#pragma tla kernel bound(memory) requires(r.m() == 1, r.n() == 1)
template <typename T> void requireAscendingParts(tla::ConstPanel<T> w, tla::Tile<T> r) {
  const int nb = w.mt() > 0 ? w(0).m() : 1;
  for (int i = 0; i + 1 < w.m(); ++i)
    if (!(std::real(w(i / nb)(i % nb, 0)) <= std::real(w((i + 1) / nb)((i + 1) % nb, 0))))
      r(0, 0) = T(std::numeric_limits<tla::RealType<T>>::quiet_NaN());
}
