// B = alpha op(A) B or alpha B op(A), A triangular (BLAS: trmm).
#pragma once

#include "kernels/reference/trsm.hpp"

namespace tla::reference {

/// x = op(A) x in place: an element of the product needs only itself and what comes before it in the order of
/// substitution, so the last one is computed first.
template <typename T> void multiplyVector(Substitution order, Op op, Diag diag, ConstTile<T> A, T *x) {
  for (int s = order.n - 1; s >= 0; --s) {
    const int i = order(s);
    T sum = diag == Diag::NonUnit ? element(op, A, i, i) * x[i] : x[i];
    for (int t = 0; t < s; ++t)
      sum += element(op, A, i, order(t)) * x[order(t)];
    x[i] = sum;
  }
}

/// B = B op(A) in place, column by column in the same order.
template <typename T> void multiplyRight(Substitution order, Op op, Diag diag, ConstTile<T> A, Tile<T> B) {
  for (int s = order.n - 1; s >= 0; --s) {
    const int j = order(s);
    if (diag == Diag::NonUnit)
      for (int i = 0; i < B.m(); ++i)
        B(i, j) *= element(op, A, j, j);
    for (int t = 0; t < s; ++t) {
      const int k = order(t);
      const T factor = element(op, A, k, j);
      for (int i = 0; i < B.m(); ++i)
        B(i, j) += B(i, k) * factor;
    }
  }
}

template <typename T> void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  reference::scal(alpha, B);
  if (alpha == T(0) || B.m() == 0 || B.n() == 0)
    return;
  const bool lower = isLower(uplo, op);
  if (side == Side::Right)
    return multiplyRight({B.n(), !lower}, op, diag, A, B);
  for (int j = 0; j < B.n(); ++j)
    multiplyVector({B.m(), lower}, op, diag, A, &B(0, j));
}

} // namespace tla::reference
