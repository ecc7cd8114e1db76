#include "reduce.hpp"

#include "algorithms/cholesky.tla"

/// l = log p(y) for y normally distributed with mean 0 and covariance K: -y^T K^-1 y / 2 - log(det K) / 2 - n log(2 pi) / 2.
/// K becomes its Cholesky factor L, y becomes L^-1 y.
#pragma tla algorithm shape(K(n, n), y(n, 1), l(1, 1)) input(K : matern(0.1, 0.5, 0.01), y : random, l : zero)
template <typename T> void gp_likelihood(tla::LowerMatrix<T> K, tla::Matrix<T> y, tla::Matrix<T> l) {
  cholesky(K);
  #pragma tla task
  constantPart(K.n(), l(0, 0));
  for (int k = 0; k < K.nt(); ++k) {
    #pragma tla task
    trsm(Left, Lower, NoTrans, NonUnit, T(1), K(k, k), y(k, 0));
    for (int i = k + 1; i < K.mt(); ++i) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(-1), K(i, k), y(k, 0), T(1), y(i, 0));
    }
    #pragma tla task
    subtractLogarithms(K(k, k), l(0, 0));
    #pragma tla task
    subtractSquares(y(k, 0), l(0, 0));
  }
}
