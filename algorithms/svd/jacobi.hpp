// Singular triplets of a small bidiagonal matrix by one-sided Jacobi rotations (J. Demmel, K. Veselic, Jacobi's method
// is more accurate than QR, SIAM J. Matrix Anal. Appl. 13, 1992; LAPACK: gesvj).
#pragma once
#include "../eigen/reflector.hpp"
#include "../eigen/steqr.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace svd {

/// A column-major array.
template <typename T> struct Columns {
  T *data;
  long ld;
  T *operator[](int j) const { return data + j * ld; }
  T &operator()(int i, int j) const { return data[i + j * ld]; }
  Columns from(int i, int j) const { return {data + i + j * ld, ld}; }
  void setIdentity(int n) const {
    for (int j = 0; j < n; ++j) {
      std::fill((*this)[j], (*this)[j] + n, T(0));
      (*this)(j, j) = 1;
    }
  }
};

template <typename T> inline T dot(int n, const T *x, const T *y) {
  T sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

/// Makes the `count` columns of W, of n rows and of norms not much above 1, orthogonal, and rotates those of U with
/// them. Returns false where that took too long.
template <typename T> inline bool orthogonalize(int n, int count, const Columns<T> &W, const Columns<T> &U) {
  constexpr T eps = std::numeric_limits<T>::epsilon() / 2;
  constexpr int most = 40;
  for (int sweep = 0; sweep < most; ++sweep) {
    bool rotated = false;
    for (int j = 1; j < count; ++j)
      for (int i = 0; i < j; ++i) {
        const T a = dot(n, W[i], W[i]), b = dot(n, W[j], W[j]), c = dot(n, W[i], W[j]);
        if (std::abs(c) <= std::max(4 * eps * std::sqrt(a) * std::sqrt(b), eps * eps))
          continue;
        const T zeta = (b - a) / (2 * c), t = std::copysign(1 / (std::abs(zeta) + std::hypot(T(1), zeta)), zeta);
        const T cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
        eigen::rotateColumns(n, cosine, sine, W[i], W[j]);
        eigen::rotateColumns(count, cosine, sine, U[i], U[j]);
        rotated = true;
      }
    if (!rotated)
      return true;
  }
  return false;
}

/// Exchanges columns of W, and those of U, so that norms descend.
template <typename T> inline void sortByNorm(int n, int count, const Columns<T> &W, const Columns<T> &U) {
  std::vector<T> squares(count);
  for (int j = 0; j < count; ++j)
    squares[j] = dot(n, W[j], W[j]);
  for (int i = 0; i + 1 < count; ++i) {
    const int most = static_cast<int>(std::max_element(squares.begin() + i, squares.end()) - squares.begin());
    if (most == i)
      continue;
    std::swap(squares[i], squares[most]);
    std::swap_ranges(W[i], W[i] + n, W[most]);
    std::swap_ranges(U[i], U[i] + count, U[most]);
  }
}

/// W, n x count, = Q R with a diagonal R but for rounding: s = its diagonal, not negative, and Q with all n columns, of
/// which those of W's norm zero are orthogonal to the others all the same.
template <typename T> inline void factorOrthogonal(int n, int count, const Columns<T> &W, T *s, const Columns<T> &Q) {
  std::vector<T> tau(count);
  for (int j = 0; j < count; ++j) {
    tau[j] = eigen::reflector(n - j, W[j] + j);
    s[j] = W(j, j);
    W(j, j) = 1;
    for (int k = j + 1; k < count; ++k) {
      const T factor = tau[j] * dot(n - j, W[j] + j, W[k] + j);
      for (int i = j; i < n; ++i)
        W(i, k) -= factor * W(i, j);
    }
  }
  Q.setIdentity(n);
  for (int j = count - 1; j >= 0; --j)
    for (int k = j; k < n; ++k) {
      const T factor = tau[j] * dot(n - j, W[j] + j, Q[k] + j);
      for (int i = j; i < n; ++i)
        Q(i, k) -= factor * W(i, j);
    }
  for (int j = 0; j < count; ++j)
    if (std::signbit(s[j])) {
      s[j] = -s[j];
      for (int i = 0; i < n; ++i)
        Q(i, j) = -Q(i, j);
    }
}

/// B = U diag(s) V^T, s descending, for the upper bidiagonal matrix of order n with diagonal d and superdiagonal e, of
/// norm near 1 or less. Unless it `isLast` its last row is missing, that is zero: then s ends with zero, U with a
/// column of the identity. Returns whether it converged.
template <typename T>
inline bool jacobi(int n, bool isLast, const T *d, const T *e, T *s, const Columns<T> &U, const Columns<T> &V) {
  const int rows = isLast ? n : n - 1;
  std::vector<T> memory(static_cast<std::size_t>(n) * n, T(0));
  const Columns<T> W{memory.data(), n}; // the transpose: a column for each row
  for (int i = 0; i < rows; ++i) {
    W(i, i) = d[i];
    if (i + 1 < n)
      W(i + 1, i) = e[i];
  }
  U.setIdentity(n);
  const bool converged = orthogonalize(n, rows, W, U);
  sortByNorm(n, rows, W, U);
  std::fill(s, s + n, T(0));
  factorOrthogonal(n, rows, W, s, V);
  for (int i = 1; i < rows; ++i) // of norms that agree but for rounding
    s[i] = std::min(s[i], s[i - 1]);
  return converged;
}

} // namespace svd
