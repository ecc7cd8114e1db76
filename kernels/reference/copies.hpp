// Copies of tiles and constants in them (omatcopy; LAPACK: laset).
#pragma once

#include "kernels/reference/scalar.hpp"

namespace tla::reference {

/// With alpha = 0 A is not read. Where op transposes, eight columns of A at a time: short contiguous writes.
template <typename T> void omatcopy(Op op, T alpha, ConstTile<T> A, OutTile<T> B) {
  const int together = op == Op::NoTrans ? max(1, B.m()) : 8;
  for (int begin = 0; begin < B.m(); begin += together)
    for (int j = 0; j < B.n(); ++j)
      for (int i = begin; i < min(begin + together, B.m()); ++i)
        B(i, j) = alpha == T(0) ? T(0) : alpha == T(1) ? element(op, A, i, j) : alpha * element(op, A, i, j);
}

template <typename T> void laset(T offDiagonal, T diagonal, OutTile<T> A) {
  for (int j = 0; j < A.n(); ++j) {
    const int begin = A.region() == Region::Lower ? min(j + 1, A.m()) : 0;
    const int end = A.region() == Region::Upper ? min(j + 1, A.m()) : A.m();
    for (int i = begin; i < end; ++i)
      A(i, j) = i == j ? diagonal : offDiagonal;
  }
}

} // namespace tla::reference
