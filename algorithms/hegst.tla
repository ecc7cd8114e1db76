#pragma once
#include "eigen/residual.tla"
#include "eigen/triangle.tla"

/// A tile A = op(L) A op(L)^H with op(L) = L^-1 (itype = 1) or L^H (2, 3); W, Hermitian, is A written out meanwhile (LAPACK: hegs2).
#pragma tla algorithm shape(L(n, n), A(n, n), W(A.n(), A.n(), A.nb())) requires(itype >= 1, itype <= 3)
template <typename T>
void hegst_tile(int itype, int k, tla::LowerMatrix<T> L, tla::LowerMatrix<T> A, tla::Workspace<T> W) {
  #pragma tla task
  wholeHermitian(A(k, k), W(k, k));
  if (itype == 1) {
    #pragma tla task
    trsm(Left, Lower, NoTrans, NonUnit, T(1), L(k, k), W(k, k));
    #pragma tla task
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), L(k, k), W(k, k));
  } else {
    #pragma tla task
    trmm(Left, Lower, ConjTrans, NonUnit, T(1), L(k, k), W(k, k));
    #pragma tla task
    trmm(Right, Lower, NoTrans, NonUnit, T(1), L(k, k), W(k, k));
  }
  #pragma tla task release(W(k, k))
  lowerHermitian(W(k, k), A(k, k));
}

/// A = L^-1 A L^-H of a Hermitian A.
#pragma tla algorithm shape(L(n, n), A(n, n), W(A.n(), A.n(), A.nb()))
template <typename T>
void hegst_inverse(tla::LowerMatrix<T> L, tla::LowerMatrix<T> A, tla::Workspace<T> W) {
  for (int k = 0; k < A.nt(); ++k) {
    hegst_tile(1, k, L, A, W);
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), L(k, k), A(i, k));
      #pragma tla task
      hemm(Right, Lower, T(-0.5), A(k, k), L(i, k), T(1), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      gemmt(Lower, NoTrans, ConjTrans, T(-1), A(j, k), L(j, k), T(1), A(j, j));
      #pragma tla task
      gemmt(Lower, NoTrans, ConjTrans, T(-1), L(j, k), A(j, k), T(1), A(j, j));
      for (int i = j + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), A(i, k), L(j, k), T(1), A(i, j));
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), L(i, k), A(j, k), T(1), A(i, j));
      }
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      hemm(Right, Lower, T(-0.5), A(k, k), L(i, k), T(1), A(i, k));
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), L(i, i), A(i, k));
      for (int j = i + 1; j < A.mt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(j, i), A(i, k), T(1), A(j, k));
      }
    }
  }
}

/// A = L^H A L of a Hermitian A.
#pragma tla algorithm shape(L(n, n), A(n, n), W(A.n(), A.n(), A.nb()))
template <typename T>
void hegst_product(tla::LowerMatrix<T> L, tla::LowerMatrix<T> A, tla::Workspace<T> W) {
  for (int k = 0; k < A.nt(); ++k) {
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      trmm(Right, Lower, NoTrans, NonUnit, T(1), L(j, j), A(k, j));
      for (int l = j + 1; l < k; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(k, l), L(l, j), T(1), A(k, j));
      }
    }
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      hemm(Left, Lower, T(0.5), A(k, k), L(k, j), T(1), A(k, j));
    }
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      gemmt(Lower, ConjTrans, NoTrans, T(1), A(k, j), L(k, j), T(1), A(j, j));
      #pragma tla task
      gemmt(Lower, ConjTrans, NoTrans, T(1), L(k, j), A(k, j), T(1), A(j, j));
      for (int i = j + 1; i < k; ++i) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), A(k, i), L(k, j), T(1), A(i, j));
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), L(k, i), A(k, j), T(1), A(i, j));
      }
    }
    for (int j = 0; j < k; ++j) {
      #pragma tla task
      hemm(Left, Lower, T(0.5), A(k, k), L(k, j), T(1), A(k, j));
      #pragma tla task
      trmm(Left, Lower, ConjTrans, NonUnit, T(1), L(k, k), A(k, j));
    }
    hegst_tile(2, k, L, A, W);
  }
}

/// Brings the generalized problem of a Hermitian A and of B = L L^H to the standard form (LAPACK: hegst, uplo = 'L'), in place:
/// A = L^-1 A L^-H for A x = lambda B x (itype = 1), A = L^H A L for A B x = lambda x (2) and for B A x = lambda x (3).
#pragma tla algorithm shape(A(n, n), L(n, n)) default(itype : 1) requires(itype >= 1, itype <= 3) \
    input(A : hermitian, L : lower) check(user(hegst_residual(itype, before(A), A, L)))
template <typename T>
void hegst(int itype, tla::LowerMatrix<T> A, tla::LowerMatrix<T> L) {
  tla::Workspace<T> W(A.n(), A.n(), A.nb());
  if (itype == 1) {
    hegst_inverse(L, A, W);
  } else {
    hegst_product(L, A, W);
  }
}

/// r = |M - op(L) S op(L)^H|_F / (n |M|_F eps), M the one of A0 and A that is the product: A0 = L A L^H (itype = 1), A = L^H A0 L.
#pragma tla algorithm shape(A0(n, n), A(n, n), L(n, n), r(1, 1)) requires(itype >= 1, itype <= 3)
template <typename T>
void hegst_residual(int itype, tla::LowerMatrix<T> A0, tla::LowerMatrix<T> A, tla::LowerMatrix<T> L, tla::Matrix<T> r) {
  tla::Workspace<T> D(A.n(), A.n(), A.nb()), E(A.n(), A.n(), A.nb()), size(1, 1, 1, 1);
  const auto factor = itype == 1 ? A : A0;
  const auto product = itype == 1 ? A0 : A;
  whole(factor, D);
  for (int side = 0; side < 2; ++side) { // op(L) S, whose conjugate transpose is S op(L)^H
    if (itype == 1) {
      multiply_lower(L, D);
    } else {
      multiply_lower_adjoint(L, D);
    }
    for (int j = 0; j < A.nt(); ++j) {
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task
        omatcopy(ConjTrans, T(1), D(j, i), E(i, j));
      }
    }
    for (int j = 0; j < A.nt(); ++j) {
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task
        geadd(T(1), E(i, j), T(0), D(i, j));
      }
    }
  }
  whole(product, E);
  for (int j = 0; j < A.nt(); ++j) {
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      geadd(T(-1), E(i, j), T(1), D(i, j));
    }
  }
  hermitian_norm(product, size);
  scaled_norm(D, size, r);
}
