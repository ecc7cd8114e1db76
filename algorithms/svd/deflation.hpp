// Deflation of a merge of singular value problems: which singular triplets of the two halves are those of the whole
// already (M. Gu, S. C. Eisenstat, A divide-and-conquer algorithm for the bidiagonal SVD, SIAM J. Matrix Anal. Appl.
// 16, 1995; LAPACK: lasd2).
#pragma once
#include "../eigen/deflation.hpp"

namespace svd {

/// diag(d) with a row z in that of the pinned column, whose d is zero, after deflation. Right singular vectors are
/// rotated as `right` says, left ones as `left` says: these differ in the two columns of d = 0.
template <typename T> struct Deflation {
  eigen::Deflation<T> right, left; ///< d and z are over 2^exponent, near 1: products of theirs are in the range
  int exponent = 0;
};

/// Deflates one merge of an upper half, whose last row is missing in it, with a lower one.
template <typename T> class Deflator : eigen::Deflator<T> {
  using Base = eigen::Deflator<T>;

public:
  /// d: the singular values of both halves, n1 of the upper one, which ends with the zero of its missing row, as the
  /// lower half does unless it `isLast`; row: the last row of the upper half's right vectors and the first one of the
  /// lower half's; alpha and beta: the elements of the missing row in the columns of these.
  Deflator(std::vector<T> d, std::vector<T> row, int n1, bool isLast, T alpha, T beta)
      : Base(std::move(d), std::move(row), T(1), T(0)), pinned_(n1 - 1), null_(isLast ? -1 : this->size() - 1) {
    T largest = std::max(std::abs(alpha), std::abs(beta));
    for (const T value : this->d_)
      largest = std::max(largest, value);
    if (largest > 0)
      exponent_ = std::ilogb(largest);
    this->tolerance_ = 8 * (std::numeric_limits<T>::epsilon() / 2) * std::scalbn(largest, -exponent_);
    alpha = std::scalbn(alpha, -exponent_);
    beta = std::scalbn(beta, -exponent_);
    for (int x = 0; x < this->size(); ++x) {
      this->z_[x] *= x < n1 ? alpha : beta;
      this->d_[x] = std::scalbn(this->d_[x], -exponent_);
    }
    this->d_[pinned_] = 0;
  }

  Deflation<T> deflate() {
    if (null_ >= 0)
      joinNulls();
    const bool isZero = this->tolerance_ == 0;
    std::vector<int> others;
    for (int x : this->ascending())
      if ((x != pinned_ || isZero) && x != null_)
        others.push_back(x);
    if (!isZero) {
      this->kept_.push_back(pinned_);
      if (std::abs(this->z_[pinned_]) <= this->tolerance_)
        this->z_[pinned_] = this->tolerance_;
    }
    this->part(others);
    if (null_ >= 0)
      this->gone_.push_back(null_); // the last column of the whole, as it is that of its half
    this->list();
    Deflation<T> merge{this->result_, this->result_, exponent_};
    if (merge.right.kept > 1) // as far from the pole at zero as rounding is
      merge.right.d[1] = merge.left.d[1] = std::max(merge.right.d[1], this->tolerance_ / 2);
    if (null_ >= 0)
      partNulls(merge.left);
    return merge;
  }

private:
  /// Rotates the right vectors of d = 0 that both halves have, so that the row has nothing in one of them.
  void joinNulls() {
    const T length = std::hypot(this->z_[pinned_], this->z_[null_]);
    eigen::Deflation<T> &all = this->result_;
    all.next[null_] = pinned_;
    all.previous[pinned_] = null_;
    const bool rotates = length > this->tolerance_; // else the row is negligible there, and may be too small to divide
    all.cosine[null_] = rotates ? this->z_[pinned_] / length : T(1);
    all.sine[null_] = rotates ? -this->z_[null_] / length : T(0);
    this->z_[pinned_] = length;
    this->z_[null_] = 0;
    this->d_[null_] = 0;
  }
  /// Leaves their left vectors alone, which are those of two rows.
  void partNulls(eigen::Deflation<T> &left) const {
    left.next[null_] = left.previous[pinned_] = -1;
    left.placeOf[null_] = -1;
    left.share[null_] = left.share[pinned_] = 1;
    left.cosine[null_] = 1;
    left.sine[null_] = 0;
  }

  const int pinned_, null_; ///< null_ = -1: there is no such column
  int exponent_ = 0;
};

} // namespace svd
