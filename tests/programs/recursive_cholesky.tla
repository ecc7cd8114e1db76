// A Cholesky factorization, a triangular solve and the update between them that call themselves on halves of their
// matrices: all levels of memory have blocks that fit them. Then two solves, one of them with a conjugate transpose.
#include "../../algorithms/gemm.tla"

/// B = alpha * B * L^-H.
#pragma tla algorithm shape(L(n, n), B(m, n))
template <typename T> void solve_right(T alpha, tla::LowerMatrix<T> L, tla::Matrix<T> B) {
  if (L.nt() > 1) {
    const int half = L.nt() / 2;
    const auto left = B.tiles(0, B.mt(), 0, half), right = B.tiles(0, B.mt(), half, B.nt());
    solve_right(alpha, L.tiles(0, half), left);
    gemm(NoTrans, ConjTrans, T(-1), left, L.tiles(half, L.nt(), 0, half), alpha, right);
    solve_right(T(1), L.tiles(half, L.nt()), right);
  } else {
    for (int k = 0; k < L.nt(); ++k)
      for (int i = 0; i < B.mt(); ++i) {
        #pragma tla task
        trsm(Right, Lower, ConjTrans, NonUnit, alpha, L(k, k), B(i, k));
      }
  }
}

/// C = C - A * A^H, the lower triangle of it.
#pragma tla algorithm shape(A(n, k))
template <typename T> void downdate(tla::Matrix<T> A, tla::LowerMatrix<T> C) {
  if (C.nt() > 1) {
    const int half = C.nt() / 2;
    const auto upper = A.tiles(0, half, 0, A.nt()), lower = A.tiles(half, A.mt(), 0, A.nt());
    downdate(upper, C.tiles(0, half));
    gemm(NoTrans, ConjTrans, T(-1), lower, upper, T(1), C.tiles(half, C.mt(), 0, half));
    downdate(lower, C.tiles(half, C.nt()));
  } else if (C.nt() == 1) {
    for (int l = 0; l < A.nt(); ++l) {
      #pragma tla task
      herk(Lower, NoTrans, -1, A(0, l), 1, C(0, 0));
    }
  }
}

/// A = L * L^H, in place.
#pragma tla algorithm input(A : spd) check(llt(A))
template <typename T> void factor(tla::LowerMatrix<T> A) {
  if (A.nt() > 1) {
    const int half = A.nt() / 2;
    const auto below = A.tiles(half, A.mt(), 0, half);
    factor(A.tiles(0, half));
    solve_right(T(1), A.tiles(0, half), below);
    downdate(below, A.tiles(half, A.nt()));
    factor(A.tiles(half, A.nt()));
  } else if (A.nt() == 1) {
    #pragma tla task
    potrf(Lower, A(0, 0));
  }
}

/// A becomes its Cholesky factor L, B becomes B * L^-H, and C becomes alpha * L^-1 * C.
#pragma tla algorithm shape(A(n, n), B(k, n), C(n, k)) requires(n >= 1) input(A : spd, B : random, C : random) \
    default(alpha : 0.5)
template <typename T>
void recursive_cholesky(T alpha, tla::LowerMatrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  factor(A);
  solve_right(T(1), A, B);
  solve_right(alpha, A, conjTrans(C));
}
