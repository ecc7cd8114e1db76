#pragma once
#include "chase.hpp"

/// B = the columns of the band that he2hb left in A, a tile for each tile of the diagonal, on the node of tile (0, 0).
#pragma tla algorithm shape(A(n, n), B(A.nt() * A.p(), 1, 2 * A.nb() + 16, A.nb()))
template <typename T>
void load_band(tla::LowerMatrix<T> A, tla::Workspace<T> B) {
  const int p = A.p();
  for (int t = 0; t < A.nt(); ++t) {
    if (t + 1 < A.nt()) {
      #pragma tla task
      bandTile(A(t, t), A(t + 1, t), B(t * p, 0));
    } else {
      #pragma tla task
      bandTileLast(A(t, t), B(t * p, 0));
    }
  }
}

/// The sweeps s nb .. s nb + nb - 1 of bulge chasing, in parallelograms of G sweeps by C chunks. V(t, column), column < columns: the
/// reflectors that begin in row t of tiles.
#pragma tla algorithm requires(G >= 1, C >= 1) \
    shape(A(n, n), B(A.nt() * A.p(), 1, 2 * A.nb() + 16, A.nb()), V(A.nt() * A.p(), columns * A.q(), A.nb(), A.nb()))
template <typename T>
void chase_sweeps(int G, int C, int s, int column, int columns, tla::LowerMatrix<T> A, tla::Workspace<T> B, tla::Workspace<T> V) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  for (int t = s; t < nt; ++t) {
    #pragma tla task
    laset(T(0), T(0), V(t * p, column * q));
  }
  for (int g = 0; g < b; g += G)
    for (int c = 0; c - G + 1 < nt - s; c += C) {
      const int c0 = max(0, c - G);
      #pragma tla task
      chase(A.n(), s * b + g, min(G, b - g), c, C, s + c0, c0, B.panel((s + c0) * p, min(nt, s + c + C + 1) * p, 0, p),
            V.panel((s + c0) * p, min(nt, s + c + C) * p, column * q, p));
    }
}
