// B = alpha op(A)^-1 B or alpha B op(A)^-1, A triangular (BLAS: trsm).
#pragma once

#include "kernels/reference/scal.hpp"

namespace tla::reference {

/// The order in which substitution finds the unknowns 0 .. n-1: step s finds unknown (*this)(s).
struct Substitution {
  int n;
  bool forward;
  int operator()(int step) const { return forward ? step : n - 1 - step; }
};

/// Whether op(A) is lower triangular.
inline bool isLower(Uplo uplo, Op op) { return (uplo == Uplo::Lower) == (op == Op::NoTrans); }

/// A x = b in place: as soon as an unknown is found, its column of A is taken off the others.
template <typename T> void solveByColumns(Substitution order, Diag diag, ConstTile<T> A, T *x) {
  for (int s = 0; s < order.n; ++s) {
    const int k = order(s);
    if (diag == Diag::NonUnit)
      x[k] /= A(k, k);
    const int begin = order.forward ? k + 1 : 0, end = order.forward ? order.n : k;
    for (int i = begin; i < end; ++i)
      x[i] -= x[k] * A(i, k);
  }
}

/// op(A) x = b in place, op(A) = A^T or A^H: an unknown is its right side less a dot product with a column of A.
template <typename T> void solveByDots(Substitution order, Op op, Diag diag, ConstTile<T> A, T *x) {
  for (int s = 0; s < order.n; ++s) {
    const int i = order(s);
    const int begin = order.forward ? 0 : i + 1, end = order.forward ? i : order.n;
    T sum = x[i];
    for (int k = begin; k < end; ++k)
      sum -= applied(op, A(k, i)) * x[k];
    x[i] = diag == Diag::NonUnit ? sum / applied(op, A(i, i)) : sum;
  }
}

/// X op(A) = B in place: column j of X is column j of B less the columns of X already found, times op(A)(:, j).
template <typename T> void solveRight(Substitution order, Op op, Diag diag, ConstTile<T> A, Tile<T> B) {
  for (int s = 0; s < order.n; ++s) {
    const int j = order(s);
    for (int t = 0; t < s; ++t) {
      const int k = order(t);
      const T factor = element(op, A, k, j);
      for (int i = 0; i < B.m(); ++i)
        B(i, j) -= B(i, k) * factor;
    }
    if (diag == Diag::NonUnit) {
      const T inverse = T(1) / element(op, A, j, j);
      for (int i = 0; i < B.m(); ++i)
        B(i, j) *= inverse;
    }
  }
}

template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  reference::scal(alpha, B);
  if (alpha == T(0) || B.m() == 0 || B.n() == 0)
    return;
  const bool lower = isLower(uplo, op);
  if (side == Side::Right) {
    solveRight({B.n(), !lower}, op, diag, A, B);
    return;
  }
  for (int j = 0; j < B.n(); ++j)
    if (op == Op::NoTrans)
      solveByColumns({B.m(), lower}, diag, A, &B(0, j));
    else
      solveByDots({B.m(), lower}, op, diag, A, &B(0, j));
}

} // namespace tla::reference
