#pragma once
#include "eigen/back.hpp"
#include "chase.hpp"

/// Reduces the band that ge2gb left in A, nb superdiagonals in the upper triangle of a square A, to a bidiagonal matrix with
/// diagonal d and superdiagonal e(0) .. e(n - 2), on the node of tile (0, 0) (LAPACK: gbbrd). A task is a parallelogram of G
/// sweeps by C chunks. XL(t, s), FL(t, s): the left reflectors of the sweeps s nb .. s nb + nb - 1 that begin in row t of tiles, ib
/// in a group, XR and FR the right ones, all as unmtr_hb2st takes them. The first element of A is real. A stays.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1), XL(A.nt(), A.nt(), A.nb() + ib, A.nb()), FL(A.nt(), A.nt(), ib, A.nb()), \
    XR(A.nt(), A.nt(), A.nb() + ib, A.nb()), FR(A.nt(), A.nt(), ib, A.nb())) \
    default(G : 8, C : 4, ib : 12) requires(G >= 1, C >= 1, ib >= 1)
template <typename T>
void gb2bd_chase(int G, int C, int ib, tla::Matrix<T> A, tla::Matrix<tla::RealType<T>> d, tla::Matrix<tla::RealType<T>> e, tla::Workspace<T> XL,
                 tla::Workspace<T> FL, tla::Workspace<T> XR, tla::Workspace<T> FR) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 3 * b + 16, b);                            // columns of the band
  tla::Workspace<T> VL(nt * p, nt * q, b, b), VR(nt * p, nt * q, b, b); // VL(t, s), a column for each sweep
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bidiagonalBandTile(t == 0 ? 1 : 0, A(max(t - 1, 0), t), A(t, t), B(t * p, 0));
  }
  for (int s = 0; s < nt; ++s) {
    for (int t = s; t < nt; ++t) {
      #pragma tla task
      laset(T(0), T(0), VL(t * p, s * q));
      #pragma tla task
      laset(T(0), T(0), VR(t * p, s * q));
    }
    for (int g = 0; g < b; g += G)
      for (int c = 0; c - G + 1 < nt - s; c += C) {
        const int c0 = max(0, c - G);
        #pragma tla task
        chaseBidiagonal(A.n(), s * b + g, min(G, b - g), c, C, s + c0, c0, B.panel((s + c0) * p, min(nt, s + c + C + 1) * p, 0, p),
                        VL.panel((s + c0) * p, min(nt, s + c + C) * p, s * q, p), VR.panel((s + c0) * p, min(nt, s + c + C) * p, s * q, p));
      }
    for (int t = s; t < nt; ++t) {
      #pragma tla task release(VL(t * p, s * q))
      diamond(ib, VL(t * p, s * q), XL(t, s), FL(t, s));
      #pragma tla task release(VR(t * p, s * q))
      diamond(ib, VR(t * p, s * q), XR(t, s), FR(t, s));
    }
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bidiagonalElements(B(t * p, 0), B(min(t + 1, nt - 1) * p, 0), d(t, 0), e(t, 0));
  }
}
