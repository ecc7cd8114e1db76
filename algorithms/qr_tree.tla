#include <tla/tla.hpp>

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) of qr_tree to B, in place.
#pragma tla algorithm \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.mt(), A.nt(), ib, A.nb()), B(m, k)) default(k : 1, op : ConjTrans, ib : 32, h : 4)
template <typename T>
void qr_tree_apply(Op op, int ib, int h, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V, tla::Matrix<T> B) {
  const int kt = min(A.mt(), A.nt());
  for (int j = 0; j < B.nt(); ++j) {
    if (op == NoTrans) {
      for (int k = kt - 1; k >= 0; --k) {
        for (int p = 1073741824; p >= 1; p /= 2) { // the levels of the tree from its root
          if (p <= (A.mt() - 1) / h) {
            for (int i = k; i + p * h < A.mt(); i += 2 * p * h) {
              #pragma tla task
              ttmqr(op, ib, B(i, j), B(i + p * h, j), A(i + p * h, k).upper(), V(i + p * h, k));
            }
          }
        }
        for (int i = k; i < A.mt(); i += h) {
          for (int r = min(i + h, A.mt()) - 1; r > i; --r) {
            #pragma tla task
            tsmqr(op, ib, B(i, j), B(r, j), A(r, k), W(r, k));
          }
          #pragma tla task
          unmqr(op, ib, A(i, k).lower(), W(i, k), B(i, j));
        }
      }
    } else {
      for (int k = 0; k < kt; ++k) {
        for (int i = k; i < A.mt(); i += h) {
          #pragma tla task
          unmqr(op, ib, A(i, k).lower(), W(i, k), B(i, j));
          for (int r = i + 1; r < min(i + h, A.mt()); ++r) {
            #pragma tla task
            tsmqr(op, ib, B(i, j), B(r, j), A(r, k), W(r, k));
          }
        }
        for (int d = h; k + d < A.mt(); d *= 2) {
          for (int i = k; i + d < A.mt(); i += 2 * d) {
            #pragma tla task
            ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
          }
        }
      }
    }
  }
}

/// A = Q * R for tall matrices, communication-avoiding (Demmel, Grigori, Hoemmen & Langou, SIAM J. Sci. Comput. 34, 2012):
/// each block of h rows of tiles is reduced to a triangle by itself, as in qr.tla; the triangles are then combined in pairs,
/// along a binary tree. R replaces the upper triangle of A; the vectors below it, W (of the blocks) and V (of the tree) give Q
/// to qr_tree_apply.
#pragma tla algorithm \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.mt(), A.nt(), ib, A.nb())) \
    tune(ib : 32 | 48 | 64, h : 4 | 16 | 64) \
    input(A : random) check(qr(A, qr_tree_apply(ib, h, A, W, V)))
template <typename T>
void qr_tree(int ib, int h, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    for (int i = k; i < A.mt(); i += h) {
      #pragma tla task
      geqrt(ib, A(i, k), W(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        unmqr(ConjTrans, ib, A(i, k).lower(), W(i, k), A(i, j));
      }
      for (int r = i + 1; r < min(i + h, A.mt()); ++r) {
        #pragma tla task
        tsqrt(ib, A(i, k).upper(), A(r, k), W(r, k));
        for (int j = k + 1; j < A.nt(); ++j) {
          #pragma tla task at(A(r, j))
          tsmqr(ConjTrans, ib, A(i, j), A(r, j), A(r, k), W(r, k));
        }
      }
    }
    for (int d = h; k + d < A.mt(); d *= 2) {
      for (int i = k; i + d < A.mt(); i += 2 * d) {
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
