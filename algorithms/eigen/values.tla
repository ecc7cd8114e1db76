#pragma once
#include "chase.tla"
#include "sturm.hpp"

/// hb2st_chase for eigenvalues alone: reflectors are forgotten, in two columns of tiles by turns.
#pragma tla algorithm shape(A(n, n), d(n, 1), e(n, 1)) requires(sweeps >= 1, chunks >= 1)
template <typename T>
void hb2st_values(int sweeps, int chunks, tla::LowerMatrix<T> A, tla::Matrix<tla::RealType<T>> d,
                  tla::Matrix<tla::RealType<T>> e) {
  const int p = A.p(), q = A.q(), nt = A.nt(), b = A.nb();
  tla::Workspace<T> B(nt * p, 1, 2 * b + 16, b); // columns of the band
  tla::Workspace<T> V(nt * p, 2 * q, b, b); // V(t, s), a column for each sweep
  load_band(A, B);
  for (int s = 0; s < nt; ++s) {
    chase_sweeps(sweeps, chunks, s, s % 2, 2, A, B, V);
  }
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    bandDiagonals(B(t * p, 0), d(t, 0), e(t, 0));
  }
}
