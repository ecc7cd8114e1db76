#pragma once
#include "trsm.tla"
#include "trtri.tla"

/// Interchanges rows of tile column j by the pivots of step k, as laswp does, where the column's tiles lie on p > 1 rows of
/// nodes: nobody sends but the rows that move, in one tile for each node, and there and back.
#pragma tla algorithm shape(ipiv(n, 1), S(A.mt(), A.nt(), A.nb(), A.nb()), D(A.mt(), A.nt(), A.nb(), A.nb()), A(m, n))
template <typename T>
void laswp_grid(int k, int j, tla::Matrix<int> ipiv, tla::Workspace<T> S, tla::Workspace<T> D, tla::Matrix<T> A) {
  const int p = A.p();
  for (int i = k + 1; i < min(k + p, A.mt()); ++i) {
    #pragma tla task
    laswpGather(k * A.nb(), A.nb(), p, i * A.nb(), ipiv(k, 0), A.panel(i, A.mt(), j, p), S(i, j));
  }
  #pragma tla task
  laswpExchange(k * A.nb(), A.nb(), p, ipiv(k, 0), S.panel(k + 1, min(k + p, A.mt()), j), A.panel(k, A.mt(), j, p), D(k, j));
  for (int i = k + 1; i < min(k + p, A.mt()); ++i) {
    #pragma tla task release(S(i, j))
    laswpScatter(k * A.nb(), A.nb(), p, i * A.nb(), ipiv(k, 0), D(k, j), A.panel(i, A.mt(), j, p));
  }
}

/// The interchanges of all later steps in the columns of L. Nothing waits for them.
#pragma tla algorithm shape(A(m, n), ipiv(min(m, n), 1))
template <typename T>
void laswp_left(tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  for (int j = 0; j < min(A.mt(), A.nt()); ++j) {
    if (A.p() == 1) {
      for (int k = j + 1; k < min(A.mt(), A.nt()); ++k) {
        #pragma tla task
        laswp(k * A.nb(), ipiv(k, 0), 1, A.panel(k, A.mt(), j));
      }
    } else if (j + 1 < min(A.mt(), A.nt())) {
      #pragma tla task
      laswpAll((j + 1) * A.nb(), ipiv.panel(j + 1, ipiv.mt(), 0), 1, A.panel(j + 1, A.mt(), j));
    }
  }
}

/// P * A = L * U with partial pivoting, in place (LAPACK: getrf): the pivots of a whole panel are found by one task, and
/// reach the columns to its right with their updates. ipiv(i) = p, counted from 1: rows i and p were interchanged. info = j:
/// U(j, j) is zero; the factorization is complete, but U is singular.
#pragma tla algorithm shape(A(m, n), ipiv(min(m, n), 1)) input(A : random) check(plu(A, ipiv))
template <typename T>
void getrf(tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  tla::Workspace<T> S(A.mt(), A.nt(), A.nb(), A.nb()); // rows on their way to the top of a column,
  tla::Workspace<T> D(A.mt(), A.nt(), A.nb(), A.nb()); // and away from there
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    getrf(k * A.nb(), A.panel(k, A.mt(), k), ipiv(k, 0));
    for (int j = k + 1; j < A.nt(); ++j) {
      if (A.p() == 1) {
        #pragma tla task
        laswp(k * A.nb(), ipiv(k, 0), 1, A.panel(k, A.mt(), j));
      } else {
        laswp_grid(k, j, ipiv, S, D, A);
      }
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(k, k), A(k, j));
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), A(k, j), T(1), A(i, j));
      }
    }
  }
  laswp_left(A, ipiv);
}

/// Solves op(A) * X = B from getrf's factors (LAPACK: getrs); X overwrites B.
#pragma tla algorithm shape(A(n, n), ipiv(n, 1), B(n, k)) default(k : 1, op : NoTrans)
template <typename T>
void getrs(Op op, tla::Matrix<T> A, tla::Matrix<int> ipiv, tla::Matrix<T> B) {
  if (op == NoTrans) {
    for (int j = 0; j < B.nt(); ++j) {
      if (A.p() == 1) {
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task
          laswp(k * A.nb(), ipiv(k, 0), 1, B.panel(k, B.mt(), j));
        }
      } else if (B.mt() > 0) {
        #pragma tla task
        laswpAll(0, ipiv.panel(0, ipiv.mt(), 0), 1, B.panel(0, B.mt(), j));
      }
    }
    trsm(Left, Lower, NoTrans, Unit, T(1), A, B);
    trsm(Left, Upper, NoTrans, NonUnit, T(1), A, B);
  } else {
    trsm(Left, Upper, op, NonUnit, T(1), A, B);
    trsm(Left, Lower, op, Unit, T(1), A, B);
    for (int j = 0; j < B.nt(); ++j) {
      if (A.p() == 1) {
        for (int k = A.nt() - 1; k >= 0; --k) {
          #pragma tla task
          laswp(k * A.nb(), ipiv(k, 0), -1, B.panel(k, B.mt(), j));
        }
      } else if (B.mt() > 0) {
        #pragma tla task
        laswpAll(0, ipiv.panel(0, ipiv.mt(), 0), -1, B.panel(0, B.mt(), j));
      }
    }
  }
}

/// U^-1 * L^-1 from the factors of getrf, in place: the inverse of A but for the interchange of its columns (LAPACK: getri).
/// X * L = U^-1 is solved for X by columns of tiles, from the last; W keeps the column of L that X takes the place of.
#pragma tla algorithm shape(A(n, n))
template <typename T>
void getri(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  trtri(Upper, NonUnit, A);
  for (int k = A.nt() - 1; k >= 0; --k) {
    #pragma tla task
    copyUnitLower(A(k, k).lower(), W(k, k));
    #pragma tla task
    laset(T(0), T(0), A(k, k).lower());
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      omatcopy(NoTrans, T(1), A(i, k), W(i, k));
      #pragma tla task
      laset(T(0), T(0), A(i, k));
    }
    for (int i = 0; i < A.mt(); ++i) {
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, j), W(j, k), T(1), A(i, k));
      }
      #pragma tla task
      trsm(Right, Lower, NoTrans, Unit, T(1), W(k, k), A(i, k));
    }
  }
}
