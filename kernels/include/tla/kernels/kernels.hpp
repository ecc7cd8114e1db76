// The standard tile kernels, each declared once. T is float, double, or std::complex of either. The semantics, the
// arguments and `info` are those of the BLAS and LAPACK routine of the same name; sizes come from the tiles.
//
// flops(...) counts real operations as LAPACK Working Note 41 does for real types; for complex types the
// generated code multiplies by 4.
#pragma once

#include <tla/tile.hpp>

namespace tla {

/// Cholesky factorization of a Hermitian positive definite tile: A = L L^H (uplo = Lower) or U^H U (Upper), in place;
/// the other triangle is not referenced. Returns 0, or j > 0 when the leading minor of order j is not positive
/// definite (LAPACK: potrf).
#pragma tla kernel flops(A.n() * A.n() * A.n() / 3.0 + A.n() * A.n() / 2.0 + A.n() / 6.0) bound(compute)
template <typename T> int potrf(Uplo uplo, Tile<T> A);

/// B = alpha op(A)^-1 B (side = Left) or alpha B op(A)^-1 (Right), A triangular (BLAS: trsm).
#pragma tla kernel flops(side == Left ? B.m() * B.m() * B.n() : B.m() * B.n() * B.n()) bound(compute)
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B);

/// C = alpha op(A) op(A)^T + beta C, one triangle of the symmetric tile C; op is NoTrans or Trans (BLAS: syrk).
#pragma tla kernel flops((op == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1)) bound(compute)
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C);

/// C = alpha op(A) op(A)^H + beta C, one triangle of the Hermitian tile C; op is NoTrans or ConjTrans, alpha and
/// beta are real; for real T the same as syrk (BLAS: herk).
#pragma tla kernel flops((op == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1)) bound(compute)
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C);

/// C = alpha op(A) op(B) + beta C; C is not read when beta is zero (BLAS: gemm).
#pragma tla kernel flops(2 * C.m() * C.n() * (opA == NoTrans ? A.n() : A.m())) bound(compute)
template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

/// A = alpha A; with alpha = 0 every element becomes zero, NaN included (BLAS: scal, over a tile).
#pragma tla kernel flops(A.m() * A.n()) bound(memory)
template <typename T> void scal(T alpha, Tile<T> A);

} // namespace tla
