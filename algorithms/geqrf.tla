#pragma once
#include <tla/tla.hpp>

/// U = the unit lower triangle at the top of the vectors of step k, written out for larfb_grid.
#pragma tla algorithm shape(V(m, n), U(V.m(), V.n(), V.nb()))
template <typename T>
void larfb_top(int k, tla::Matrix<T> V, tla::Workspace<T> U) {
  if (V.p() > 1) {
    #pragma tla task
    copyUnitLower(V(k, k).lower(), U(k, k));
  }
}

/// C = op(I - V * W * V^H) * C for the vectors of step k and tile column j of C: where the column lies on p > 1 rows of nodes,
/// each of them sums its part of V^H * C, the p sums are added, and what the vectors are to be multiplied with goes back to all.
#pragma tla algorithm default(op : ConjTrans) requires(op != Trans) \
    shape(V(m, n), W(min(V.mt(), V.nt()), 1, V.nb(), V.nb()), U(V.m(), V.n(), V.nb()), C(m, k), X(V.mt() * V.nb(), C.n(), V.nb()))
template <typename T>
void larfb_grid(Op op, int s, int j, tla::Matrix<T> V, tla::Workspace<T> W, tla::Workspace<T> U, tla::Workspace<T> X,
                tla::Matrix<T> C) {
  const int p = C.p();
  const int rows = min(V.nb(), V.n() - s * V.nb()); // of V^H * C
  if (p == 1) {
    #pragma tla task
    larfb(op, V.panel(s, V.mt(), s), W(s, 0), C.panel(s, C.mt(), j));
  } else {
    for (int r = s; r < min(s + p, C.mt()); ++r) {
      #pragma tla task
      laset(T(0), T(0), X(r, j));
      if (r == s) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), U(s, s), C(s, j), T(1), X(s, j).rows(0, rows));
      }
      for (int i = r == s ? s + p : r; i < C.mt(); i += p) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), V(i, s), C(i, j), T(1), X(r, j).rows(0, rows));
      }
    }
    for (int r = s + 1; r < min(s + p, C.mt()); ++r) {
      #pragma tla task release(X(r, j))
      geadd(T(1), X(r, j), T(1), X(s, j));
    }
    #pragma tla task
    trmm(Left, Upper, op, NonUnit, T(1), W(s, 0), X(s, j));
    #pragma tla task
    gemm(NoTrans, NoTrans, T(-1), U(s, s), X(s, j).rows(0, rows), T(1), C(s, j));
    for (int i = s + 1; i < C.mt(); ++i) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(-1), V(i, s), X(s, j).rows(0, rows), T(1), C(i, j));
    }
  }
}

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) to C from the left, from the vectors that geqrf left below the diagonal of A and
/// the triangular factors W of its panels.
#pragma tla algorithm shape(A(m, n), W(min(A.mt(), A.nt()), 1, A.nb(), A.nb()), C(m, k)) \
    default(k : 1, op : ConjTrans) requires(op != Trans)
template <typename T>
void geqrf_apply(Op op, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> C) {
  tla::Workspace<T> U(A.m(), A.n(), A.nb());
  tla::Workspace<T> X(A.mt() * A.nb(), C.n(), A.nb());
  if (op == NoTrans) {
    for (int k = min(A.mt(), A.nt()) - 1; k >= 0; --k) {
      larfb_top(k, A, U);
      for (int j = 0; j < C.nt(); ++j) {
        larfb_grid(op, k, j, A, W, U, X, C);
      }
    }
  } else {
    for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
      larfb_top(k, A, U);
      for (int j = 0; j < C.nt(); ++j) {
        larfb_grid(op, k, j, A, W, U, X, C);
      }
    }
  }
}

/// geqrf that keeps the triangular factors of the panels, for geqrf_apply.
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1), W(min(A.mt(), A.nt()), 1, A.nb(), A.nb()))
template <typename T>
void geqrf_factor(tla::Matrix<T> A, tla::Matrix<T> tau, tla::Workspace<T> W) {
  tla::Workspace<T> U(A.m(), A.n(), A.nb());
  tla::Workspace<T> X(A.mt() * A.nb(), A.n(), A.nb());
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrf(A.panel(k, A.mt(), k), tau(k, 0), W(k, 0));
    larfb_top(k, A, U);
    for (int j = k + 1; j < A.nt(); ++j) {
      larfb_grid(ConjTrans, k, j, A, W, U, X, A);
    }
  }
}

/// Q^H * C, Q * C (side = Left), C * Q^H or C * Q (Right), in place, Q = H(1) ... H(k) from geqrf's vectors and tau (LAPACK:
/// ormqr, unmqr).
#pragma tla algorithm shape(A(side == Left ? m : n, k), tau(k, 1), C(m, n)) default(side : Left, op : ConjTrans) \
    requires(k <= (side == Left ? m : n), op != Trans)
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
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1), C(m, k)) default(k : 1, op : ConjTrans) requires(op != Trans)
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
  tla::Workspace<T> U(A.m(), tau.m(), A.nb());
  tla::Workspace<T> X(A.mt() * A.nb(), A.n(), A.nb());
  for (int k = kt - 1; k >= 0; --k) {
    larfb_top(k, V, U);
    for (int j = k; j < A.nt(); ++j) {
      larfb_grid(NoTrans, k, j, V, W, U, X, A);
    }
  }
}
