// Tournament pivoting (Grigori, Demmel & Xiang, CALU, SIAM J. Matrix Anal. Appl. 32, 2011).
#pragma once

#include "kernels/reference/getrf.hpp"

#include <map>
#include <numeric>

namespace tla::reference {

/// C and `rows` receive the rows of `candidates` that partial pivoting chooses, in order, and their numbers; zeros
/// below. factor(Tile<T>, int *ipiv) is getrf of a tile at row 0.
template <typename T, typename Factor>
void chooseRows(ConstTile<T> candidates, const std::vector<int> &numbers, Factor factor, OutTile<T> C,
                OutTile<int> rows) {
  const int m = candidates.m(), n = candidates.n(), k = min(m, n);
  const Scratch<T> copy(m, n);
  copyTile<T>(candidates, copy.tile());
  std::vector<int> ipiv(k), order(m);
  factor(copy.tile(), ipiv.data());
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < k; ++i)
    std::swap(order[i], order[ipiv[i] - 1]);
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) = i < k && j < n ? candidates(order[i], j) : T(0);
  for (int i = 0; i < C.m(); ++i)
    rows(i, 0) = i < k ? numbers[order[i]] : 0;
}

template <typename T, typename Factor>
void tournamentSelect(int row, ConstTile<T> A, Factor factor, OutTile<T> C, OutTile<int> rows) {
  std::vector<int> numbers(A.m());
  std::iota(numbers.begin(), numbers.end(), row + 1);
  chooseRows(A, numbers, factor, C, rows);
}

/// How many candidates there are: behind them the numbers are zero.
inline int candidateCount(ConstTile<int> rows) {
  int count = 0;
  while (count < rows.m() && rows(count, 0) != 0)
    ++count;
  return count;
}

template <typename T, typename Factor>
void tournamentMatch(Tile<T> C, Tile<int> rows, ConstTile<T> C2, ConstTile<int> rows2, Factor factor) {
  const int count = candidateCount(rows), count2 = candidateCount(rows2), n = C.n();
  const Scratch<T> stack(count + count2, n);
  const Tile<T> all = stack.tile();
  std::vector<int> numbers(rows.data(), rows.data() + count);
  numbers.insert(numbers.end(), rows2.data(), rows2.data() + count2);
  for (int j = 0; j < n; ++j) {
    std::copy_n(&C(0, j), count, &all(0, j));
    std::copy_n(&C2(0, j), count2, &all(0, j) + count);
  }
  chooseRows<T>(all, numbers, factor, C, rows);
}

template <typename T> void tournamentSelect(int row, ConstTile<T> A, OutTile<T> C, OutTile<int> rows) {
  tournamentSelect(
      row, A, [](Tile<T> tile, int *ipiv) { getf2(0, tile, ipiv); }, C, rows);
}

template <typename T> void tournamentMatch(Tile<T> C, Tile<int> rows, ConstTile<T> C2, ConstTile<int> rows2) {
  tournamentMatch(C, rows, C2, rows2, [](Tile<T> tile, int *ipiv) { getf2(0, tile, ipiv); });
}

/// Rows are counted from the panel's first. Interchanges move rows, so a chosen row is taken from where it is by then.
template <typename T> void tournamentPivots(int row, ConstTile<int> rows, ConstTile<T>, OutTile<int> ipiv) {
  std::map<int, int> moved, placeOf; // the row at a place and the place of a row, where they differ
  const auto find = [](const std::map<int, int> &map, int key) {
    const auto entry = map.find(key);
    return entry == map.end() ? key : entry->second;
  };
  const int count = candidateCount(rows);
  for (int i = 0; i < ipiv.m(); ++i) {
    const int chosen = i < count ? rows(i, 0) - 1 - row : find(moved, i);
    const int place = find(placeOf, chosen), displaced = find(moved, i);
    ipiv(i, 0) = row + place + 1;
    moved[place] = displaced;
    placeOf[displaced] = place;
    moved[i] = chosen;
    placeOf[chosen] = i;
  }
}

} // namespace tla::reference
