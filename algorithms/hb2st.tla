#pragma once
#include "eigen/back.hpp"
#include "eigen/chase.tla"
#include "eigen/residual.tla"

/// Reduces the band that he2hb left in A, nb subdiagonals in the lower triangle, to a tridiagonal matrix with diagonal d and
/// subdiagonal e(0) .. e(n - 2), on the node of tile (0, 0) (LAPACK: hetrd_hb2st). A task is a parallelogram of G sweeps by
/// C chunks. X(t, s), F(t, s): the reflectors of the sweeps s nb .. s nb + nb - 1 that begin in row t of tiles, ib in a group,
/// as unmtr_hb2st takes them. A stays.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1), X(A.nt(), A.nt(), A.nb() + ib, A.nb()), F(A.nt(), A.nt(), ib, A.nb())) \
    default(G : 8, C : 4, ib : 12) requires(G >= 1, C >= 1, ib >= 1)
template <typename T>
void hb2st_chase(int G, int C, int ib, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Workspace<T> X,
                 tla::Workspace<T> F) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 2 * b + 16, b); // columns of the band
  tla::Workspace<T> V(nt * p, nt * q, b, b);     // V(t, s), a column for each sweep
  load_band(A, B);
  for (int s = 0; s < nt; ++s) {
    chase_sweeps(G, C, s, s, nt, A, B, V);
    for (int t = s; t < nt; ++t) {
      #pragma tla task release(V(t * p, s * q))
      diamond(ib, V(t * p, s * q), X(t, s), F(t, s));
    }
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bandDiagonals(B(t * p, 0), d(t, 0), e(t, 0));
  }
}

/// Z = Q2 Q, Q2 the product of hb2st_chase's reflectors (LAPACK: unmtr_hb2st): groups of nb sweeps from the last on, each from
/// its first rows on. A column of tiles of Q, of `wide` times the order of Z's, is one tile meanwhile, transposed, and on one
/// node.
#pragma tla algorithm shape(X(Z.mt(), Z.mt(), Z.nb() + ib, Z.nb()), F(Z.mt(), Z.mt(), ib, Z.nb()), Q(n, k, wide * Z.nb()), Z(n, k)) \
    default(ib : 12, wide : 2) requires(ib >= 1, wide >= 1)
template <typename T>
void unmtr_hb2st(int ib, int wide, tla::Workspace<T> X, tla::Workspace<T> F,
                 tla::Workspace<tla::RealType<T>> Q, tla::Matrix<T> Z) {
  const int p = Z.p(), q = Z.q(), nt = Z.mt(), b = Z.nb(), blocks = (Z.nt() + wide - 1) / wide;
  tla::Workspace<T> Y(p, blocks, wide * b, nt * b); // transposed
  for (int j = 0; j < blocks; ++j) {
    #pragma tla task
    laset(T(0), T(0), Y(j / q % p, j));
    for (int i = 0; i < Q.mt(); ++i) {
      #pragma tla task
      planarTranspose(Q(i, j), Y(j / q % p, j).cols(i * Q.nb(), Q(i, j).m()));
    }
  }
  for (int u = 0; u < nt; ++u) {
    const int s = nt - 1 - u;
    for (int j = 0; j < blocks; ++j) {
      #pragma tla task
      applyDiamonds(ib, s, X.panel(s, nt, s), F.panel(s, nt, s), Y(j / q % p, j));
    }
  }
  const int period = (blocks + q - 1) / q * q; // a view would send all of its tile: what goes home is a tile of its own first
  tla::Workspace<T> S(nt * p, wide * period, b, b);
  for (int j = 0; j < blocks; ++j)
    for (int c = j * wide; c < min((j + 1) * wide, Z.nt()); ++c)
      for (int i = 0; i < nt; ++i) {
        if (p * q == 1) {
          #pragma tla task
          planarTransposeBack((c - j * wide) * b, Y(0, j).cols(i * b, Z(i, c).m()), Z(i, c));
        } else {
          #pragma tla task
          planarTransposeBack((c - j * wide) * b, Y(j / q % p, j).cols(i * b, b), S(i * p + j / q % p, (c - j * wide) * period + j));
          #pragma tla task release(S(i * p + j / q % p, (c - j * wide) * period + j))
          geadd(T(1), S(i * p + j / q % p, (c - j * wide) * period + j).rows(0, Z(i, c).m()).cols(0, Z(i, c).n()), T(0), Z(i, c));
        }
      }
}

