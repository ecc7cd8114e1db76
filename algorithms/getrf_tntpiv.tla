#pragma once
#include "getrf.tla"

/// P * A = L * U with tournament pivoting, in place: the pivot rows of a panel are found by a binary tree of small
/// factorizations of candidate rows, one round per level, instead of one search of the whole panel per column (CALU:
/// Grigori, Demmel & Xiang, SIAM J. Matrix Anal. Appl. 32, 2011). On several nodes there are `chains` of matches first, one
/// in each row of nodes. As stable in practice as partial pivoting; the panel becomes parallel, and needs one message per
/// level. ipiv is as in getrf.tla. info = j: U(j, j) is zero.
#pragma tla algorithm shape(A(m, n), ipiv(min(m, n), 1)) input(A : random) check(plu(A, ipiv))
template <typename T>
void getrf_tntpiv(tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  tla::Workspace<T> C(A.mt() * A.nb(), A.n(), A.nb());    // candidates: rows of A as they are
  tla::Workspace<int> rows(A.mt(), A.nt(), A.nb(), 1);    // where they come from
  tla::Workspace<T> S(A.mt(), A.nt(), A.nb(), A.nb());    // of laswp_grid
  tla::Workspace<T> D(A.mt(), A.nt(), A.nb(), A.nb());
  const int chains = A.p() == 1 && A.q() > 1 ? 8 : A.p(); // a node that has all rows has threads for so many
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    for (int i = k; i < A.mt(); ++i) {
      #pragma tla task
      tournamentSelect(i * A.nb(), A(i, k), C(i, k), rows(i, k));
    }
    if (chains == 1) {
      for (int d = 1; k + d < A.mt(); d *= 2) {
        for (int i = k; i + d < A.mt(); i += 2 * d) {
          #pragma tla task release(C(i + d, k), rows(i + d, k))
          tournamentMatch(C(i, k), rows(i, k), C(i + d, k), rows(i + d, k));
        }
      }
    } else {
      for (int i = k; i < min(k + chains, A.mt()); ++i) {
        for (int r = i + chains; r < A.mt(); r += chains) {
          #pragma tla task release(C(r, k), rows(r, k))
          tournamentMatch(C(i, k), rows(i, k), C(r, k), rows(r, k));
        }
      }
      for (int d = 1; d < chains; d *= 2) {
        for (int i = k; i + d < min(k + chains, A.mt()); i += 2 * d) {
          #pragma tla task release(C(i + d, k), rows(i + d, k))
          tournamentMatch(C(i, k), rows(i, k), C(i + d, k), rows(i + d, k));
        }
      }
    }
    #pragma tla task release(C(k, k), rows(k, k))
    tournamentPivots(k * A.nb(), rows(k, k), C(k, k), ipiv(k, 0));
    for (int j = k; j < A.nt(); ++j) {
      if (A.p() == 1) {
        #pragma tla task
        laswp(k * A.nb(), ipiv(k, 0), 1, A.panel(k, A.mt(), j));
      } else {
        laswp_grid(k, j, ipiv, S, D, A);
      }
    }
    #pragma tla task
    getrf_nopiv(A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Upper, NoTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
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
