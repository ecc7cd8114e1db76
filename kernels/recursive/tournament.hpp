// Tournament pivoting with getrf of this folder.
#pragma once

#include "kernels/recursive/getrf.hpp"
#include "kernels/reference/tournament.hpp"

namespace tla::kernels::recursive {

template <typename T> void factorCandidates(Tile<T> A, int *ipiv) {
  if (const int k = min(A.m(), A.n()))
    getrfTiles<T>(CrewScope(0), 0, {A}, k, ipiv);
}

template <typename T> void tournamentSelect(int row, ConstTile<T> A, OutTile<T> C, OutTile<int> rows) {
  reference::tournamentSelect(row, A, &factorCandidates<T>, C, rows);
}

template <typename T> void tournamentMatch(Tile<T> C, Tile<int> rows, ConstTile<T> C2, ConstTile<int> rows2) {
  reference::tournamentMatch(C, rows, C2, rows2, &factorCandidates<T>);
}

} // namespace tla::kernels::recursive
