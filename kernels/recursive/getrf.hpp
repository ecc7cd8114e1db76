// getrf on panels: recursion on the columns (Toledo, Locality of reference in LU decomposition with partial pivoting,
// SIAM J. Matrix Anal. Appl. 18, 1997), so that nearly all of the work is gemm.
#pragma once

#include "kernels/recursive/gathered.hpp"
#include "kernels/recursive/getrf_leaf.hpp"
#include "kernels/recursive/trsm.hpp"

namespace tla::kernels::recursive {

/// The number of columns of a panel of several tiles that are factored as one array: where they are none, they are
/// copied together and back.
inline constexpr int gatheredColumns = 32;
/// One tile is cut into products of so many rows, always: their last bits must not depend on who computes them.
inline constexpr int productRows = 512;

/// A = A - L U, L as many rows as A. Tile by tile even where tiles follow each other in memory: the last bits of a
/// product depend on its height, and must not on where the tiles lie.
template <typename T>
void subtractProduct(const CrewScope &crew, const Tiles<T> &L, ConstTile<T> U, const Tiles<T> &A) {
  constexpr double leastOperations = 2e5; // of a part: some microseconds
  const int tiles = static_cast<int>(A.size()), products = tiles > 1   ? tiles
                                                           : A.empty() ? 0
                                                                       : (A[0].m() + productRows - 1) / productRows;
  const auto subtract = [&](int r) {
    if (tiles > 1)
      return products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), L[r], U, T(1), A[r]);
    const int i = r * productRows, rows = std::min(productRows, A[0].m() - i);
    products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), block(L[0], i, 0, rows, L[0].n()), U, T(1),
                      block(A[0], i, 0, rows, A[0].n()));
  };
  double operations = 0;
  for (const Tile<T> &tile : A)
    operations += 2.0 * tile.m() * tile.n() * U.m();
  const int parts = std::min(products, static_cast<int>(operations / leastOperations));
  if (parts < 2) {
    for (int r = 0; r < products; ++r)
      subtract(r);
    return;
  }
  inParts(crew.crew(), parts, [&](int part) {
    for (int r = partBegin(products, parts, part); r < partBegin(products, parts, part + 1); ++r)
      subtract(r);
  });
}

/// getrf of n columns, n at most the rows of the first tile. The left half is factored, its interchanges and its
/// product are applied to the right half, and what remains of that is factored.
template <typename T> int getrfColumns(const CrewScope &crew, int row, const Tiles<T> &A, int *ipiv) {
  const int n = A[0].n();
  if (A.size() > 1 && n <= gatheredColumns) {
    const Gathered<T> gathered(crew, A);
    const int info = getrfColumns<T>(crew, row, {gathered.whole()}, ipiv);
    gathered.writeBack();
    return info;
  }
  if (n <= getrfLeaf)
    return getrfDirect(row, A[0], ipiv);
  const int h = cut(n, getrfLeaf);
  const ConstTile<T> A11 = block(A[0], 0, 0, h, h);
  const Tile<T> A12 = block(A[0], 0, h, h, n - h);
  const Tiles<T> A21 = window(A, h, 0, h), A22 = window(A, h, h, n - h);
  const int leftInfo = getrfColumns(crew, row, window(A, 0, 0, h), ipiv);
  swapRows(crew.crew(), row, ipiv, h, window(A, 0, h, n - h));
  recursive::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), A11, A12);
  subtractProduct<T>(crew, A21, A12, A22);
  const int rightInfo = getrfColumns(crew, row + h, A22, ipiv + h);
  swapRows(crew.crew(), row + h, ipiv + h, n - h, A21);
  return leftInfo ? leftInfo : rightInfo ? h + rightInfo : 0;
}

/// getrf of a panel whose first tile holds the k rows of U. With more columns than rows the square part comes first.
template <typename T> int getrfTiles(const CrewScope &crew, int row, const Tiles<T> &A, int k, int *ipiv) {
  const int n = A[0].n(), info = getrfColumns(crew, row, window(A, 0, 0, k), ipiv);
  if (k < n) {
    const Tiles<T> rest = window(A, 0, k, n - k);
    swapRows(crew.crew(), row, ipiv, k, rest);
    recursive::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), block(A[0], 0, 0, k, k), rest[0]);
  }
  return info;
}

template <typename T> int getrf(int row, Panel<T> A, OutTile<int> ipiv) {
  const int k = min(A.m(), A.n());
  if (k == 0)
    return 0;
  const CrewScope crew(1.0 * A.m() * k * k);
  const Tiles<T> tiles = tilesOf(A);
  if (tiles[0].m() >= k)
    return getrfTiles(crew, row, tiles, k, ipiv.data());
  const Gathered<T> gathered(crew, tiles);
  const int info = getrfTiles<T>(crew, row, {gathered.whole()}, k, ipiv.data());
  gathered.writeBack();
  return info;
}

} // namespace tla::kernels::recursive
