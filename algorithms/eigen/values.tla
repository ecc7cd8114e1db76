#pragma once
#include "chase.hpp"
#include "multisection.hpp"

/// hb2st_chase for eigenvalues alone: reflectors are forgotten, in two columns of tiles by turns.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1)) requires(sweeps >= 1, chunks >= 1)
template <typename T>
void hb2st_values(int sweeps, int chunks, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d,
                  tla::Matrix<tla::RealType<T>> e) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 2 * b + 16, b); // columns of the band
  tla::Workspace<T> V(nt * p, 2 * q, b, b); // V(t, s), a column for each sweep
  for (int t = 0; t < nt; ++t) {
    if (t + 1 < nt) {
      #pragma tla task
      bandTile(A(t, t), A(t + 1, t), B(t * p, 0));
    } else {
      #pragma tla task
      bandTileLast(A(t, t), B(t * p, 0));
    }
  }
  for (int s = 0; s < nt; ++s) {
    const int turn = s % 2 * q;
    for (int t = s; t < nt; ++t) {
      #pragma tla task
      laset(T(0), T(0), V(t * p, turn));
    }
    for (int g = 0; g < b; g += sweeps)
      for (int c = 0; c - sweeps + 1 < nt - s; c += chunks) {
        const int c0 = max(0, c - sweeps);
        #pragma tla task
        chase(A.n(), s * b + g, min(sweeps, b - g), c, chunks, s + c0, c0, B.panel((s + c0) * p, min(nt, s + c + chunks + 1) * p, 0, p),
              V.panel((s + c0) * p, min(nt, s + c + chunks) * p, turn, p));
      }
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bandDiagonals(B(t * p, 0), d(t, 0), e(t, 0));
  }
}
