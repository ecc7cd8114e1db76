// Rows of the workspace are half of A's, both loops have steps of 3, and slices make their columns even.
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void fill(T alpha, tla::OutTile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) = alpha;
}

#pragma tla kernel alias(P, Q)
template <typename T> void exchange(tla::Panel<T> P, tla::Panel<T> Q) {
  for (int r = 0; r < P.mt() && r < Q.mt(); ++r)
    for (int j = 0; j < P(r).n() && j < Q(r).n(); ++j)
      for (int i = 0; i < P(r).m() && i < Q(r).m(); ++i)
        P(r)(i, j) += Q(r)(i, j);
}

#pragma tla algorithm shape(A(m, n), B(n, k)) input(A : random, B : random) default(shift : 1, ib : 2, factor : 0.375)
template <typename T>
void halves(tla::Matrix<T> A, tla::Matrix<T> B, int shift, int ib, T factor) {
  tla::Workspace<T> P((A.mt() + 1) / 2, A.nt(), A.nb(), A.nb());
  for (int P_j = 0; P_j < P.nt(); ++P_j) {
    for (int P_i = 0; P_i < P.mt(); ++P_i) {
      #pragma tla task
      fill(0.25, P(P_i, P_j));
    }
  }
  for (int v0 = 0; v0 < A.mt(); v0 += 3) {
    for (int v1 = B.mt() - 1; v1 >= B.mt() / 2; v1 -= 3) {
      #pragma tla task
      fill(factor, P(v0 / 2, v1 - v1 % 2));
      #pragma tla task
      exchange(A.panel(0, v0 + 1, v1), P.panel(v0 / 2, v0 / 2 + 1, v1));
    }
  }
}
