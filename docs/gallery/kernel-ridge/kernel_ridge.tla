#include "gauss.hpp"

#include "algorithms/posv.tla"

/// Fits f(x) = sum of a(i) K(x, x(i)) to the values y at the points x(i), the rows of X: a = (K + ridge I)^-1 y replaces y.
/// K is built tile by tile, and factorized while it is still being built.
#pragma tla algorithm shape(X(n, k), y(n, 1), K(n, n)) requires(k >= 1) \
    default(k : 2, width : 0.5, ridge : 0.001) input(X : random, y : random, K : zero)
template <typename T>
void kernel_ridge(T width, T ridge, tla::Matrix<T> X, tla::Matrix<T> y, tla::LowerMatrix<T> K) {
  for (int j = 0; j < K.nt(); ++j)
    for (int i = j; i < K.mt(); ++i) {
      for (int l = 0; l < X.nt(); ++l) {
        #pragma tla task
        addDistances(l == 0 ? 1 : 0, X(i, l), X(j, l), K(i, j));
      }
      #pragma tla task
      gauss(width, i == j ? ridge : T(0), K(i, j));
    }
  posv(K, y);
}
