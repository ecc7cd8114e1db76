#pragma once
#include "frobenius.hpp"
#include "geqrf.tla"

/// C = C * op(I - V * Z * V^H) for the vectors of step k, V(k + 1, k) and below, and row i of the tiles of C; U(k + 1, k) holds
/// the unit lower triangle of V(k + 1, k), written out.
#pragma tla algorithm requires(op != Trans) shape(V(C.n(), C.n(), C.nb()), Z(C.nt(), 1, C.nb(), C.nb()), \
    U(C.n(), C.n(), C.nb()), X(C.m(), C.n(), C.nb()), C(m, n))
template <typename T>
void larfb_right(Op op, int k, int i, tla::Workspace<T> V, tla::Workspace<T> Z, tla::Workspace<T> U, tla::Workspace<T> X,
                 tla::Matrix<T> C) {
  const int vectors = min(C.nb(), C.n() - (k + 1) * C.nb());
  #pragma tla task
  laset(T(0), T(0), X(i, k));
  #pragma tla task
  gemm(NoTrans, NoTrans, T(1), C(i, k + 1), U(k + 1, k).cols(0, vectors), T(1), X(i, k).cols(0, vectors));
  for (int j = k + 2; j < C.nt(); ++j) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), C(i, j), V(j, k).cols(0, vectors), T(1), X(i, k).cols(0, vectors));
  }
  #pragma tla task
  trmm(Right, Upper, op, NonUnit, T(1), Z(k, 0), X(i, k).cols(0, vectors));
  #pragma tla task
  gemm(NoTrans, ConjTrans, T(-1), X(i, k).cols(0, vectors), U(k + 1, k).cols(0, vectors), T(1), C(i, k + 1));
  for (int j = k + 2; j < C.nt(); ++j) {
    #pragma tla task
    gemm(NoTrans, ConjTrans, T(-1), X(i, k).cols(0, vectors), V(j, k).cols(0, vectors), T(1), C(i, j));
  }
}

/// V(k + 1, k) and below = the vectors that step k of ge2gb left in row k of A, as columns; Z and U as larfb_right takes them.
#pragma tla algorithm shape(A(m, n), taup(n, 1), V(A.n(), A.n(), A.nb()), Z(A.nt(), 1, A.nb(), A.nb()), U(A.n(), A.n(), A.nb())) \
    requires(m >= n)
template <typename T>
void ge2gb_vectors(int k, tla::Matrix<T> A, tla::Matrix<T> taup, tla::Workspace<T> V, tla::Workspace<T> Z, tla::Workspace<T> U) {
  for (int j = k + 1; j < A.nt(); ++j) {
    #pragma tla task
    omatcopy(ConjTrans, T(1), A(k, j), V(j, k));
  }
  #pragma tla task
  larft(V.panel(k + 1, V.mt(), k), taup(k + 1, 0), Z(k, 0));
  #pragma tla task
  copyUnitLower(V(k + 1, k), U(k + 1, k));
}

/// A = Q * B * P^H with an upper triangular B that has nb superdiagonals, nb the order of a tile (PLASMA: ge2gb): the first of two
/// steps to the bidiagonal form of the singular values, with products of tiles where LAPACK's gebrd has products with a vector.
/// m >= n. B takes the upper triangles of the diagonal tiles of A and the lower ones of the tiles to the right of them. The
/// vectors of Q are below B as geqrf leaves them, with their factors in tauq; those of P, conjugated, in the rows to the right
/// of B: the one that begins at column j has its factor in taup(j), and taup's first tile is zero.
#pragma tla algorithm shape(A(m, n), tauq(n, 1), taup(n, 1)) requires(m >= n) input(A : random, tauq : zero, taup : zero) \
    check(user(ge2gb_residual(before(A), A, tauq, taup)))
