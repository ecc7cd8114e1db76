#pragma once
#include <tla/tla.hpp>

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) to C from the left, from the vectors that geqrf left below the diagonal of A and
/// the triangular factors W of its panels.
#pragma tla algorithm shape(A(m, n), W(min(A.mt(), A.nt()), 1, A.nb(), A.nb()), C(m, k)) default(k : 1, op : ConjTrans)
template <typename T>
void geqrf_apply(Op op, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> C) {
  const int kt = min(A.mt(), A.nt());
  for (int s = 0; s < kt; ++s) {
    const int k = op == NoTrans ? kt - 1 - s : s;
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      larfb(op, A.panel(k, A.mt(), k), W(k, 0), C.panel(k, C.mt(), j));
    }
  }
}

/// geqrf that keeps the triangular factors of the panels, for geqrf_apply.
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1), W(min(A.mt(), A.nt()), 1, A.nb(), A.nb()))
template <typename T>
void geqrf_factor(tla::Matrix<T> A, tla::Matrix<T> tau, tla::Workspace<T> W) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrf(A.panel(k, A.mt(), k), tau(k, 0), W(k, 0));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      larfb(ConjTrans, A.panel(k, A.mt(), k), W(k, 0), A.panel(k, A.mt(), j));
    }
  }
}

/// Q^H * C, Q * C (side = Left), C * Q^H or C * Q (Right), in place, Q = H(1) ... H(k) from geqrf's vectors and tau (LAPACK:
/// ormqr, unmqr).
#pragma tla algorithm shape(A(side == Left ? m : n, k), tau(k, 1), C(m, n)) default(side : Left, op : ConjTrans) \
    requires(k <= (side == Left ? m : n))
template <typename T>
void ormqr(Side side, Op op, tla::Matrix<T> A, tla::Matrix<T> tau, tla::Matrix<T> C) {
  tla::Workspace<T> W(tau.mt(), 1, A.nb(), A.nb()); // the triangular factors
  tla::Workspace<T> V(A.m(), A.n(), A.nb());        // the unit lower triangles, written out
  tla::Workspace<T> X(C.m(), A.n(), A.nb());        // C * V
  for (int k = 0; k < tau.mt(); ++k) {
    #pragma tla task
    larft(A.panel(k, A.mt(), k), tau(k, 0), W(k, 0));
  }
  if (side == Left) {
    geqrf_apply(op, A, W, C);
  } else {
    const int kt = min(A.mt(), A.nt());
    for (int s = 0; s < kt; ++s) {
      const int k = op == NoTrans ? s : kt - 1 - s;
      #pragma tla task
      copyUnitLower(A(k, k).lower(), V(k, k));
      for (int i = 0; i < C.mt(); ++i) {
        #pragma tla task
        laset(T(0), T(0), X(i, k));
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), C(i, k), V(k, k), T(1), X(i, k));
        for (int j = k + 1; j < C.nt(); ++j) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), C(i, j), A(j, k), T(1), X(i, k));
        }
        #pragma tla task
        trmm(Right, Upper, op, NonUnit, T(1), W(k, 0), X(i, k));
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), X(i, k), V(k, k), T(1), C(i, k));
        for (int j = k + 1; j < C.nt(); ++j) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(-1), X(i, k), A(j, k), T(1), C(i, j));
        }
      }
    }
  }
}

/// A = Q * R in LAPACK's own format (LAPACK: geqrf): R in the upper triangle of A, the Householder vectors of Q below it, their
/// factors in tau. One task factors a panel; the columns to its right are updated one by one, the next panel's first.
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1)) input(A : random) check(qr(A, geqrf_q(A, tau)))
template <typename T>
void geqrf(tla::Matrix<T> A, tla::Matrix<T> tau) {
  tla::Workspace<T> W(min(A.mt(), A.nt()), 1, A.nb(), A.nb());
  geqrf_factor(A, tau, W);
}

/// Q of geqrf from the left: what its check applies.
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1), C(m, k)) default(k : 1, op : ConjTrans)
template <typename T>
void geqrf_q(Op op, tla::Matrix<T> A, tla::Matrix<T> tau, tla::Matrix<T> C) {
  tla::Workspace<T> W(min(A.mt(), A.nt()), 1, A.nb(), A.nb());
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    larft(A.panel(k, A.mt(), k), tau(k, 0), W(k, 0));
  }
  geqrf_apply(op, A, W, C);
}

/// The first n columns of Q = H(1) ... H(k) from geqrf's vectors, in place, k = tau.m() <= n <= m (LAPACK: orgqr, ungqr): Q applied
/// to columns of the identity, without its known zeros.
#pragma tla algorithm shape(A(m, n), tau(k, 1)) default(k : 1) requires(k <= n && n <= m)
template <typename T>
void orgqr(tla::Matrix<T> A, tla::Matrix<T> tau) {
  const int kt = min(tau.mt(), min(A.mt(), A.nt()));
  tla::Workspace<T> W(tau.mt(), 1, A.nb(), A.nb());
  tla::Workspace<T> V(A.m(), tau.m(), A.nb()); // the vectors, whose place Q takes
  for (int k = 0; k < kt; ++k) {
    for (int i = k; i < A.mt(); ++i) {
      #pragma tla task
      omatcopy(NoTrans, T(1), A(i, k), V(i, k));
    }
    #pragma tla task
    larft(V.panel(k, A.mt(), k), tau(k, 0), W(k, 0));
  }
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), i == j ? T(1) : T(0), A(i, j));
    }
  }
  for (int k = kt - 1; k >= 0; --k) {
    for (int j = k; j < A.nt(); ++j) {
      #pragma tla task
      larfb(NoTrans, V.panel(k, A.mt(), k), W(k, 0), A.panel(k, A.mt(), j));
    }
  }
}
