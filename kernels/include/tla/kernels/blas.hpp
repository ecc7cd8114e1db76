// BLAS on tiles, and the copies between tiles that algorithms need. What becomes beta times itself is not read where
// beta is zero (`writes(C if beta == 0)`), NaN included; of kernels on one triangle that holds of the triangle, and the
// rest of the tile stays: a fresh tile of a workspace has to be written as a whole before.
#pragma once

#include <tla/tile.hpp>

namespace tla {

/// C = alpha op(A) op(B) + beta C; C is not read when beta is zero (BLAS: gemm).
#pragma tla kernel flops(2 * C.m() * C.n() * (opA == NoTrans ? A.n() : A.m())) bound(compute) writes(C if beta == 0)   \
    sum(C if beta == 1) requires((opA == NoTrans ? A.m() : A.n()) == C.m() &&                                          \
                                 (opB == NoTrans ? B.n() : B.m()) ==                                                   \
                                     C.n()) requires((opA == NoTrans ? A.n() : A.m()) ==                               \
                                                     (opB == NoTrans ? B.m() : B.n()))
template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

/// One triangle of the square tile C = alpha op(A) op(B) + beta C; the other is not referenced (the BLAS extension
/// gemmt): for products that are known to be symmetric.
#pragma tla kernel sum(C in uplo if beta == 1) flops((opA == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1))           \
    bound(compute) requires(C.m() == C.n() && (opA == NoTrans ? A.m() : A.n()) == C.m() &&                             \
                            (opB == NoTrans ? B.n() : B.m()) == C.n()) requires((opA == NoTrans ? A.n() : A.m()) ==    \
                                                                                (opB == NoTrans ? B.m() : B.n()))
template <typename T> void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

/// C = alpha A B + beta C (side = Left) or alpha B A + beta C (Right), A symmetric, one triangle stored (BLAS: symm).
#pragma tla kernel writes(C if beta == 0) sum(C if beta == 1) flops(2 * C.m() * C.n() * A.n()) bound(                  \
    compute) requires(A.m() == A.n() && A.m() == (side == Left ? C.m() : C.n()) && B.m() == C.m() && B.n() == C.n())
template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

/// symm() for a Hermitian A, whose diagonal is taken as real (BLAS: hemm); for real T there is no difference.
#pragma tla kernel writes(C if beta == 0) sum(C if beta == 1) flops(2 * C.m() * C.n() * A.n()) bound(                  \
    compute) requires(A.m() == A.n() && A.m() == (side == Left ? C.m() : C.n()) && B.m() == C.m() && B.n() == C.n())
template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C);

/// C = alpha op(A) op(A)^T + beta C, one triangle of the symmetric tile C; op is NoTrans or Trans (BLAS: syrk).
#pragma tla kernel sum(C in uplo if beta == 1) flops((op == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1))            \
    bound(compute) requires(C.m() == C.n() && (op == NoTrans ? A.m() : A.n()) == C.n()) requires(op != ConjTrans)
template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C);

/// C = alpha op(A) op(A)^H + beta C, one triangle of the Hermitian tile C; op is NoTrans or ConjTrans, alpha and
/// beta are real; for real T the same as syrk (BLAS: herk).
#pragma tla kernel sum(C in uplo if beta == 1) flops((op == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1))            \
    bound(compute) requires(C.m() == C.n() && (op == NoTrans ? A.m() : A.n()) == C.n()) requires(op != Trans)
template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C);

/// B = alpha op(A)^-1 B (side = Left) or alpha B op(A)^-1 (Right), A triangular (BLAS: trsm). Where A is larger than B
/// asks for, as the last diagonal tile of a rectangular matrix may be, its leading square counts.
#pragma tla kernel flops(side == Left ? B.m() * B.m() * B.n() : B.m() * B.n() * B.n())                                 \
    bound(compute) requires(A.m() >= (side == Left ? B.m() : B.n()) && A.n() >= (side == Left ? B.m() : B.n()))
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B);

/// B = alpha op(A) B (side = Left) or alpha B op(A) (Right), A triangular, or its leading square (BLAS: trmm).
#pragma tla kernel flops(side == Left ? B.m() * B.m() * B.n() : B.m() * B.n() * B.n())                                 \
    bound(compute) requires(A.m() >= (side == Left ? B.m() : B.n()) && A.n() >= (side == Left ? B.m() : B.n()))
template <typename T> void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B);

/// A = alpha A; with alpha = 0 every element becomes zero, NaN included (BLAS: scal, over a tile).
#pragma tla kernel writes(A if alpha == 0) flops(A.m() * A.n()) bound(memory)
template <typename T> void scal(T alpha, Tile<T> A);

/// One triangle of the square tile A, its diagonal included, becomes alpha times itself (LAPACK: lascl, type 'L' or
/// 'U', without its care for overflow); with alpha = 0 zero, NaN included.
#pragma tla kernel flops(A.n() * (A.n() + 1) / 2.0) bound(memory) requires(A.m() == A.n())
template <typename T> void lascl(Uplo uplo, T alpha, Tile<T> A);

/// B = alpha op(A) (the BLAS extension omatcopy), of as much of it as B has room for.
#pragma tla kernel flops(B.m() * B.n())                                                                                \
    bound(memory) requires((op == NoTrans ? A.m() : A.n()) >= B.m() && (op == NoTrans ? A.n() : A.m()) >= B.n())
template <typename T> void omatcopy(Op op, T alpha, ConstTile<T> A, OutTile<T> B);

/// B = alpha A + beta B (the BLAS extension geadd); with beta = 0 what B was counts for nothing, NaN included.
#pragma tla kernel writes(B if beta == 0) sum(B if beta == 1) flops(2 * A.m() * A.n())                                 \
    bound(memory) requires(A.m() == B.m() && A.n() == B.n())
template <typename T> void geadd(T alpha, ConstTile<T> A, T beta, Tile<T> B);

/// geadd() of one triangle, or trapezoid, of the tiles, the diagonal included (PLASMA: tradd).
#pragma tla kernel sum(B in uplo if beta == 1) flops(B.m() * B.n())                                                    \
    bound(memory) requires(A.m() == B.m() && A.n() == B.n())
template <typename T> void tradd(Uplo uplo, T alpha, ConstTile<T> A, T beta, Tile<T> B);

/// The diagonal of A becomes `diagonal`, the other elements `offDiagonal` (LAPACK: laset). Only the region of A that is
/// passed is written: laset(T(0), T(0), A(k, k).lower()) clears what is strictly below the diagonal.
#pragma tla kernel flops(A.m() * A.n()) bound(memory)
template <typename T> void laset(T offDiagonal, T diagonal, OutTile<T> A);

} // namespace tla
