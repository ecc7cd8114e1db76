#pragma once
#include "chase.hpp"
#include "../eigen/back.hpp"

/// B = the columns of the band that ge2gb left in a square A, a tile for each tile of the diagonal, on the node of tile (0, 0).
#pragma tla algorithm shape(A(n, n), B(A.nt() * A.p(), 1, 3 * A.nb() + 16, A.nb()))
template <typename T>
void load_bidiagonal_band(tla::Matrix<T> A, tla::Workspace<T> B) {
  for (int t = 0; t < A.nt(); ++t) {
    #pragma tla task
    bidiagonalBandTile(t == 0 ? 1 : 0, A(max(t - 1, 0), t), A(t, t), B(t * A.p(), 0));
  }
}

/// The sweeps s nb .. s nb + nb - 1 of bulge chasing, in parallelograms of G sweeps by C chunks. L(t, column), column < columns: the
/// left reflectors that begin in row t of tiles; R: the right ones.
#pragma tla algorithm requires(G >= 1, C >= 1) shape(A(n, n), B(A.nt() * A.p(), 1, 3 * A.nb() + 16, A.nb()), \
    L(A.nt() * A.p(), columns * A.q(), A.nb(), A.nb()), R(A.nt() * A.p(), columns * A.q(), A.nb(), A.nb()))
template <typename T>
void chase_bidiagonal(int G, int C, int s, int column, int columns, tla::Matrix<T> A, tla::Workspace<T> B, tla::Workspace<T> L,
                      tla::Workspace<T> R) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  for (int t = s; t < nt; ++t) {
    #pragma tla task
    laset(T(0), T(0), L(t * p, column * q));
    #pragma tla task
    laset(T(0), T(0), R(t * p, column * q));
  }
  for (int g = 0; g < b; g += G)
    for (int c = 0; c - G + 1 < nt - s; c += C) {
      const int c0 = max(0, c - G);
      #pragma tla task
      chaseBidiagonal(A.n(), s * b + g, min(G, b - g), c, C, s + c0, c0, B.panel((s + c0) * p, min(nt, s + c + C + 1) * p, 0, p),
                      L.panel((s + c0) * p, min(nt, s + c + C) * p, column * q, p), R.panel((s + c0) * p, min(nt, s + c + C) * p, column * q, p));
    }
}

/// d and e = diagonal and superdiagonal of the bidiagonal matrix that the band B has become.
#pragma tla algorithm shape(d(n, 1), e(n, 1), B(d.mt() * p, 1, 3 * d.mb() + 16, d.mb())) requires(p >= 1)
template <typename T>
void take_bidiagonal(int p, tla::Workspace<T> B, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e) {
  for (int t = 0; t < d.mt(); ++t) {
    #pragma tla task
    bidiagonalElements(B(t * p, 0), B(min(t + 1, d.mt() - 1) * p, 0), d(t, 0), e(t, 0));
  }
}

/// Reduces the band that ge2gb left in A, nb superdiagonals in the upper triangle of a square A, to a bidiagonal matrix with
/// diagonal d and superdiagonal e(0) .. e(n - 2), on the node of tile (0, 0) (LAPACK: gbbrd). A task is a parallelogram of G
/// sweeps by C chunks. XL(t, s), FL(t, s): the left reflectors of the sweeps s nb .. s nb + nb - 1 that begin in row t of tiles, ib
/// in a group, XR and FR the right ones, all as unmtr_hb2st takes them. The first element of A is real. A stays.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1), XL(A.nt(), A.nt(), A.nb() + ib, A.nb()), FL(A.nt(), A.nt(), ib, A.nb()), \
    XR(A.nt(), A.nt(), A.nb() + ib, A.nb()), FR(A.nt(), A.nt(), ib, A.nb())) requires(G >= 1, C >= 1, ib >= 1)
template <typename T>
void gb2bd_chase(int G, int C, int ib, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Workspace<T> XL,
                 tla::Workspace<T> FL, tla::Workspace<T> XR, tla::Workspace<T> FR) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 3 * b + 16, b);
  tla::Workspace<T> L(nt * p, nt * q, b, b), R(nt * p, nt * q, b, b); // L(t, s), a column for each sweep
  load_bidiagonal_band(A, B);
  for (int s = 0; s < nt; ++s) {
    chase_bidiagonal(G, C, s, s, nt, A, B, L, R);
    for (int t = s; t < nt; ++t) {
      #pragma tla task release(L(t * p, s * q))
      diamond(ib, L(t * p, s * q), XL(t, s), FL(t, s));
      #pragma tla task release(R(t * p, s * q))
      diamond(ib, R(t * p, s * q), XR(t, s), FR(t, s));
    }
  }
  take_bidiagonal(p, B, d, e);
}

/// gb2bd_chase for singular values alone: reflectors are forgotten, in two columns of tiles by turns.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1)) requires(G >= 1, C >= 1)
template <typename T>
void gb2bd_values(int G, int C, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 3 * b + 16, b), L(nt * p, 2 * q, b, b), R(nt * p, 2 * q, b, b);
  load_bidiagonal_band(A, B);
  for (int s = 0; s < nt; ++s) {
    chase_bidiagonal(G, C, s, s % 2, 2, A, B, L, R);
  }
  take_bidiagonal(p, B, d, e);
}
