// Tile QR, its orthogonal factor and both cases of least squares: everything is proved.
// RUN: %hetc check %s --algorithm geqrf 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %hetc check %s --algorithm apply_q 2>&1 | FileCheck %s --check-prefix=APPLY --implicit-check-not=remark
// RUN: %hetc check %s --algorithm gels 2>&1 | FileCheck %s --check-prefix=GELS --implicit-check-not=remark
// CHECK: geqrf: fine (5 task statements)
// APPLY: apply_q: fine (3 task statements)
// GELS: gels: fine (19 task statements)
#include <tla/tla.hpp>
#pragma tla kernel
template <typename T> void transposeCopy(tla::ConstTile<T> A, tla::OutTile<T> B);
// Of tiles at ragged edges these take what they have room for.
#pragma tla kernel
template <typename T> void solve(tla::Op op, tla::ConstTile<T> R, tla::Tile<T> B);
#pragma tla kernel
template <typename T> void update(tla::Op op, tla::ConstTile<T> R, tla::ConstTile<T> X, tla::Tile<T> B);

#pragma tla algorithm shape(W(A.mt(), A.nt(), ib, A.nb()), B(m, k)) requires(op != Trans) default(k : 1)
template <typename T> void apply_q(tla::Op op, int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> B) {
  const bool forward = op != NoTrans;
  const int last = min(A.mt(), A.nt()) - 1;
  for (int s = 0; s <= last; ++s) {
    const int k = forward ? s : last - s;
    if (forward)
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        unmqr(op, ib, A(k, k), W(k, k), B(k, j));
      }
    for (int r = k + 1; r < A.mt(); ++r) {
      const int i = forward ? r : A.mt() + k - r;
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        tsmqr(op, ib, B(k, j), B(i, j), A(i, k), W(i, k));
      }
    }
    if (!forward)
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        unmqr(op, ib, A(k, k), W(k, k), B(k, j));
      }
  }
}

#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb())) tune(ib : 16 | 32 | 64) check(qr(A, apply_q(ib, A, W)))
template <typename T> void geqrf(tla::Matrix<T> A, tla::Workspace<T> W, int ib) {
  tla::Workspace<T> V(A.m(), A.n(), A.nb());
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrt(ib, A(k, k), W(k, k));
    #pragma tla task
    copyUnitLower(A(k, k), V(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      unmqr(ConjTrans, ib, V(k, k), W(k, k), A(k, j));
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      tsqrt(ib, A(k, k), A(i, k), W(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        tsmqr(ConjTrans, ib, A(k, j), A(i, j), A(i, k), W(i, k));
      }
    }
  }
}

#pragma tla algorithm shape(A(m, n), B(max(m, n), k)) default(k : 1) tune(ib : 16 | 32 | 64)
template <typename T> void gels(tla::Matrix<T> A, tla::Matrix<T> B, int ib) {
  if (A.m() >= A.n()) {
    tla::Workspace<T> W(A.mt(), A.nt(), ib, A.nb());
    geqrf(A, W, ib);
    apply_q(ConjTrans, ib, A, W, B);
    for (int k = A.nt() - 1; k >= 0; --k)
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        solve(NoTrans, A(k, k), B(k, j));
        for (int i = 0; i < k; ++i) {
          #pragma tla task
          update(NoTrans, A(i, k), B(k, j), B(i, j));
        }
      }
  } else {
    tla::Workspace<T> At(A.n(), A.m(), A.nb());
    for (int j = 0; j < A.nt(); ++j)
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task
        transposeCopy(A(i, j), At(j, i));
      }
    tla::Workspace<T> W(At.mt(), At.nt(), ib, A.nb());
    geqrf(At, W, ib);
    for (int k = 0; k < At.nt(); ++k)
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        solve(ConjTrans, At(k, k), B(k, j));
        for (int i = k + 1; i < At.nt(); ++i) {
          #pragma tla task
          update(ConjTrans, At(k, i), B(k, j), B(i, j));
        }
      }
    apply_q(NoTrans, ib, At, W, B);
  }
}
