// QR factorization by Householder reflectors: on panels in LAPACK's format, and the tile kernels of Buttari, Langou,
// Kurzak & Dongarra, A class of parallel tiled linear algebra algorithms for multicore architectures, Parallel
// Computing 35 (2009), and of Demmel, Grigori, Hoemmen & Langou, Communication-optimal parallel and sequential QR and
// LU factorizations, SIAM J. Sci. Comput. 34 (2012).
//
// A reflector is H = I - tau v v^H with v(0) = 1, as LAPACK's larfg makes it; Q = H_1 H_2 ... H_k. `W` holds triangular
// factors T of block reflectors I - V T V^H (LAPACK: larft), with tau on their diagonals. All else of W becomes
// zero; only the factors' upper triangles are read. In the tile kernels columns are blocked by ib: W is at least
// min(ib, k) x k for k reflectors, and columns [l, l + ib) hold the ib x ib factor of the reflectors [l, l + ib), as in
// LAPACK's geqrt (of a workspace parameter of a program that was split: columns of a slice). `op` is NoTrans (Q C) or
// ConjTrans (Q^H C).
#pragma once

#include <tla/tile.hpp>

namespace tla {

/// A = Q R of a panel, in LAPACK's format: R in the upper triangle, the vectors below the diagonal, tau with
/// k = min(A.m(), A.n()) elements (LAPACK: geqrf). The leading k x k of W becomes the upper triangular factor of all k
/// reflectors, for larfb.
#pragma tla kernel flops(A.m() >= A.n() ? 2 * A.n() * A.n() * (A.m() - A.n() / 3.0)                                    \
                                        : 2 * A.m() * A.m() * (A.n() - A.m() / 3.0))                                   \
    bound(compute) requires(tau.m() >= min(A.m(), A.n()) && tau.n() >= 1) requires(W.m() >= min(A.m(), A.n()) &&       \
                                                                                   W.n() >= min(A.m(), A.n()))
template <typename T> void geqrf(Panel<T> A, OutTile<T> tau, OutTile<T> W);

/// The leading k x k of W becomes the upper triangular factor of the k = tau.m() reflectors below the diagonal of the
/// panel V (LAPACK: larft, forward, columnwise).
#pragma tla kernel flops(V.m() * tau.m() * tau.m()) bound(compute) requires(                                           \
    tau.m() <= V.m() && tau.m() <= V.n() && tau.n() >= 1 && W.m() >= tau.m() && W.n() >= tau.m())
template <typename T> void larft(ConstPanel<T> V, ConstTile<T> tau, OutTile<T> W);

/// C = op(I - V W V^H) C for the k = min(V.m(), V.n()) reflectors below the diagonal of V, with W from geqrf or larft
/// (LAPACK: larfb, from the left, forward, columnwise). V and C have the same rows.
#pragma tla kernel flops(2 * C.n() * (V.m() < V.n() ? V.m() : V.n()) * (2 * C.m() - (V.m() < V.n() ? V.m() : V.n())))  \
    bound(compute) requires(V.m() == C.m() && W.m() >= min(V.m(), V.n()) &&                                            \
                            W.n() >= min(V.m(), V.n())) requires(op != Trans)
template <typename T> void larfb(Op op, ConstPanel<T> V, ConstTile<T> W, Panel<T> C);

/// B = the vectors that geqrf left in the diagonal tile A, written out: strictly lower part copied, ones on the
/// diagonal, zeros above.
#pragma tla kernel flops(B.m() * B.n()) bound(memory) requires(A.m() == B.m() && A.n() == B.n())
template <typename T> void copyUnitLower(ConstTile<T> A, OutTile<T> B);

/// A = Q R of a tile: R in the upper triangle, the vectors below the diagonal, the factors in W (LAPACK: geqrt).
#pragma tla kernel flops(A.m() >= A.n() ? 2 * A.n() * A.n() * (A.m() - A.n() / 3.0)                                    \
                                        : 2 * A.m() * A.m() * (A.n() - A.m() / 3.0))                                   \
    bound(compute) requires(ib >= 1 && W.m() >= min(ib, min(A.m(), A.n())) && W.n() >= min(A.m(), A.n()))
template <typename T> void geqrt(int ib, Tile<T> A, OutTile<T> W);

/// C = op(Q) C, Q from geqrt of the tile whose strictly lower part is V (LAPACK: gemqrt, side = 'L'; PLASMA: unmqr).
#pragma tla kernel flops(2 * C.n() * (V.m() < V.n() ? V.m() : V.n()) * (2 * C.m() - (V.m() < V.n() ? V.m() : V.n())))  \
    bound(compute) requires(C.m() == V.m() && ib >= 1 && W.m() >= min(ib, min(V.m(), V.n())) &&                        \
                            W.n() >= min(V.m(), V.n())) requires(op != Trans)
template <typename T> void unmqr(Op op, int ib, ConstTile<T> V, ConstTile<T> W, Tile<T> C);

/// QR of the upper triangle R (the leading A.n() x A.n() of its tile) on top of the square or rectangular tile A: the
/// new R replaces R, the vectors' lower part replaces A (their upper part is the identity). Only the upper triangle of
/// R's tile is referenced (PLASMA: tsqrt; LAPACK: tpqrt with L = 0).
#pragma tla kernel flops(2 * A.m() * A.n() * A.n())                                                                    \
    bound(compute) requires(R.m() >= A.n() && R.n() >= A.n() && ib >= 1 && W.m() >= min(ib, A.n()) && W.n() >= A.n())
template <typename T> void tsqrt(int ib, Tile<T> R, Tile<T> A, OutTile<T> W);

/// [C1; C2] = op(Q) [C1; C2], Q from tsqrt with the vectors V; of C1 the first V.n() rows are referenced (PLASMA:
/// tsmqr; LAPACK: tpmqrt with L = 0).
#pragma tla kernel flops(4 * C2.m() * C2.n() * V.n())                                                                  \
    bound(compute) requires(C1.m() >= V.n() && C1.n() == C2.n() && C2.m() == V.m()) requires(                          \
        ib >= 1 && W.m() >= min(ib, V.n()) && W.n() >= V.n()) requires(op != Trans)
template <typename T> void tsmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W);

/// QR of the upper triangle R on top of the upper triangle (or, with fewer rows than columns, trapezoid) R2: the new R
/// replaces R, the vectors' lower part, upper triangular too, replaces R2. What is below the diagonals is not
/// referenced (PLASMA: ttqrt; LAPACK: tpqrt with L = n).
#pragma tla kernel flops(2 * R2.n() * R2.n() * R2.n() / 3.0) bound(compute) requires(                                  \
    R.m() >= R2.n() && R.n() >= R2.n() && ib >= 1 && W.m() >= min(ib, R2.n()) && W.n() >= R2.n())
template <typename T> void ttqrt(int ib, Tile<T> R, Tile<T> R2, OutTile<T> W);

/// [C1; C2] = op(Q) [C1; C2], Q from ttqrt with the upper triangular vectors V; of C1 the first V.n() rows, of C2 the
/// first min(V.m(), V.n()) rows are referenced (PLASMA: ttmqr; LAPACK: tpmqrt with L = n).
#pragma tla kernel flops(2 * C2.n() * V.n() * V.n())                                                                   \
    bound(compute) requires(C1.m() >= V.n() && C1.n() == C2.n() && C2.m() >= min(V.m(), V.n())) requires(              \
        ib >= 1 && W.m() >= min(ib, V.n()) && W.n() >= V.n()) requires(op != Trans)
template <typename T> void ttmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W);

} // namespace tla
