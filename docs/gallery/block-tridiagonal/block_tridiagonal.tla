#include <tla/tla.hpp>

/// Solves A X = B for a Hermitian positive definite A whose tiles are zero but for those beside the diagonal, by cyclic reduction:
/// D has the diagonal tiles below each other, E the tiles left of them; X replaces B. Rows of tiles 1, 3, 5, ... are eliminated,
/// all at once; what is left is such a system of half the length. In step d row i of tiles has neighbours i - d and i + d.
#pragma tla algorithm shape(D(n, k), E(n, k), B(n, m)) default(m : 1) requires(n >= 1, k == D.nb(), n % k == 0)
template <typename T> void block_tridiagonal(tla::Matrix<T> D, tla::Matrix<T> E, tla::Matrix<T> B) {
  tla::Workspace<T> F(D.mt(), 1, D.nb(), D.nb()); // F(i): what couples i + d to i - d once i is gone
  for (int d = 1; d < D.mt(); d *= 2) {
    const auto C = d == 1 ? E : F; // C(i - d / 2) couples i to i - d
    for (int i = d; i < D.mt(); i += 2 * d) {
      #pragma tla task
      potrf(Lower, D(i, 0));
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), D(i, 0), C(i - d / 2, 0));
      #pragma tla task
      herk(Lower, ConjTrans, -1, C(i - d / 2, 0), 1, D(i - d, 0));
      if (i + d < D.mt()) {
        #pragma tla task
        trsm(Right, Lower, ConjTrans, NonUnit, T(1), D(i, 0), C(i + d - d / 2, 0));
        #pragma tla task
        herk(Lower, NoTrans, -1, C(i + d - d / 2, 0), 1, D(i + d, 0));
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), C(i + d - d / 2, 0), C(i - d / 2, 0), T(0), F(i, 0));
      }
      for (int j = 0; j < B.nt(); ++j) {
        #pragma tla task
        trsm(Left, Lower, NoTrans, NonUnit, T(1), D(i, 0), B(i, j));
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(-1), C(i - d / 2, 0), B(i, j), T(1), B(i - d, j));
        if (i + d < D.mt()) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), C(i + d - d / 2, 0), B(i, j), T(1), B(i + d, j));
        }
      }
    }
  }
  #pragma tla task
  potrf(Lower, D(0, 0));
  for (int j = 0; j < B.nt(); ++j) {
    #pragma tla task
    trsm(Left, Lower, NoTrans, NonUnit, T(1), D(0, 0), B(0, j));
    #pragma tla task
    trsm(Left, Lower, ConjTrans, NonUnit, T(1), D(0, 0), B(0, j));
  }
  for (int d = 1073741824; d >= 1; d /= 2) {
    if (d < D.mt()) {
      const auto C = d == 1 ? E : F;
      for (int i = d; i < D.mt(); i += 2 * d)
        for (int j = 0; j < B.nt(); ++j) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), C(i - d / 2, 0), B(i - d, j), T(1), B(i, j));
          if (i + d < D.mt()) {
            #pragma tla task
            gemm(ConjTrans, NoTrans, T(-1), C(i + d - d / 2, 0), B(i + d, j), T(1), B(i, j));
          }
          #pragma tla task
          trsm(Left, Lower, ConjTrans, NonUnit, T(1), D(i, 0), B(i, j));
        }
    }
  }
}
