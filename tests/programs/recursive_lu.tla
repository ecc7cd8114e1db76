// LU without pivoting in halves, down to blocks of a few tiles, for which the algorithm of the library is called. Its
// solves are two algorithms that call each other: one halves the triangle, the other one the right-hand sides.
#include "../../algorithms/gemm.tla"
#include "../../algorithms/getrf_nopiv.tla"
#include "../../algorithms/trsm.tla"

template <typename T> void halve_columns(int leaf, tla::Matrix<T> L, tla::Matrix<T> B);

/// B = L^-1 * B for the unit lower triangle of L.
#pragma tla algorithm shape(L(m, m), B(m, n))
template <typename T> void halve_triangle(int leaf, tla::Matrix<T> L, tla::Matrix<T> B) {
  if (L.nt() <= leaf) {
    trsm(Left, Lower, NoTrans, Unit, T(1), L, B);
  } else {
    const int half = L.nt() / 2;
    const auto first = B.tiles(0, half, 0, B.nt()), rest = B.tiles(half, B.mt(), 0, B.nt());
    halve_columns(leaf, L.tiles(0, half, 0, half), first);
    gemm(NoTrans, NoTrans, T(-1), L.tiles(half, L.mt(), 0, half), first, T(1), rest);
    halve_columns(leaf, L.tiles(half, L.mt(), half, L.nt()), rest);
  }
}

/// B = L^-1 * B, as above.
#pragma tla algorithm shape(L(m, m), B(m, n))
template <typename T> void halve_columns(int leaf, tla::Matrix<T> L, tla::Matrix<T> B) {
  if (B.nt() <= leaf) {
    halve_triangle(leaf, L, B);
  } else {
    const int half = B.nt() / 2;
    halve_triangle(leaf, L, B.tiles(0, B.mt(), 0, half));
    halve_columns(leaf, L, B.tiles(0, B.mt(), half, B.nt()));
  }
}

/// A = L * U, in place, without pivoting, for a matrix that needs none; blocks of up to `leaf` tiles are not halved.
#pragma tla algorithm shape(A(n, n)) requires(leaf >= 1) default(leaf : 2) input(A : dominant) check(lu(A))
template <typename T> void recursive_lu(int leaf, tla::Matrix<T> A) {
  if (A.nt() <= leaf) {
    getrf_nopiv(A);
  } else {
    const int half = A.nt() / 2;
    const auto corner = A.tiles(0, half, 0, half);
    const auto right = A.tiles(0, half, half, A.nt()), below = A.tiles(half, A.mt(), 0, half);
    const auto rest = A.tiles(half, A.mt(), half, A.nt());
    recursive_lu(leaf, corner);
    halve_triangle(leaf, corner, right);
    trsm(Right, Upper, NoTrans, NonUnit, T(1), corner, below);
    gemm(NoTrans, NoTrans, T(-1), below, right, T(1), rest);
    recursive_lu(leaf, rest);
  }
}
