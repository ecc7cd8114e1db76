// Filling in the triangle of a symmetric or Hermitian tile that is not stored.
#pragma once

#include "kernels/reference/symm.hpp"

#include <algorithm>

namespace tla::kernels::recursive {

/// B = A with both triangles filled in: symmetric for mirror = Trans, Hermitian for ConjTrans. Eight columns at a time:
/// short contiguous writes to the rows they become.
template <typename T> void fillMirrored(Uplo uplo, Op mirror, ConstTile<T> A, Tile<T> B) {
  const int n = A.n();
  for (int begin = 0; begin < n; begin += 8)
    for (int i = begin; i < n; ++i)
      for (int j = begin; j < std::min(begin + 8, i + 1); ++j) {
        B(i, j) = reference::mirroredElement(uplo, mirror, A, i, j);
        B(j, i) = reference::applied(mirror, B(i, j));
      }
}

} // namespace tla::kernels::recursive
