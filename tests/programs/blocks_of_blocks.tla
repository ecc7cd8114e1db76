// A Cholesky factorization in blocks of two tiles, and two solves with it, by algorithms that know no blocks: each is
// called with some of the tiles of a matrix, also of a transpose.
#include "../../algorithms/cholesky.tla"
#include "../../algorithms/gemm.tla"
#include "../../algorithms/trsm.tla"

/// C = C - A * A^H, the lower triangle of it.
#pragma tla algorithm shape(A(n, k))
template <typename T> void downdate(tla::Matrix<T> A, tla::LowerMatrix<T> C) {
  for (int j = 0; j < C.nt(); ++j) {
    for (int l = 0; l < A.nt(); ++l) {
      #pragma tla task
      herk(Lower, NoTrans, -1, A(j, l), 1, C(j, j));
    }
    gemm(NoTrans, ConjTrans, T(-1), A.tiles(j + 1, A.mt(), 0, A.nt()), A.tiles(j, j + 1, 0, A.nt()), T(1),
         C.tiles(j + 1, C.mt(), j, j + 1));
  }
}

/// B = L^-1 * B for the lower triangle L of A, in blocks.
#pragma tla algorithm shape(A(n, n), B(n, k))
template <typename T> void solve_in_blocks(tla::LowerMatrix<T> A, tla::Matrix<T> B) {
  for (int k = 0; k < A.nt(); k += 2) {
    const int end = min(k + 2, A.nt());
    const auto X = B.tiles(k, end, 0, B.nt());
    trsm(Left, Lower, NoTrans, NonUnit, T(1), A.tiles(k, end, k, end), X);
    gemm(NoTrans, NoTrans, T(-1), A.tiles(end, A.mt(), k, end), X, T(1), B.tiles(end, B.mt(), 0, B.nt()));
  }
}

/// A becomes its Cholesky factor L, B becomes L^-1 * B, and C becomes C * L^-H. W, of which only the tiles of a block are
/// used, has the first block of B before.
#pragma tla algorithm shape(B(n, k), C(k, n), D(n, k)) requires(n >= 1, k >= 1) \
    input(A : spd, B : random, C : random, D : zero)
template <typename T>
void blocks_of_blocks(tla::LowerMatrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C, tla::Matrix<T> D) {
  tla::Workspace<T> W(B.m(), B.n(), B.nb());
  const auto first = W.tiles(0, min(2, W.mt()), 0, W.nt());
  for (int j = 0; j < first.nt(); ++j) {
    for (int i = 0; i < first.mt(); ++i) {
      #pragma tla task
      geadd(T(1), B(i, j), T(0), first(i, j));
    }
  }
  for (int k = 0; k < A.nt(); k += 2) {
    const int end = min(k + 2, A.nt());
    const auto below = A.tiles(end, A.mt(), k, end);
    cholesky(A.tiles(k, end));
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), A.tiles(k, end, k, end), below);
    downdate(below, A.tiles(end, A.nt()));
  }
  solve_in_blocks(A, B);
  solve_in_blocks(A, conjTrans(C));
  for (int j = 0; j < first.nt(); ++j) {
    for (int i = 0; i < D.mt(); ++i) {
      if (first.has(i, j)) {
        #pragma tla task
        geadd(T(1), first(i, j), T(0), D(i, j));
      }
    }
  }
}
