// B = A^T for real types, a square of vectors at a time in the registers.
#pragma once

#include "kernels/openblas/blocks.hpp"

#include <cstring>
#include <utility>

namespace tla::kernels::openblas {

template <typename T> struct TransposeVector {
  static constexpr int lanes = 64 / sizeof(T);
  typedef T type __attribute__((vector_size(64)));
};

/// Of the pair of rows (i, i + distance), as 2 x 2 blocks of `distance` lanes, the first or second row transposed.
template <int distance, bool second, typename V, int... lane>
[[gnu::always_inline]] inline void exchangeBlocks(const V &a, const V &b, V &out, std::integer_sequence<int, lane...>) {
  constexpr int lanes = sizeof...(lane);
  out = __builtin_shufflevector(
      a, b, (lane & distance ? lanes + lane - (second ? 0 : distance) : lane + (second ? distance : 0))...);
}

/// One of log2(lanes) steps: transposes the square as a matrix of 2 x 2 blocks, each of `distance` x `distance`
/// elements.
template <int distance, typename V, std::size_t lanes> [[gnu::always_inline]] inline void exchange(V (&rows)[lanes]) {
  using Lanes = std::make_integer_sequence<int, lanes>;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < lanes; ++i)
    if (!(i & distance)) {
      const V a = rows[i], b = rows[i + distance];
      exchangeBlocks<distance, false>(a, b, rows[i], Lanes());
      exchangeBlocks<distance, true>(a, b, rows[i + distance], Lanes());
    }
}

template <typename T> [[gnu::always_inline]] inline void transposeSquare(const T *a, int lda, T *b, int ldb) {
  constexpr int lanes = TransposeVector<T>::lanes;
  typename TransposeVector<T>::type rows[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i)
    std::memcpy(&rows[i], a + static_cast<long>(i) * lda, 64);
  exchange<1>(rows);
  exchange<2>(rows);
  exchange<4>(rows);
  if constexpr (lanes == 16)
    exchange<8>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i)
    std::memcpy(b + static_cast<long>(i) * ldb, &rows[i], 64);
}

/// B = A^T element by element.
template <typename T> void transposeByElements(ConstTile<T> A, Tile<T> B) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      B(j, i) = A(i, j);
}

#if defined(__x86_64__)
template <typename T> [[gnu::target("avx512f")]] void transposeAvx512(ConstTile<T> A, Tile<T> B) {
  constexpr int lanes = TransposeVector<T>::lanes;
  const int m = A.m() / lanes * lanes, n = A.n() / lanes * lanes;
  for (int j = 0; j < n; j += lanes)
    for (int i = 0; i < m; i += lanes)
      transposeSquare(&A(i, j), A.ld(), &B(j, i), B.ld());
  transposeByElements(block(A, m, 0, A.m() - m, n), block(B, 0, m, n, A.m() - m));
  transposeByElements(block(A, 0, n, A.m(), A.n() - n), block(B, n, 0, A.n() - n, A.m()));
}
#endif

/// B = A^T; they do not overlap.
template <typename T> void transpose(ConstTile<T> A, Tile<T> B) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return transposeAvx512(A, B);
#endif
  transposeByElements(A, B);
}

} // namespace tla::kernels::openblas
