// Cutting tiles into blocks.
#pragma once

#include <tla/tile.hpp>

#include <algorithm>

namespace tla::kernels::recursive {

/// Rows [i, i + m) and columns [j, j + n) of A.
template <typename T> ConstTile<T> block(ConstTile<T> A, int i, int j, int m, int n) {
  return {const_cast<T *>(A.data()) + i + static_cast<long>(j) * A.ld(), m, n, A.ld()};
}
template <typename T> Tile<T> block(Tile<T> A, int i, int j, int m, int n) {
  return {A.data() + i + static_cast<long>(j) * A.ld(), m, n, A.ld()};
}

/// The block of A for which op(block) is rows [i, i + m) and columns [j, j + n) of op(A).
template <typename T> ConstTile<T> block(Op op, ConstTile<T> A, int i, int j, int m, int n) {
  return op == Op::NoTrans ? block(A, i, j, m, n) : block(A, j, i, n, m);
}

/// The size of the blocks that `size` is cut into: as few as `most` allows, all but the last of one size, which is a
/// multiple of `multiple`, so that no sliver is left at the end.
constexpr int evenBlock(int size, int most, int multiple) {
  const int count = (size + most - 1) / most;
  const int even = count ? (size + count - 1) / count : most;
  return (even + multiple - 1) / multiple * multiple;
}

/// Where a recursion cuts `size` in two: near the middle, at a multiple of `multiple` where that leaves two parts.
constexpr int cut(int size, int multiple) {
  const int half = (size / 2 + multiple - 1) / multiple * multiple;
  return half < size ? half : size / 2;
}

} // namespace tla::kernels::recursive
