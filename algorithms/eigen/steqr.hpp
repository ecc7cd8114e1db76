// Eigenpairs of a small symmetric tridiagonal matrix by implicit QL (LAPACK: steqr; H. Bowdler, R. S. Martin,
// C. Reinsch, J. H. Wilkinson, The QR and QL algorithms for symmetric matrices, Numer. Math. 11, 1968).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace eigen {

/// Columns k and k + 1 of the n rows of Z are rotated.
template <typename T> inline void rotateColumns(int n, T c, T s, T *__restrict left, T *__restrict right) {
  for (int i = 0; i < n; ++i) {
    const T a = left[i], b = right[i];
    right[i] = s * a + c * b;
    left[i] = c * a - s * b;
  }
}

/// The first m >= l where subdiagonal element m is negligible beside its neighbours, or beside a matrix of norm 1.
template <typename T> inline int endOfBlock(int n, int l, const T *d, const T *e) {
  constexpr T eps = std::numeric_limits<T>::epsilon() / 2;
  int m = l;
  while (m + 1 < n && std::abs(e[m]) > eps * (std::abs(d[m]) + std::abs(d[m + 1])) && std::abs(e[m]) > eps * eps)
    ++m;
  return m;
}

/// One QL step of the block l .. m with Wilkinson's shift; the columns of Z, of n rows, are rotated as the block is.
template <typename T> inline void stepQl(int n, int l, int m, T *d, T *e, T *z, long ldz) {
  T g = (d[l + 1] - d[l]) / (2 * e[l]);
  g = d[m] - d[l] + e[l] / (g + std::copysign(std::hypot(g, T(1)), g));
  T s = 1, c = 1, p = 0;
  for (int i = m - 1; i >= l; --i) {
    const T f = s * e[i], b = c * e[i], r = std::hypot(f, g);
    e[i + 1] = r;
    if (r == 0) { // the block falls apart
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const T t = (d[i] - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotateColumns(n, c, s, z + i * ldz, z + (i + 1) * ldz);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

/// d becomes the eigenvalues, ascending, Z the eigenvectors of the matrix of order n with diagonal d and subdiagonal e,
/// n elements the last of which is scratch, whose elements are of size 1 at most. Returns 0, or l > 0 when the l-th
/// eigenvalue has not come after 60 steps.
template <typename T> inline int steqr(int n, T *d, T *e, T *z, long ldz) {
  for (int j = 0; j < n; ++j) {
    std::fill(z + j * ldz, z + j * ldz + n, T(0));
    z[j + j * ldz] = 1;
  }
  if (n > 0)
    e[n - 1] = 0;
  for (int l = 0; l < n; ++l) {
    int steps = 0;
    for (int m; (m = endOfBlock(n, l, d, e)) != l;) {
      if (++steps > 60)
        return l + 1;
      stepQl(n, l, m, d, e, z, ldz);
    }
  }
  for (int i = 0; i + 1 < n; ++i) { // few columns: the fewest exchanges
    const int least = static_cast<int>(std::min_element(d + i, d + n) - d);
    if (least != i) {
      std::swap(d[i], d[least]);
      std::swap_ranges(z + i * ldz, z + i * ldz + n, z + least * ldz);
    }
  }
  return 0;
}

} // namespace eigen
