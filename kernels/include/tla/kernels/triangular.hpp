// Cholesky and LDL^H factorizations of a tile, and what is done with a triangular tile.
#pragma once

#include <tla/tile.hpp>

namespace tla {

/// Cholesky factorization of a Hermitian positive definite tile: A = L L^H (uplo = Lower) or U^H U (Upper), in place;
/// the other triangle is not referenced. Returns 0, or j > 0 when the leading minor of order j is not positive
/// definite (LAPACK: potrf).
#pragma tla kernel flops(A.n() * A.n() * A.n() / 3.0 + A.n() * A.n() / 2.0 + A.n() / 6.0)                              \
    bound(compute) requires(A.m() == A.n())
template <typename T> int potrf(Uplo uplo, Tile<T> A);

/// The inverse of a triangular tile, in place. Returns 0, or j > 0 when A(j, j) is exactly zero; A is then unchanged
/// (LAPACK: trtri).
#pragma tla kernel flops(A.n() * A.n() * A.n() / 3.0 + 2 * A.n() / 3.0) bound(compute) requires(A.m() == A.n())
template <typename T> int trtri(Uplo uplo, Diag diag, Tile<T> A);

/// The product U U^H (uplo = Upper) or L^H L (Lower) of a triangular tile with a real diagonal, in place in the same
/// triangle (LAPACK: lauum).
#pragma tla kernel flops(A.n() * A.n() * A.n() / 3.0 + A.n() * A.n() / 2.0 + A.n() / 6.0)                              \
    bound(compute) requires(A.m() == A.n())
template <typename T> void lauum(Uplo uplo, Tile<T> A);

/// A = L D L^H of a Hermitian tile without pivoting, in place in the lower triangle: L is unit lower triangular, D real
/// diagonal; the upper triangle is not referenced. Returns 0, or j > 0 when pivot j is zero or NaN; the factorization
/// stops there (LAPACK: hetrf, with every pivot 1 x 1 and no interchange; the algorithm is Golub & Van Loan, Matrix
/// Computations, 4.1.2).
#pragma tla kernel flops(A.n() * A.n() * A.n() / 3.0 + A.n() * A.n() / 2.0) bound(compute) requires(A.m() == A.n())
template <typename T> int hetrf_nopiv(Tile<T> A);

/// From B = L D, with D the diagonal of the tile A: W = B and B = B D^-1 (the panel step of hetrf_nopiv).
#pragma tla kernel flops(B.m() * B.n())                                                                                \
    bound(memory) requires(A.m() >= B.n() && A.n() >= B.n() && W.m() >= B.m() && W.n() >= B.n())
template <typename T> void scaleByPivots(ConstTile<T> A, Tile<T> B, OutTile<T> W);

/// Returns j > 0 when R(j, j), j the first such, is exactly zero: a triangular system with R would have no solution
/// (LAPACK: the test at the start of trtrs). R is only looked at; it is declared Tile because the place of the task is
/// that of an output, and info counts from its column.
#pragma tla kernel flops(R.n()) bound(memory) requires(R.m() >= R.n())
template <typename T> int requireNonsingular(Tile<T> R);

} // namespace tla
