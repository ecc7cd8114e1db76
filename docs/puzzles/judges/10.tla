#include "judge.hpp"
#include HETC_PUZZLE

/// r = |R^T R - A^T A| / (|A^T A| m eps), Frobenius norms, of the upper triangle of R.
#pragma tla algorithm shape(A(m, n), R(n, n), r(1, 1)) requires(n >= 1 && m >= n)
template <typename T> void triangle_fits(tla::Matrix<T> A, tla::Matrix<T> R, tla::Matrix<T> r) {
  tla::Workspace<T> G(A.n(), A.n(), A.nb()), D(A.n(), A.n(), A.nb()), U(A.n(), A.n(), A.nb());
  tla::Workspace<T> s(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), s(0, 0));
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  for (int k = 0; k < A.mt(); ++k) {
    #pragma tla task
    gemm(Trans, NoTrans, T(1), A(k, 0), A(k, 0), k == 0 ? T(0) : T(1), G(0, 0));
  }
  #pragma tla task
  judgeSquares(G(0, 0), s(0, 0));
  #pragma tla task
  omatcopy(NoTrans, T(1), R(0, 0), U(0, 0));
  #pragma tla task
  laset(T(0), T(0), U(0, 0).lower());
  #pragma tla task
  gemm(Trans, NoTrans, T(1), U(0, 0), U(0, 0), T(0), D(0, 0));
  #pragma tla task
  geadd(T(-1), G(0, 0), T(1), D(0, 0));
  #pragma tla task
  judgeSquares(D(0, 0), r(0, 0));
  #pragma tla task
  judgeScale(A.m(), s(0, 0), r(0, 0));
}

#pragma tla algorithm shape(A(m, n), R(n, n)) requires(n >= 1 && m >= n) input(A : random, R : random) \
    check(user(triangle_fits(before(A), R)))
template <typename T> void puzzle(tla::Matrix<T> A, tla::Matrix<T> R) { tall_qr(A, R); }
