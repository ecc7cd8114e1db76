// Bidiagonal matrices for singular values alone and for least squares: A is reduced in two steps, to a band on tiles
// (algorithms/ge2gb.tla) and from there by chasing bulges, where LAPACK's gebrd spends half of its operations in
// products with a vector, at the speed of the memory.
#pragma once

#include "lapack/algorithms.hpp"
#include "lapack/call.hpp"
#include "lapack/magnitude.hpp"
#include "lapack/svd/bulge_chasing.hpp"

#include <vector>

namespace tla::lapack {

inline constexpr int singularValuesTiledFrom = 480; // against OpenBLAS 0.3.31: level at 400, 1.5 times as fast at 700
/// The largest bandwidth, which is the order of tiles for singular values alone. The second step takes the longer the
/// larger it is.
inline constexpr int bandwidth = 64;

/// True for what is left to LAPACK: matrices that gelsd scales, of zeros, and with NaN or infinity in them.
template <typename T> bool isUnusual(const T *a, long m, long n, long lda) {
  return needsScaling(a, m, n, lda) || hasNan(a, m, n, lda);
}

/// A = Q1 B P1^H, B = Q2 D P2^H, of an m x n matrix with m >= n. A tall one becomes its triangular factor first.
template <typename T> class Bidiagonalization {
public:
  using Real = RealType<T>;

  /// Takes the memory.
  Bidiagonalization(Tiles &tiles, T *a, long m, long n, long lda, bool keepsP)
      : tiles_(tiles), a_(a), m_(m), n_(n), lda_(lda), isTall_(3 * m > 5 * n), tauq_(n), taup_(n),
        taur_(isTall_ ? n : 0), r_(isTall_ ? n * n : 0), chasing_(n, tiles.nb(), keepsP) {}

  /// D, and C = Q^H C for the columns of C.
  void reduce(T *C, long columns, long ldc) {
    if (isTall_)
      reduceToTriangle(C, columns, ldc);
    tiles_.run(algorithm::ge2gb<T>(), {square(), vectorOf(tauq_), vectorOf(taup_)});
    if (columns > 0)
      applyQ(square(), tauq_, isTall_ ? n_ : m_, C, columns, ldc);
    chasing_.load(isTall_ ? r_.data() : a_, isTall_ ? n_ : lda_);
    chasing_.reduce(tiles_.threads(), C, columns, ldc);
  }

  void applyP(T *C, long columns, long ldc) {
    chasing_.applyP(tiles_.threads(), C, columns, ldc);
    tiles_.run(algorithm::ge2gb_p<T>(), {square(), vectorOf(taup_), tiles_.general(C, n_, columns, ldc)});
  }

  const std::vector<Real> &diagonal() const { return chasing_.diagonal(); }
  const std::vector<Real> &superdiagonal() const { return chasing_.superdiagonal(); }

private:
  /// The matrix that ge2gb reduces: square unless it is a little taller than wide.
  StorageRef square() const {
    return isTall_ ? tiles_.general(r_.data(), n_, n_, n_) : tiles_.general(a_, m_, n_, lda_);
  }
  StorageRef vectorOf(const std::vector<T> &tau) const { return tiles_.general(tau.data(), n_, 1, n_); }

  void applyQ(const StorageRef &vectors, const std::vector<T> &tau, long rows, T *C, long columns, long ldc) {
    tiles_.run(algorithm::ormqr<T>(), {vectors, vectorOf(tau), tiles_.general(C, rows, columns, ldc)},
               {asScalar(Side::Left), asScalar(Op::ConjTrans)});
  }

  void reduceToTriangle(T *C, long columns, long ldc) {
    const StorageRef A = tiles_.general(a_, m_, n_, lda_);
    tiles_.run(algorithm::geqrf<T>(), {A, vectorOf(taur_)});
    if (columns > 0)
      applyQ(A, taur_, m_, C, columns, ldc);
    for (long j = 0; j < n_; ++j)
      std::copy_n(a_ + j * lda_, j + 1, r_.data() + j * n_);
  }

  Tiles &tiles_;
  T *a_;
  long m_, n_, lda_;
  bool isTall_;
  std::vector<T> tauq_, taup_, taur_;
  std::vector<T> r_; ///< the triangular factor of a tall A
  BulgeChasing<T> chasing_;
};

} // namespace tla::lapack
