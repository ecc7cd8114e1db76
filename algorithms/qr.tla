#include <tla/tla.hpp>

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) of qr to B, in place.
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), B(m, k)) default(k : 1, op : ConjTrans, ib : 32)
template <typename T>
void qr_apply(Op op, int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> B) {
  const int kt = min(A.mt(), A.nt());
  for (int j = 0; j < B.nt(); ++j) {
    if (op == NoTrans) {
      for (int k = kt - 1; k >= 0; --k) {
        for (int i = A.mt() - 1; i > k; --i) {
          #pragma tla task
          tsmqr(op, ib, B(k, j), B(i, j), A(i, k), W(i, k));
        }
        #pragma tla task
        unmqr(op, ib, A(k, k).lower(), W(k, k), B(k, j));
      }
    } else {
      for (int k = 0; k < kt; ++k) {
        #pragma tla task
        unmqr(op, ib, A(k, k).lower(), W(k, k), B(k, j));
        for (int i = k + 1; i < A.mt(); ++i) {
          #pragma tla task
          tsmqr(op, ib, B(k, j), B(i, j), A(i, k), W(i, k));
        }
      }
    }
  }
}

/// A = Q * R by tiles (Buttari, Langou, Kurzak & Dongarra, Parallel Computing 35, 2009): R replaces the upper triangle of A;
/// the vectors of Q replace the rest and, with W, give Q to qr_apply and qr_form. Row of tiles k is combined with those
/// below it one after another, so that the factorization proceeds with small tasks in all columns at once; the halves of
/// the diagonal tile have separate dependences, because row k is updated with its vectors while its R still changes.
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb())) tune(ib : 32 | 48 | 64) \
    input(A : random) check(qr(A, qr_apply(ib, A, W)))
template <typename T>
void qr(int ib, tla::Matrix<T> A, tla::Workspace<T> W) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrt(ib, A(k, k), W(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      unmqr(ConjTrans, ib, A(k, k).lower(), W(k, k), A(k, j));
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      tsqrt(ib, A(k, k).upper(), A(i, k), W(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task at(A(i, j))
        tsmqr(ConjTrans, ib, A(k, j), A(i, j), A(i, k), W(i, k));
      }
    }
  }
}

/// Q = the first columns of the orthogonal factor: Q applied to those of the identity, without its known zeros.
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), Q(m, min(m, n))) default(ib : 32)
template <typename T>
void qr_form(int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> Q) {
  for (int i = 0; i < Q.mt(); ++i) {
    for (int j = 0; j < Q.nt(); ++j) {
      #pragma tla task
      laset(T(0), i == j ? T(1) : T(0), Q(i, j));
    }
  }
  for (int k = Q.nt() - 1; k >= 0; --k) {
    for (int j = k; j < Q.nt(); ++j) {
      for (int i = A.mt() - 1; i > k; --i) {
        #pragma tla task
        tsmqr(NoTrans, ib, Q(k, j), Q(i, j), A(i, k), W(i, k));
      }
      #pragma tla task
      unmqr(NoTrans, ib, A(k, k).lower(), W(k, k), Q(k, j));
    }
  }
}
