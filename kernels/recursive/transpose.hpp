// B = A^T for real types, a square of vectors at a time in the registers.
#pragma once

#include "kernels/recursive/blocks.hpp"
#include "kernels/vectors/isa.hpp"

#include <cstring>
#include <utility>

namespace tla::kernels::recursive {

using vectors::WideVector, vectors::vectorized;

/// One exchange of a transposition: of the 2 x 2 blocks of size `step` that x and y hold, those off the diagonal.
template <int step, typename Vector, std::size_t... lane>
[[gnu::always_inline]] inline void exchangeBlocks(Vector &x, Vector &y, std::index_sequence<lane...>) {
  constexpr std::size_t lanes = sizeof...(lane);
  const Vector a = x, b = y;
  x = __builtin_shufflevector(a, b, (lane & step ? lanes + lane - step : lane)...);
  y = __builtin_shufflevector(a, b, (lane & step ? lanes + lane : lane + step)...);
}

/// Transposes as many vectors as a vector has lanes (Eklundh, A fast computer method for matrix transposing, IEEE
/// Trans. Computers 21, 1972).
template <typename T, typename Vector, int step = sizeof(Vector) / sizeof(T) / 2>
[[gnu::always_inline]] inline void transposeVectors(Vector *x) {
  constexpr int lanes = sizeof(Vector) / sizeof(T);
  if constexpr (step > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i)
      if (!(i & step))
        exchangeBlocks<step>(x[i], x[i + step], std::make_index_sequence<lanes>());
    transposeVectors<T, Vector, step / 2>(x);
  }
}

template <typename T> [[gnu::always_inline]] inline void transposeSquare(const T *a, long lda, T *b, long ldb) {
  constexpr int lanes = WideVector<T>::lanes;
  typename WideVector<T>::type rows[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i)
    std::memcpy(&rows[i], a + i * lda, 64);
  transposeVectors<T>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i)
    std::memcpy(b + i * ldb, &rows[i], 64);
}

/// B = A^T element by element.
template <typename T> void transposeByElements(ConstTile<T> A, Tile<T> B) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      B(j, i) = A(i, j);
}

#if defined(__x86_64__)
template <typename T> [[gnu::target("avx512f")]] void transposeAvx512(ConstTile<T> A, Tile<T> B) {
  constexpr int lanes = WideVector<T>::lanes;
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
  if (vectors::supports(vectors::Isa::Avx512))
    return transposeAvx512(A, B);
#endif
  transposeByElements(A, B);
}

} // namespace tla::kernels::recursive
