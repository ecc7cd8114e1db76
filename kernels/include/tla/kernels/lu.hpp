// LU factorization: partial pivoting on a panel, no pivoting on a tile, and tournament pivoting (CALU).
//
// Pivots are LAPACK's: ipiv(i, 0) = p says that rows i and p were interchanged, p counted from 1 over the whole matrix.
// `row` is the row of the whole matrix, from 0, at which the panel or tile begins.
#pragma once

#include <tla/tile.hpp>

namespace tla {

/// P A = L U of a panel with partial pivoting, in place (LAPACK: getrf). ipiv has min(A.m(), A.n()) elements. Of
/// several elements of the largest modulus (|re| + |im|) the first is the pivot. Returns 0, or j > 0 when U(j, j), j
/// the first such, is exactly zero; the factorization is complete all the same, and the run goes on.
#pragma tla kernel flops(A.m() >= A.n() ? A.n() * A.n() * (A.m() - A.n() / 3.0)                                        \
                                        : A.m() * A.m() * (A.n() - A.m() / 3.0)) bound(compute)                        \
    info(continue) requires(ipiv.m() == min(A.m(), A.n()) && ipiv.n() >= 1)
template <typename T> int getrf(int row, Panel<T> A, OutTile<int> ipiv);

/// Interchanges rows of a panel that begins at the same row as the panel from which the pivots came: in the order of
/// the pivots for inc = 1, in the reverse order for inc = -1 (LAPACK: laswp).
#pragma tla kernel flops(0 * ipiv.m())                                                                                 \
    bound(memory) requires(ipiv.m() <= A.m() && ipiv.n() >= 1 && (inc == 1 || inc == -1))
template <typename T> void laswp(int row, ConstTile<int> ipiv, int inc, Panel<T> A);

/// laswp with the pivots of several panels, one after the other, which begin where A does.
#pragma tla kernel flops(0 * ipiv.m()) bound(memory) requires(ipiv.m() <= A.m() && (inc == 1 || inc == -1))
template <typename T> void laswpAll(int row, ConstPanel<int> ipiv, int inc, Panel<T> A);

// laswp (inc = 1) of a column of tiles of nb rows that lies on several nodes, of which each has every p-th tile, in
// three parts that move ipiv.m() rows each: nodes gather what they have of the rows that come to the top, the node of
// the top takes these and says which rows were there before, and nodes take what they get of those. Panels have every
// p-th tile, from the one on that begins at row `first` of the matrix, or at `row`.

/// Row i of S becomes what comes to row `row` + i, where one of A's rows does; the others are zero.
#pragma tla kernel flops(0 * ipiv.m())                                                                                 \
    bound(memory) requires(ipiv.m() <= S.m() && ipiv.n() >= 1 && A.n() <= S.n() && nb >= 1 && p >= 1)
template <typename T>
void laswpGather(int row, int nb, int p, int first, ConstTile<int> ipiv, ConstPanel<T> A, OutTile<T> S);

/// The interchanges among A's own rows, and those that bring rows of others to the top, which are in S(r - 1) where
/// they come from the tiles r, r + p, ... behind the top one. D becomes the top tile as it was.
#pragma tla kernel flops(0 * ipiv.m())                                                                                 \
    bound(memory) requires(ipiv.m() <= A.m() && ipiv.m() <= D.m() && ipiv.n() >= 1 && A.n() <= D.n() && nb >= 1 &&     \
                           p >= 1) requires(S.mt() == 0 || A.n() <= S.n())
template <typename T>
void laswpExchange(int row, int nb, int p, ConstTile<int> ipiv, ConstPanel<T> S, Panel<T> A, OutTile<T> D);

/// The rows of A that get one of the top's rows, as D has them, get it.
#pragma tla kernel flops(0 * ipiv.m())                                                                                 \
    bound(memory) requires(ipiv.m() <= D.m() && ipiv.n() >= 1 && A.n() <= D.n() && nb >= 1 && p >= 1)
template <typename T>
void laswpScatter(int row, int nb, int p, int first, ConstTile<int> ipiv, ConstTile<T> D, Panel<T> A);

/// A = L U of a tile without pivoting, in place. Returns 0, or j > 0 when pivot j is zero; the factorization stops
/// there.
#pragma tla kernel flops(A.m() >= A.n() ? A.n() * A.n() * (A.m() - A.n() / 3.0)                                        \
                                        : A.m() * A.m() * (A.n() - A.m() / 3.0)) bound(compute)
template <typename T> int getrf_nopiv(Tile<T> A);

/// First round of the tournament (Grigori, Demmel & Xiang, CALU: a communication optimal LU factorization algorithm,
/// SIAM J. Matrix Anal. Appl. 32, 2011): partial pivoting on a copy of A chooses min(A.m(), A.n()) rows. C receives
/// these rows of A as they are, in the order chosen, zeros below; rows(i, 0) the row of the whole matrix, counted from
/// 1, that C(i, :) came from, or 0. C is A.n() x A.n() or larger, `rows` has C.m() elements.
#pragma tla kernel flops(A.n() * A.n() * (A.m() - A.n() / 3.0))                                                        \
    bound(compute) requires(C.m() >= min(A.m(), A.n()) && C.n() >= A.n() && rows.m() == C.m() && rows.n() >= 1)
template <typename T> void tournamentSelect(int row, ConstTile<T> A, OutTile<T> C, OutTile<int> rows);

/// One match: of the candidates C over C2 partial pivoting chooses as many as C has columns (fewer when there are
/// fewer); they and their rows replace C and rows.
#pragma tla kernel flops(5 * C.n() * C.n() * C.n() / 3.0) bound(compute) requires(                                     \
    C2.m() >= rows2.m() && C2.n() >= C.n() && rows.m() == C.m() && rows.n() >= 1 && rows2.n() >= 1)
template <typename T> void tournamentMatch(Tile<T> C, Tile<int> rows, ConstTile<T> C2, ConstTile<int> rows2);

/// The interchanges that bring the chosen rows to the top of the panel that begins at `row`, in order: LAPACK's ipiv.
#pragma tla kernel flops(0 * ipiv.m()) bound(memory) requires(rows.n() >= 1 && ipiv.n() >= 1)
template <typename T> void tournamentPivots(int row, ConstTile<int> rows, ConstTile<T> C, OutTile<int> ipiv);

} // namespace tla