template <typename T>
void ge2gb(tla::Matrix<T> A, tla::Matrix<T> tauq, tla::Matrix<T> taup) {
  tla::Workspace<T> W(A.nt(), 1, A.nb(), A.nb()), Z(A.nt(), 1, A.nb(), A.nb()); // the triangular factors
  tla::Workspace<T> UQ(A.m(), A.n(), A.nb()), XQ(A.mt() * A.nb(), A.n(), A.nb());
  tla::Workspace<T> V(A.n(), A.n(), A.nb()), U(A.n(), A.n(), A.nb()), X(A.m(), A.n(), A.nb());
  if (A.nt() > 0) {
    #pragma tla task
    laset(T(0), T(0), taup(0, 0));
  }
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    geqrf(A.panel(k, A.mt(), k), tauq(k, 0), W(k, 0));
    larfb_top(k, A, UQ);
    for (int j = k + 1; j < A.nt(); ++j) {
      larfb_grid(ConjTrans, k, j, A, W, UQ, XQ, A);
    }
    if (k + 1 < A.nt()) {
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        omatcopy(ConjTrans, T(1), A(k, j), V(j, k));
      }
      #pragma tla task
      geqrf(V.panel(k + 1, V.mt(), k), taup(k + 1, 0), Z(k, 0));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task
        omatcopy(ConjTrans, T(1), V(j, k), A(k, j));
      }
      #pragma tla task
      copyUnitLower(V(k + 1, k), U(k + 1, k));
      for (int i = k + 1; i < A.mt(); ++i) {
        larfb_right(NoTrans, k, i, V, Z, U, X, A);
      }
    }
  }
}

/// P * C or, with op = ConjTrans, P^H * C, P from ge2gb's vectors.
#pragma tla algorithm shape(A(m, n), taup(n, 1), C(n, k)) requires(m >= n, op != Trans) default(k : 1, op : NoTrans)
template <typename T>
void ge2gb_p(Op op, tla::Matrix<T> A, tla::Matrix<T> taup, tla::Matrix<T> C) {
  tla::Workspace<T> Z(A.nt(), 1, A.nb(), A.nb()), V(A.n(), A.n(), A.nb()), U(A.n(), A.n(), A.nb());
  for (int s = 0; s < A.nt() - 1; ++s) {
    const int k = op == NoTrans ? A.nt() - 2 - s : s;
    ge2gb_vectors(k, A, taup, V, Z, U);
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      larfb(op, V.panel(k + 1, V.mt(), k), Z(k, 0), C.panel(k + 1, C.mt(), j));
    }
  }
}

/// r = |A0 - Q * B * P^H|_F / (max(m, n) |A0|_F eps), from what ge2gb made of A0.
#pragma tla algorithm shape(A0(m, n), A(m, n), tauq(n, 1), taup(n, 1), r(1, 1)) requires(m >= n)
template <typename T>
void ge2gb_residual(tla::Matrix<T> A0, tla::Matrix<T> A, tla::Matrix<T> tauq, tla::Matrix<T> taup, tla::Matrix<T> r) {
  tla::Workspace<T> D(A.m(), A.n(), A.nb()), size(1, 1, 1, 1);
  tla::Workspace<T> Z(A.nt(), 1, A.nb(), A.nb()), V(A.n(), A.n(), A.nb()), U(A.n(), A.n(), A.nb()), X(A.m(), A.n(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(0), D(i, j));
      if (j == i) {
        #pragma tla task
        tradd(Upper, T(1), A(i, j), T(1), D(i, j));
      }
      if (j == i + 1) {
        #pragma tla task
        tradd(Lower, T(1), A(i, j), T(1), D(i, j));
      }
    }
  }
  for (int s = 0; s < A.nt() - 1; ++s) {
    const int k = A.nt() - 2 - s;
    ge2gb_vectors(k, A, taup, V, Z, U);
    for (int i = 0; i < A.mt(); ++i) {
      larfb_right(ConjTrans, k, i, V, Z, U, X, D);
    }
  }
  ormqr(Left, NoTrans, A, tauq, D);
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int i = 0; i < A.mt(); ++i) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      addSquares(A0(i, j), size(0, 0));
      #pragma tla task
      geadd(T(-1), A0(i, j), T(1), D(i, j));
      #pragma tla task
      addSquares(D(i, j), r(0, 0));
    }
  }
  #pragma tla task
  scaleResidual(max(A.m(), 1), size(0, 0), r(0, 0));
}
