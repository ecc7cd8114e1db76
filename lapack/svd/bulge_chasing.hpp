// From an upper triangular band matrix to a bidiagonal one: the second of two steps to singular values, of which
// algorithms/ge2gb.tla is the first.
#pragma once

#include <tla/types.hpp>

#include <atomic>
#include <vector>

namespace tla::lapack {

/// B = Q D P^H, B upper triangular with a few superdiagonals and D upper bidiagonal and real, by bulges that reflectors
/// of a bandwidth's length chase along the diagonal (B. Lang, Parallel reduction of banded matrices to bidiagonal form,
/// Parallel Computing 22, 1996; A. Haidar, J. Kurzak, P. Luszczek, An improved parallel singular value algorithm and
/// its implementation for multicore hardware, SC13). 8 n^2 bandwidth operations, all of them within three bandwidths of
/// the diagonal. The result does not depend on the number of threads.
template <typename T> class BulgeChasing {
public:
  using Real = RealType<T>;

  /// Takes all the memory there is need for: 3 n bandwidth elements, and n^2 / 2 to apply P later. n, bandwidth >= 1.
  /// Throws std::bad_alloc.
  BulgeChasing(long n, long bandwidth, bool keepsP);

  /// B = the diagonal and the next `bandwidth` superdiagonals of a column-major n x n array, which are finite; what
  /// lies elsewhere is not looked at.
  void load(const T *array, long lda);

  /// D, and C = Q^H C for a C of n x columns, on up to this number of threads, the caller's among them. After load().
  void reduce(int threads, T *C, long columns, long ldc);

  /// C = P C, on up to so many threads; only where P was kept, after reduce().
  void applyP(int threads, T *C, long columns, long ldc) const;

  const std::vector<Real> &diagonal() const { return diagonal_; }           ///< diagonal of D
  const std::vector<Real> &superdiagonal() const { return superdiagonal_; } ///< superdiagonal of D: n - 1 elements

private:
  /// The right-hand sides to which Q^H is applied on the way.
  struct RightHandSides {
    T *C;
    long columns, ldc;
  };

  T *at(long i, long j) { return band_.data() + j * stride_ + (i - j) + 2 * bandwidth_ - 1; }
  long firstOfP(long sweep) const { return sweep * (n_ - 1) - sweep * (sweep - 1) / 2; }
  long chunks(long sweep) const { return (n_ - 1 - sweep + bandwidth_ - 1) / bandwidth_; }
  void work(const RightHandSides &rightHandSides, T *v);
  void waitForGroupBefore(long first, long chunk) const;
  void chase(long sweep, long chunk, const RightHandSides &rightHandSides, T *v);
  void eliminateRow(long sweep, long row, long column, long length, T *v);
  void eliminateColumn(long column, long length, const RightHandSides &rightHandSides, T *v);

  long n_, bandwidth_;
  long stride_;      ///< distance between columns of the band; between columns of a dense block in it one less
  int exponent_ = 0; ///< the band is B 2^-exponent_, so that squares neither overflow nor vanish
  std::vector<T> band_;
  std::vector<T> vectors_; ///< vectors of P, sweep by sweep, each leading one replaced by its factor; or empty
  std::vector<Real> diagonal_, superdiagonal_;

  /// Chunks of two sweeps that follow each other and are that far apart share no element.
  static constexpr long distance = 3;
  static constexpr long largestGroup = 8;
  /// Groups of sweeps are taken in order, each by one thread. done_[g] is the number of chunks that the last sweep of
  /// group g is through: written by its thread with release, and read with acquire by that of the next group, whose
  /// first sweep stays `distance` behind.
  long group_ = 1;
  std::atomic<long> nextSweep_ = 0;
  std::vector<std::atomic<long>> done_;
};

} // namespace tla::lapack
