// Deflation of a merge of divide and conquer: which eigenpairs of the two halves are eigenpairs of the whole already
// (LAPACK: laed2).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace eigen {

/// A merge of order n, diag(d) + rho z z^T, after deflation. Columns are those of the halves' eigenvectors; places
/// first count the kept ones, in the order of their eigenvalues, then the deflated ones. -1: there is none.
template <typename T> struct Deflation {
  explicit Deflation(int n)
      : d(n), z(n), columnAt(n), placeOf(n, -1), share(n, 1), next(n, -1), previous(n, -1), cosine(n, 1), sine(n, 0) {}

  int kept = 0;
  T rho = 0;
  std::vector<T> d, z;         ///< eigenvalue and element of z at each place
  std::vector<int> columnAt;   ///< the column at each place
  std::vector<int> placeOf;    ///< the kept place of which a column is a part, alone or rotated with others
  std::vector<T> share;        ///< the column's factor in it
  std::vector<int> next;       ///< the column that a column was rotated with when it deflated
  std::vector<int> previous;   ///< the column that was rotated into this one last
  std::vector<T> cosine, sine; ///< rotation of a column with the next one
};

/// Visits the old columns of which the deflated column x consists, with their factors: it was rotated with the next
/// one, after others had been rotated into it. `of` has the members next, previous, cosine, sine of a Deflation, as
/// functions of the column.
template <typename T, typename Rotations, typename Visit> void visitDeflated(const Rotations &of, int x, Visit visit) {
  T factor = 1;
  if (const int behind = of.next(x); behind >= 0) {
    visit(behind, of.sine(x));
    factor = of.cosine(x);
  }
  for (int before; (before = of.previous(x)) >= 0; x = before) {
    visit(x, factor * of.cosine(before));
    factor *= -of.sine(before);
  }
  visit(x, factor);
}

/// Deflates one merge.
template <typename T> class Deflator {
public:
  /// d: the eigenvalues of both halves, n1 of them of the upper one, each half's in any order; z: the last row of the
  /// upper half's eigenvectors and the first one of the lower half's; edge: the subdiagonal element between them.
  Deflator(std::vector<T> d, std::vector<T> z, int n1, T edge)
      : d_(std::move(d)), z_(std::move(z)), result_(static_cast<int>(d_.size())) {
    result_.rho = 2 * std::abs(edge); // z becomes a vector of norm 1
    const T half = std::sqrt(T(0.5));
    T largestD = 0, largestZ = 0;
    for (int x = 0; x < size(); ++x) {
      z_[x] *= x >= n1 && edge < 0 ? -half : half;
      largestD = std::max(largestD, std::abs(d_[x]));
      largestZ = std::max(largestZ, std::abs(z_[x]));
    }
    tolerance_ = 8 * (std::numeric_limits<T>::epsilon() / 2) * std::max(largestD, largestZ);
  }

  Deflation<T> deflate() {
    part(ascending());
    list();
    return std::move(result_);
  }

protected:
  Deflator(std::vector<T> d, std::vector<T> z, T rho, T tolerance)
      : d_(std::move(d)), z_(std::move(z)), tolerance_(tolerance), result_(static_cast<int>(d_.size())) {
    result_.rho = rho;
  }

  int size() const { return static_cast<int>(d_.size()); }

  /// Decides which of these columns, in the order of their d, are kept and which are gone.
  void part(const std::vector<int> &columns) {
    int candidate = -1; // the last column that is not known to be kept or gone
    for (int x : columns) {
      if (result_.rho * std::abs(z_[x]) <= tolerance_) {
        gone_.push_back(x);
        continue;
      }
      if (candidate >= 0)
        (rotatesAway(candidate, x) ? gone_ : kept_).push_back(candidate);
      candidate = x;
    }
    if (candidate >= 0)
      kept_.push_back(candidate);
    std::sort(gone_.begin(), gone_.end(), [&](int x, int y) { return isBefore(x, y); });
  }

  bool isBefore(int x, int y) const { return d_[x] < d_[y] || (d_[x] == d_[y] && x < y); }

  std::vector<int> ascending() const {
    std::vector<int> order(d_.size());
    for (int x = 0; x < size(); ++x)
      order[x] = x;
    std::sort(order.begin(), order.end(), [&](int x, int y) { return isBefore(x, y); });
    return order;
  }

  /// Where two eigenvalues are close, a rotation of their columns makes one element of z zero; what it leaves off the
  /// diagonal is neglected when it is small enough.
  bool rotatesAway(int candidate, int x) {
    const T length = std::hypot(z_[x], z_[candidate]), c = z_[x] / length, s = -z_[candidate] / length;
    if (std::abs((d_[x] - d_[candidate]) * c * s) > tolerance_)
      return false;
    z_[x] = length;
    const T a = d_[candidate], b = d_[x];
    d_[candidate] = a * c * c + b * s * s;
    d_[x] = a * s * s + b * c * c;
    result_.next[candidate] = x;
    result_.previous[x] = candidate;
    result_.cosine[candidate] = c;
    result_.sine[candidate] = s;
    return true;
  }

  void list() {
    result_.kept = static_cast<int>(kept_.size());
    for (int place = 0; place < size(); ++place) {
      const int x = place < result_.kept ? kept_[place] : gone_[place - result_.kept];
      result_.d[place] = d_[x];
      result_.z[place] = z_[x];
      result_.columnAt[place] = x;
    }
    for (int place = 0; place < result_.kept; ++place)
      listParts(place);
  }

  /// The columns that rotations have made one with the kept one at this place.
  void listParts(int place) {
    T factor = 1;
    for (int x = kept_[place]; x >= 0; x = result_.previous[x]) {
      result_.placeOf[x] = place;
      const int before = result_.previous[x];
      result_.share[x] = before >= 0 ? factor * result_.cosine[before] : factor;
      if (before >= 0)
        factor *= -result_.sine[before];
    }
  }

  std::vector<T> d_, z_;
  T tolerance_;
  std::vector<int> kept_, gone_;
  Deflation<T> result_;
};

} // namespace eigen
