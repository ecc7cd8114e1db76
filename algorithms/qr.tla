#include <tla/tla.hpp>

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) of qr to B, in place.
#pragma tla algorithm default(k : 1, op : ConjTrans, ib : 32) requires(op != Trans) \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.p() > 1 ? A.mt() : 0, A.nt(), ib, A.nb()), B(m, k))
template <typename T>
void qr_apply(Op op, int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V, tla::Matrix<T> B) {
  const int kt = min(A.mt(), A.nt()), p = A.p();
  for (int j = 0; j < B.nt(); ++j) {
    if (op == NoTrans) {
      for (int k = kt - 1; k >= 0; --k) {
        for (int d = 1073741824; d >= 1; d /= 2) { // the levels of the tree from its root
          if (d < p) {
            for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
              #pragma tla task
              ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
            }
          }
        }
        for (int i = k; i < min(k + p, A.mt()); ++i) {
          for (int r = i + (A.mt() - 1 - i) / p * p; r > i; r -= p) {
            #pragma tla task
            tsmqr(op, ib, B(i, j), B(r, j), A(r, k), W(r, k));
          }
          #pragma tla task
          unmqr(op, ib, A(i, k).lower(), W(i, k), B(i, j));
        }
      }
    } else {
      for (int k = 0; k < kt; ++k) {
        for (int i = k; i < min(k + p, A.mt()); ++i) {
          #pragma tla task
          unmqr(op, ib, A(i, k).lower(), W(i, k), B(i, j));
          for (int r = i + p; r < A.mt(); r += p) {
            #pragma tla task
            tsmqr(op, ib, B(i, j), B(r, j), A(r, k), W(r, k));
          }
        }
        for (int d = 1; d < p; d *= 2) {
          for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
            #pragma tla task
            ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
          }
        }
      }
    }
  }
}

/// A = Q * R by tiles (Buttari, Langou, Kurzak & Dongarra, Parallel Computing 35, 2009): R replaces the upper triangle of A;
/// the vectors of Q replace the rest and, with W and V, give Q to qr_apply and qr_form. Row of tiles k is combined with those
/// below it one after another, so that the factorization proceeds with small tasks in all columns at once; the halves of
/// the diagonal tile have separate dependences, because row k is updated with its vectors while its R still changes. Where
/// tiles lie on p > 1 rows of nodes, each of them does so with its own, and the p triangles are combined in pairs (Dongarra,
/// Faverge, Herault, Jacquelin, Langou & Robert, Parallel Computing 39, 2013).
#pragma tla algorithm \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.p() > 1 ? A.mt() : 0, A.nt(), ib, A.nb())) \
    tune(ib : 32 | 48 | 64) input(A : random) check(qr(A, qr_apply(ib, A, W, V)))
template <typename T>
void qr(int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V) {
  const int p = A.p();
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    for (int i = k; i < min(k + p, A.mt()); ++i) {
      #pragma tla task
      geqrt(ib, A(i, k), W(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        unmqr(ConjTrans, ib, A(i, k).lower(), W(i, k), A(i, j));
      }
      for (int r = i + p; r < A.mt(); r += p) {
        #pragma tla task
        tsqrt(ib, A(i, k).upper(), A(r, k), W(r, k));
        for (int j = k + 1; j < A.nt(); ++j) {
          #pragma tla task at(A(r, j))
          tsmqr(ConjTrans, ib, A(i, j), A(r, j), A(r, k), W(r, k));
        }
      }
    }
    for (int d = 1; d < p; d *= 2) {
      for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
        #pragma tla task
        ttqrt(ib, A(i, k).upper(), A(i + d, k).upper(), V(i + d, k));
        for (int j = k + 1; j < A.nt(); ++j) {
          #pragma tla task at(A(i + d, j))
          ttmqr(ConjTrans, ib, A(i, j), A(i + d, j), A(i + d, k).upper(), V(i + d, k));
        }
      }
    }
  }
}

/// Q = the first columns of the orthogonal factor: Q applied to those of the identity, without its known zeros.
#pragma tla algorithm default(ib : 32) \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.p() > 1 ? A.mt() : 0, A.nt(), ib, A.nb()), Q(m, min(m, n)))
template <typename T>
void qr_form(int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V, tla::Matrix<T> Q) {
  const int p = A.p();
  for (int i = 0; i < Q.mt(); ++i) {
    for (int j = 0; j < Q.nt(); ++j) {
      #pragma tla task
      laset(T(0), i == j ? T(1) : T(0), Q(i, j));
    }
  }
  for (int k = Q.nt() - 1; k >= 0; --k) {
    for (int j = k; j < Q.nt(); ++j) {
      for (int d = 1073741824; d >= 1; d /= 2) {
        if (d < p) {
          for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
            #pragma tla task
            ttmqr(NoTrans, ib, Q(i, j), Q(i + d, j), A(i + d, k).upper(), V(i + d, k));
          }
        }
      }
      for (int i = k; i < min(k + p, A.mt()); ++i) {
        for (int r = i + (A.mt() - 1 - i) / p * p; r > i; r -= p) {
          #pragma tla task
          tsmqr(NoTrans, ib, Q(i, j), Q(r, j), A(r, k), W(r, k));
        }
        #pragma tla task
        unmqr(NoTrans, ib, A(i, k).lower(), W(i, k), Q(i, j));
      }
    }
  }
}
