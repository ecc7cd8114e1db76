// Singular values with vectors on tiles, for all jobs of gesdd and gesvd: runs of algorithms/gesvd.tla, after a QR or
// LQ factorization where A is not square.
#pragma once

#include "lapack/call.hpp"
#include "lapack/tiles.hpp"

namespace tla::lapack {

// The smallest min(m, n) whose vectors are computed on tiles, against OpenBLAS 0.3.21 on two busy cores: square
// ones 1.17 times as fast at 1000, 1.27 times at 2000. By processor time against OpenBLAS on one thread: 1.5 times as
// fast at 1000 x 200, 2.1 times at 2000 x 300, 1.36 times at 800 x 600, 0.9 times at 500 x 500.
inline constexpr int vectorsTiledFrom = 600, tallVectorsTiledFrom = 200;

/// Returns that smallest dimension for a matrix of this shape.
inline int leastForVectors(long larger, long k) { return larger >= 2 * k ? tallVectorsTiledFrom : vectorsTiledFrom; }

/// The singular vectors of one side that a call asks for, and where they go: to an array of their own or, where jobs
/// are 'O', to the place of A.
template <typename T> struct VectorsOfSide {
  enum class Count { None, Economic, All };
  Count count;
  T *array;
  long ld;
};

/// Returns what a job of gesvd asks for on one side, or gesdd's on both.
template <typename T> VectorsOfSide<T> vectorsOf(const char *job, T *array, long ld, T *a, long lda) {
  using Count = typename VectorsOfSide<T>::Count;
  if (is(job, 'O'))
    return {Count::Economic, a, lda};
  return {is(job, 'A') ? Count::All : is(job, 'S') ? Count::Economic : Count::None, array, ld};
}

/// The caller's array.
template <typename T> struct SvdMatrix {
  T *a;
  long m, n, lda;
  long least() const { return std::min(m, n); }
};

/// Writes the min(m, n) singular values of A to s, and the vectors that are wanted; A is overwritten. Returns info > 0
/// where they were not found. Throws NotStarted where A is as it was.
template <typename T>
int singularVectors(Tiles &tiles, const SvdMatrix<T> &A, RealType<T> *s, const VectorsOfSide<T> &left,
                    const VectorsOfSide<T> &right);

} // namespace tla::lapack
