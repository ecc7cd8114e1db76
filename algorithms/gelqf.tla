#include "eigen/residual.tla"
#include "geqrf.tla"

/// A = L * Q in LAPACK's own format (LAPACK: gelqf): L in the lower triangle of A, the conjugates of the Householder vectors of Q
/// above it, their factors in tau. One task factors a row of tiles, transposed; the rows below it are updated one by one.
#pragma tla algorithm shape(A(m, n), tau(min(m, n), 1)) input(A : random) check(user(gelqf_residual(before(A), A, tau)))
template <typename T>
void gelqf(tla::Matrix<T> A, tla::Matrix<T> tau) {
  const int kt = min(A.mt(), A.nt());
  tla::Workspace<T> W(kt, 1, A.nb(), A.nb());
  tla::Workspace<T> P(A.n(), A.m(), A.nb()), U(A.n(), A.m(), A.nb()); // rows of tiles, and their unit lower triangles
  tla::Workspace<T> X(A.m(), A.m(), A.nb());                          // A * V
  for (int k = 0; k < kt; ++k) {
    const int r = min(A.nb(), A.n() - k * A.nb());
    for (int j = k; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), A(k, j), P(j, k));
    }
    #pragma tla task
    geqrf(P.panel(k, P.mt(), k), tau(k, 0), W(k, 0));
    for (int j = k; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), P(j, k), A(k, j));
    }
    #pragma tla task
    copyUnitLower(P(k, k).lower(), U(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), X(i, k));
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, k), U(k, k).cols(0, r), T(1), X(i, k).cols(0, r));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, j), P(j, k), T(1), X(i, k));
      }
      #pragma tla task
      trmm(Right, Upper, NoTrans, NonUnit, T(1), W(k, 0), X(i, k));
      #pragma tla task
      gemm(NoTrans, ConjTrans, T(-1), X(i, k).cols(0, r), U(k, k).cols(0, r), T(1), A(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), X(i, k), P(j, k), T(1), A(i, j));
      }
    }
  }
}

/// Q * C, Q^H * C (side = Left), C * Q or C * Q^H (Right), in place, Q = H(k)^H ... H(1)^H from gelqf's vectors and tau (LAPACK: ormlq,
/// unmlq).
#pragma tla algorithm shape(A(k, side == Left ? m : n), tau(k, 1), C(m, n)) default(side : Left, op : NoTrans) \
    requires(k <= (side == Left ? m : n), op != Trans)
template <typename T>
void ormlq(Side side, Op op, tla::Matrix<T> A, tla::Matrix<T> tau, tla::Matrix<T> C) {
  tla::Workspace<T> P(A.n(), A.m(), A.nb());
  for (int k = 0; k < A.mt(); ++k) {
    for (int j = k; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), A(k, j), P(j, k));
    }
  }
  ormqr(side, op == NoTrans ? ConjTrans : NoTrans, P, tau, C);
}

/// The first m rows of Q = H(k)^H ... H(1)^H from gelqf's vectors, in place, k = tau.m() <= m <= n (LAPACK: orglq, unglq).
#pragma tla algorithm shape(A(m, n), tau(k, 1)) default(k : 1) requires(k <= m && m <= n)
template <typename T>
void orglq(tla::Matrix<T> A, tla::Matrix<T> tau) {
  tla::Workspace<T> P(A.n(), A.m(), A.nb());
  for (int k = 0; k < A.mt(); ++k) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), A(k, j), P(j, k));
    }
  }
  orgqr(P, tau);
  for (int k = 0; k < A.mt(); ++k) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), P(j, k), A(k, j));
    }
  }
}

/// r = the larger of |A - L Q|_F / (m |A|_F eps) and |I - Q Q^H|_F / (n eps), of gelqf's F and tau.
#pragma tla algorithm shape(A(m, n), F(m, n), tau(min(m, n), 1), r(1, 1))
template <typename T>
void gelqf_residual(tla::Matrix<T> A, tla::Matrix<T> F, tla::Matrix<T> tau, tla::Matrix<T> r) {
  const int k = min(A.m(), A.n());
  tla::Workspace<T> Q(k, A.n(), A.nb()), V(A.n(), k, A.nb()), L(A.m(), k, A.nb()), D(A.m(), A.n(), A.nb()), size(1, 1, 1, 1);
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      addSquares(A(i, j), size(0, 0));
      #pragma tla task
      omatcopy(NoTrans, T(1), A(i, j), D(i, j));
      if (i < Q.mt()) {
        #pragma tla task
        omatcopy(NoTrans, T(1), F(i, j), Q(i, j));
      }
    }
  }
  orglq(Q, tau);
  for (int i = 0; i < L.mt(); ++i) {
    for (int l = 0; l < min(i + 1, L.nt()); ++l) {
      if (l < i) {
        #pragma tla task
        omatcopy(NoTrans, T(1), F(i, l), L(i, l));
      } else {
        #pragma tla task
        laset(T(0), T(0), L(i, l));
        #pragma tla task
        tradd(Lower, T(1), F(i, l).cols(0, L(i, l).n()), T(1), L(i, l));
      }
      for (int j = 0; j < A.nt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(i, l), Q(l, j), T(1), D(i, j));
      }
    }
  }
  scaled_norm(D, size, r);
  for (int i = 0; i < V.mt(); ++i) {
    for (int j = 0; j < V.nt(); ++j) {
      #pragma tla task
      omatcopy(ConjTrans, T(1), Q(j, i), V(i, j));
    }
  }
  orthogonality(V, r);
}
