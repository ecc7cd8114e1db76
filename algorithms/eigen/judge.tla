#pragma once
#include "judge.hpp"

/// r += |Q^H Q - I|_F / (n eps).
#pragma tla algorithm shape(Q(m, n), r(1, 1))
template <typename T> void addOrthogonality(tla::Matrix<T> Q, tla::Matrix<T> r) {
  tla::Workspace<T> G(Q.n(), Q.n(), Q.nb()), sum(1, 1, 1, 1), one(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), sum(0, 0));
  #pragma tla task
  laset(T(0), T(1), one(0, 0));
  for (int j = 0; j < Q.nt(); ++j)
    for (int i = j; i < Q.nt(); ++i) {
      #pragma tla task
      laset(T(0), i == j ? T(-1) : T(0), G(i, j));
      for (int k = 0; k < Q.mt(); ++k) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), Q(k, i), Q(k, j), T(1), G(i, j));
      }
      #pragma tla task
      addSquares(G(i, j), sum(0, 0));
      if (i > j) {
        #pragma tla task
        addSquares(G(i, j), sum(0, 0));
      }
    }
  #pragma tla task
  scaleResidual(max(Q.n(), 1), one(0, 0), sum(0, 0));
  #pragma tla task
  geadd(T(1), sum(0, 0), T(1), r(0, 0));
}