/// A Hermitian band, nb subdiagonals in the lower triangle of A, whose other elements are not looked at, is reduced to a
/// tridiagonal matrix of the same eigenvalues, with diagonal d and subdiagonal e(0) .. e(n - 2) (LAPACK: hbtrd).
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1)) default(G : 8, C : 4) requires(G >= 1, C >= 1) \
    input(A : hermitian, d : zero, e : zero) check(user(hb2st_residual(G, C, A, d, e)))
template <typename T>
void hb2st(int G, int C, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e) {
  tla::Workspace<T> X(A.nt(), A.nt(), A.nb() + 12, A.nb()), F(A.nt(), A.nt(), 12, A.nb());
  hb2st_chase(G, C, 12, A, d, e, X, F);
}

/// R(i, j) = tile (i, j) of A Z - Z T, A the band whose parts below the diagonal tiles are in L, T tridiagonal.
#pragma tla algorithm shape(A(n, n), L(A.n(), A.n(), A.nb()), d(n, 1), e(n, 1), Z(A.n(), A.n(), A.nb()), R(A.n(), A.n(), A.nb()))
template <typename T>
void hb2st_difference(int i, int j, tla::LowerMatrix<T> A, tla::Workspace<T> L, tla::Matrix<tla::RealType<T>> d,
                      tla::Matrix<tla::RealType<T>> e, tla::Workspace<T> Z, tla::Workspace<T> R) {
  #pragma tla task
  hemm(Left, Lower, T(1), A(i, i), Z(i, j), T(0), R(i, j));
  if (i > 0) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), L(i, i - 1), Z(i - 1, j), T(1), R(i, j));
  }
  if (i + 1 < A.nt()) {
    #pragma tla task
    gemm(ConjTrans, NoTrans, T(1), L(i + 1, i), Z(i + 1, j), T(1), R(i, j));
  }
  #pragma tla task
  subtractTridiagonal(d(j, 0), e(j, 0), Z(i, j), R(i, j));
  if (j > 0) {
    #pragma tla task
    subtractNeighbour(e(j - 1, 0), Z(i, j - 1).cols(A.nb() - 1, 1), R(i, j).cols(0, 1));
  }
  if (j + 1 < A.nt()) {
    #pragma tla task
    subtractNeighbour(e(j, 0), Z(i, j + 1).cols(0, 1), R(i, j).cols(A.nb() - 1, 1));
  }
}

/// r = the larger of |A Q2 - Q2 T|_F / (n |T|_F eps) and |Q2^H Q2 - I|_F / (n eps): A is reduced once more, for Q2.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1), r(1, 1)) requires(G >= 1, C >= 1)
template <typename T>
void hb2st_residual(int G, int C, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Matrix<T> r) {
  using Real = tla::RealType<T>;
  const int nt = A.nt(), nb = A.nb();
  tla::Workspace<T> X(nt, nt, nb + 12, nb), F(nt, nt, 12, nb), L(A.n(), A.n(), nb), Z(A.n(), A.n(), nb), R(A.n(), A.n(), nb);
  tla::Workspace<T> size(1, 1, 1, 1);
  tla::Workspace<Real> again(A.n(), 1, nb), edges(A.n(), 1, nb), Q(A.n(), A.n(), 2 * nb);
  hb2st_chase(G, C, 12, A, again, edges, X, F);
  for (int i = 0; i < Q.mt(); ++i)
    for (int j = 0; j < Q.nt(); ++j) {
      #pragma tla task
      laset(Real(0), i == j ? Real(1) : Real(0), Q(i, j));
    }
  unmtr_hb2st(12, 2, X, F, Q, Z);
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  #pragma tla task
  laset(T(0), T(0), size(0, 0));
  for (int i = 0; i + 1 < nt; ++i) {
    #pragma tla task
    laset(T(0), T(0), L(i + 1, i));
    #pragma tla task
    tradd(Upper, T(1), A(i + 1, i), T(1), L(i + 1, i));
  }
  for (int j = 0; j < nt; ++j) {
    #pragma tla task
    addTridiagonalSquares(d(j, 0), e(j, 0), j + 1 < nt ? 1 : 0, size(0, 0));
    for (int i = 0; i < nt; ++i) {
      hb2st_difference(i, j, A, L, d, e, Z, R);
      #pragma tla task
      addSquares(R(i, j), r(0, 0));
    }
  }
  #pragma tla task
  scaleResidual(max(A.n(), 1), size(0, 0), r(0, 0));
  orthogonality(Z, r);
}
