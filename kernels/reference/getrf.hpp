// P A = L U of a panel with partial pivoting, and its interchanges applied elsewhere (LAPACK: getrf, laswp).
#pragma once

#include "kernels/reference/panel_view.hpp"
#include "kernels/reference/scalar.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tla::reference {

/// The modulus by which pivots are chosen: |re| + |im|.
template <typename T> RealType<T> pivotModulus(T x) {
  if constexpr (isComplex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

/// The first of the m > 0 elements of x with the largest modulus. NaN is never larger, so it is chosen only when it is
/// x[0], and then always (BLAS: i?amax of the reference implementation).
template <typename T> int iamax(int m, const T *x) {
  int best = 0;
  for (int i = 1; i < m; ++i)
    if (pivotModulus(x[i]) > pivotModulus(x[best]))
      best = i;
  return best;
}

/// x = x / pivot, by the reciprocal unless that would overflow (LAPACK: getf2).
template <typename T> void divideByPivot(T pivot, int m, T *x) {
  if (std::abs(pivot) >= std::numeric_limits<RealType<T>>::min()) {
    const T inverse = T(1) / pivot;
    for (int i = 0; i < m; ++i)
      x[i] *= inverse;
  } else {
    for (int i = 0; i < m; ++i)
      x[i] /= pivot;
  }
}

template <typename T> void swapRows(Tile<T> A, int i, int p) {
  for (int j = 0; j < A.n(); ++j)
    std::swap(A(i, j), A(p, j));
}

/// getrf of a tile, right-looking: the pivot of column j to row j, the column over the pivot, a rank-1 update of what
/// is right of it. Behind a zero pivot the column is left as it is (LAPACK: getf2).
template <typename T> int getf2(int row, Tile<T> A, int *ipiv) {
  int info = 0;
  for (int j = 0; j < min(A.m(), A.n()); ++j) {
    const int p = j + iamax(A.m() - j, &A(j, j)), below = A.m() - j - 1;
    ipiv[j] = row + p + 1;
    if (A(p, j) == T(0)) {
      info = info ? info : j + 1;
    } else {
      swapRows(A, j, p);
      divideByPivot(A(j, j), below, &A(j, j) + 1);
    }
    for (int k = j + 1; k < A.n(); ++k)
      for (int i = j + 1; i < A.m(); ++i)
        A(i, k) -= A(i, j) * A(j, k);
  }
  return info;
}

template <typename T> int getrf(int row, Panel<T> A, OutTile<int> ipiv) {
  const PanelView<T> view(A);
  const int info = getf2(row, view.tile(), ipiv.data());
  view.writeBack(A);
  return info;
}

/// Row i of a panel as a tile of one row.
template <typename T> Tile<T> rowOf(Panel<T> A, int i) {
  int r = 0;
  for (; i >= A(r).m(); ++r)
    i -= A(r).m();
  return {&A(r)(i, 0), 1, A.n(), A(r).ld()};
}

/// Pivots may come from a file: LAPACK trusts them, and writes wherever they point.
[[noreturn]] inline void failPivot(int pivot, int row) {
  throw std::out_of_range("pivot " + std::to_string(pivot) + " of row " + std::to_string(row) +
                          " is no row of the matrix that can be interchanged with it");
}
/// The row of a panel of that many rows, which begins at row `row` of the matrix, that is interchanged with its row i.
inline int pivotRow(int row, ConstTile<int> ipiv, int i, int rows) {
  const long p = static_cast<long>(ipiv(i, 0)) - 1 - row;
  if (p < 0 || p >= rows)
    failPivot(ipiv(i, 0), row + i + 1);
  return static_cast<int>(p);
}

template <typename T> void laswp(int row, ConstTile<int> ipiv, int inc, Panel<T> A) {
  assert((inc == 1 || inc == -1) && "the order of the pivots or its reverse");
  int rows = 0;
  for (int r = 0; r < A.mt(); ++r)
    rows += A(r).m();
  for (int s = 0; s < ipiv.m(); ++s) {
    const int i = inc == 1 ? s : ipiv.m() - 1 - s;
    const Tile<T> x = rowOf(A, i), y = rowOf(A, pivotRow(row, ipiv, i, rows));
    for (int j = 0; j < A.n(); ++j)
      std::swap(x(0, j), y(0, j));
  }
}

} // namespace tla::reference
