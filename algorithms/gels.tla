#include "geqrf.tla"

/// For a tall A (m >= n) of full rank, with A = Q * R. op = NoTrans: the X that minimizes |B - A * X|, from R * X = the top of
/// Q^H * B. op = ConjTrans: the X of least norm with A^H * X = B, X = Q * [R^-H * B; 0]. A becomes Q and R as geqrf leaves them.
#pragma tla algorithm shape(A(m, n), B(m, k)) default(k : 1, op : NoTrans) requires(op != Trans)
template <typename T>
void gels_tall(Op op, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> tau(A.n(), 1, A.nb());
  tla::Workspace<T> W(A.nt(), 1, A.nb(), A.nb());
  geqrf_factor(A, tau, W);
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    requireNonsingular(A(k, k));
  }
  if (op == NoTrans) {
    geqrf_apply(ConjTrans, A, W, B);
    for (int k = A.nt() - 1; k >= 0; --k) {
      const int rows = min(A.nb(), A.n() - k * A.nb()); // of R; the last tile of B may go on below
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        trsm(Left, Upper, NoTrans, NonUnit, T(1), A(k, k), B(k, j).rows(0, rows));
        for (int i = 0; i < k; ++i) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), A(i, k), B(k, j).rows(0, rows), T(1), B(i, j));
        }
      }
    }
  } else {
    for (int k = 0; k < A.nt(); ++k) {
      const int rows = min(A.nb(), A.n() - k * A.nb());
      const int below = min(A.nb(), A.m() - k * A.nb()) - rows;
      for (int j = 0; j < B.nt(); ++j) {
        for (int i = 0; i < k; ++i) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(-1), A(i, k), B(i, j), T(1), B(k, j).rows(0, rows));
        }
        #pragma tla task
        trsm(Left, Upper, ConjTrans, NonUnit, T(1), A(k, k), B(k, j).rows(0, rows));
        #pragma tla task
        laset(T(0), T(0), B(k, j).rows(rows, below));
      }
    }
    for (int i = A.nt(); i < B.mt(); ++i) {
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        laset(T(0), T(0), B(i, j));
      }
    }
    geqrf_apply(NoTrans, A, W, B);
  }
}

/// Least squares and least norm with an A of full rank (LAPACK: gels). op(A) * X = B is solved for the X that minimizes
/// |B - op(A) * X|, or, where there are many solutions, for the shortest. B has max(m, n) rows: on entry the right-hand sides
/// fill the first of them, on exit the solutions. A wide A is worked on as its conjugate transpose, and stays as it is.
/// info = j: element (j, j) of the triangular factor is zero: A has not full rank, and no solution was computed. (A rank that is
/// only nearly deficient is not detected, as in LAPACK.)
#pragma tla algorithm shape(A(m, n), B(max(m, n), k)) default(k : 1, op : NoTrans) \
    requires(op != Trans) input(A : random, B : random) check(least_squares(op, A, B))
template <typename T>
void gels(Op op, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> At(A.n(), A.m(), A.nb());
  if (A.m() >= A.n()) {
    gels_tall(op, A, B);
  } else {
    for (int i = 0; i < A.mt(); ++i) {
      for (int j = 0; j < A.nt(); ++j) {
        #pragma tla task
        omatcopy(ConjTrans, T(1), A(i, j), At(j, i));
      }
    }
    gels_tall(op == NoTrans ? ConjTrans : NoTrans, At, B);
  }
}
