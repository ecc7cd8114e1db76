#include <tla/tla.hpp>

// Each node sums up what it has of a row of A: tile (i, c) of W is where A(i, c), A(i, c + q), ... are.
#pragma tla algorithm shape(A(m, n), x(n, 1), y(m, 1)) requires(n >= 1)
template <typename T> void matvec(tla::Matrix<T> A, tla::Matrix<T> x, tla::Matrix<T> y) {
  const int q = min(A.q(), A.nt());
  tla::Workspace<T> W(A.mt(), q, A.nb(), 1);
  for (int i = 0; i < A.mt(); ++i) {
    const int h = min(A.nb(), A.m() - i * A.nb()); // rows of this row of tiles
    for (int c = 0; c < q; ++c) {
      #pragma tla task
      laset(T(0), T(0), W(i, c));
      for (int j = c; j < A.nt(); j += A.q()) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, j), x(j, 0), T(1), W(i, c).rows(0, h));
      }
      #pragma tla task
      geadd(T(1), W(i, c).rows(0, h), c == 0 ? T(0) : T(1), y(i, 0));
    }
  }
}
