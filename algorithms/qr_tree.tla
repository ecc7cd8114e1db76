#include <tla/tla.hpp>

/// Tiles i, i + step, ... before `end` of column k are reduced to one triangle, in tile i, one after another as in qr.tla;
/// with updates of the columns to the right.
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()))
template <typename T>
void qr_chain(int ib, int k, int i, int end, int step, tla::Matrix<T> A, tla::Workspace<T> W) {
  #pragma tla task
  geqrt(ib, A(i, k), W(i, k));
  for (int j = k + 1; j < A.nt(); ++j) {
    #pragma tla task
    unmqr(ConjTrans, ib, A(i, k).lower(), W(i, k), A(i, j));
  }
  for (int r = i + step; r < end; r += step) {
    #pragma tla task
    tsqrt(ib, A(i, k).upper(), A(r, k), W(r, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task at(A(r, j))
      tsmqr(ConjTrans, ib, A(i, j), A(r, j), A(r, k), W(r, k));
    }
  }
}

/// The triangles in tiles i and r of column k are combined in tile i; with updates of the columns to the right.
#pragma tla algorithm shape(A(m, n), V(A.mt(), A.nt(), ib, A.nb()))
template <typename T>
void qr_pair(int ib, int k, int i, int r, tla::Matrix<T> A, tla::Workspace<T> V) {
  #pragma tla task
  ttqrt(ib, A(i, k).upper(), A(r, k).upper(), V(r, k));
  for (int j = k + 1; j < A.nt(); ++j) {
    #pragma tla task at(A(r, j))
    ttmqr(ConjTrans, ib, A(i, j), A(r, j), A(r, k).upper(), V(r, k));
  }
}

/// Applies the transformations that qr_chain made to the columns right of k = s, to tile column j of B: Q of the chain
/// (op = NoTrans) or Q^H (ConjTrans).
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), B(m, k)) requires(op != Trans)
template <typename T>
void qr_chain_apply(Op op, int ib, int s, int i, int end, int step, int j, tla::Matrix<T> A, tla::Workspace<T> W,
                    tla::Matrix<T> B) {
  if (op == NoTrans) {
    for (int r = i + (end - 1 - i) / step * step; r > i; r -= step) {
      #pragma tla task
      tsmqr(op, ib, B(i, j), B(r, j), A(r, s), W(r, s));
    }
  }
  #pragma tla task
  unmqr(op, ib, A(i, s).lower(), W(i, s), B(i, j));
  if (op != NoTrans) {
    for (int r = i + step; r < end; r += step) {
      #pragma tla task
      tsmqr(op, ib, B(i, j), B(r, j), A(r, s), W(r, s));
    }
  }
}

/// Applies Q (op = NoTrans) or Q^H (ConjTrans) of qr_tree to B, in place.
#pragma tla algorithm default(k : 1, op : ConjTrans, ib : 32, h : 4) requires(op != Trans) \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.mt(), A.nt(), ib, A.nb()), B(m, k))
template <typename T>
void qr_tree_apply(Op op, int ib, int h, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V, tla::Matrix<T> B) {
  const int kt = min(A.mt(), A.nt()), p = A.p(), chains = 2 * p;
  for (int j = 0; j < B.nt(); ++j) {
    if (op == NoTrans) {
      for (int k = kt - 1; k >= 0; --k) {
        if (p == 1 && A.q() == 1) {
          for (int d = 1073741824; d >= 1; d /= 2) { // the levels of the tree from its root
            if (d <= (A.mt() - 1) / h) {
              for (int i = k; i + d * h < A.mt(); i += 2 * d * h) {
                #pragma tla task
                ttmqr(op, ib, B(i, j), B(i + d * h, j), A(i + d * h, k).upper(), V(i + d * h, k));
              }
            }
          }
          for (int i = k; i < A.mt(); i += h) {
            qr_chain_apply(op, ib, k, i, min(i + h, A.mt()), 1, j, A, W, B);
          }
        } else {
          for (int d = 1073741824; d >= 1; d /= 2) {
            if (d < p) {
              for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
                #pragma tla task
                ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
              }
            }
          }
          for (int d = chains / 2; d >= p; d /= 2) {
            for (int r = k; r < k + p; ++r) {
              for (int i = r; i + d < min(k + chains, A.mt()); i += 2 * d) {
                #pragma tla task
                ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
              }
            }
          }
          for (int i = k; i < min(k + chains, A.mt()); ++i) {
            qr_chain_apply(op, ib, k, i, A.mt(), chains, j, A, W, B);
          }
        }
      }
    } else {
      for (int k = 0; k < kt; ++k) {
        if (p == 1 && A.q() == 1) {
          for (int i = k; i < A.mt(); i += h) {
            qr_chain_apply(op, ib, k, i, min(i + h, A.mt()), 1, j, A, W, B);
          }
          for (int d = h; k + d < A.mt(); d *= 2) {
            for (int i = k; i + d < A.mt(); i += 2 * d) {
              #pragma tla task
              ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
            }
          }
        } else {
          for (int i = k; i < min(k + chains, A.mt()); ++i) {
            qr_chain_apply(op, ib, k, i, A.mt(), chains, j, A, W, B);
          }
          for (int d = p; d < chains; d *= 2) {
            for (int r = k; r < k + p; ++r) {
              for (int i = r; i + d < min(k + chains, A.mt()); i += 2 * d) {
                #pragma tla task
                ttmqr(op, ib, B(i, j), B(i + d, j), A(i + d, k).upper(), V(i + d, k));
              }
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
}

/// A = Q * R for tall matrices, communication-avoiding (Demmel, Grigori, Hoemmen & Langou, SIAM J. Sci. Comput. 34, 2012):
/// each block of h rows of tiles is reduced to a triangle by itself, as in qr.tla; the triangles are then combined in pairs,
/// along a binary tree. On several nodes each row of them reduces its tiles in 2 chains, the rows are then combined in pairs,
/// and h is of no account. R replaces the upper triangle of A; the vectors below it, W (of the chains) and V (of the tree)
/// give Q to qr_tree_apply.
#pragma tla algorithm \
    shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb()), V(A.mt(), A.nt(), ib, A.nb())) \
    tune(ib : 32 | 48 | 64, h : 4 | 16 | 64) \
    input(A : random) check(qr(A, qr_tree_apply(ib, h, A, W, V)))
template <typename T>
void qr_tree(int ib, int h, tla::Matrix<T> A, tla::Workspace<T> W, tla::Workspace<T> V) {
  const int p = A.p(), chains = 2 * p;
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    if (p == 1 && A.q() == 1) {
      for (int i = k; i < A.mt(); i += h) {
        qr_chain(ib, k, i, min(i + h, A.mt()), 1, A, W);
      }
      for (int d = h; k + d < A.mt(); d *= 2) {
        for (int i = k; i + d < A.mt(); i += 2 * d) {
          qr_pair(ib, k, i, i + d, A, V);
        }
      }
    } else {
      for (int i = k; i < min(k + chains, A.mt()); ++i) {
        qr_chain(ib, k, i, A.mt(), chains, A, W);
      }
      for (int d = p; d < chains; d *= 2) {
        for (int r = k; r < k + p; ++r) {
          for (int i = r; i + d < min(k + chains, A.mt()); i += 2 * d) {
            qr_pair(ib, k, i, i + d, A, V);
          }
        }
      }
      for (int d = 1; d < p; d *= 2) {
        for (int i = k; i + d < min(k + p, A.mt()); i += 2 * d) {
          qr_pair(ib, k, i, i + d, A, V);
        }
      }
    }
  }
}
