// Kernels of hb2st: a Hermitian band, in tiles of columns, becomes tridiagonal by chasing bulges of whole columns (A.
// Haidar, H. Ltaief, J. Dongarra, Parallel reduction to condensed forms for symmetric eigenvalue problems using
// aggregated fine-grained and memory-aware kernels, SC 2011; LAPACK: hb2st_kernels).
#pragma once
#include "reflector.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tla/tla.hpp>

namespace eigen {

/// One task of the chase: sweep s makes column s tridiagonal; its chunk c reflects the rows s + 1 + c b and on, b of
/// them. The first chunk makes a reflector of column s, each other one removes the bulge that the one before made below
/// the band, but for the bulge's columns behind the first: later sweeps remove these.
template <typename T> class Chase {
public:
  /// B has the tiles of the band from tile `tile` on, V those of the vectors from chunk `chunkV` on.
  Chase(int n, int tile, int chunkV, tla::Panel<T> B, tla::Panel<T> V)
      : n_(n), b_(B.n()), tile_(tile), chunkV_(chunkV), B_(B), V_(V), block_(b_), u_(b_), v_(b_), w_(b_), space_(b_) {}

  /// Returns false where the chunk lies behind the matrix.
  bool reflectChunk(int s, int c) {
    const int row = s + 1 + c * b_, length = std::min(b_, n_ - row);
    if (length < 1)
      return false;
    T tau;
    if (c == 0)
      tau = startSweep(s, length);
    else
      tau = removeBulge(s, c, row, length);
    T *const kept = vector(s, c);
    kept[0] = tau;
    std::copy(v_.x.data() + 1, v_.x.data() + length, kept + 1);
    block_.m = block_.n = length;
    for (int k = 0; k < length; ++k)
      block_.column[k] = at(row + k, row + k);
    reflectBoth(block_, v_, tau, w_, space_);
    return true;
  }

private:
  /// Element (i, j) of the band.
  T *at(int i, int j) const {
    const tla::Tile<T> t = B_(j / b_ - tile_);
    return t.data() + (i - j) + static_cast<long>(j % b_) * t.ld();
  }
  /// Where the vector of a sweep's chunk is, with tau for the one that it begins with.
  T *vector(int s, int c) const { return &V_(c - chunkV_)(0, s % b_); }

  T startSweep(int s, int length) {
    T *const x = at(s + 1, s);
    std::copy(x, x + length, v_.x.data());
    return reflectColumn(x, length, v_);
  }
  /// The block E below the diagonal block that the chunk before has reflected becomes H^H E (I - tau u u^H), u and tau
  /// that chunk's, H the reflector of its first column.
  T removeBulge(int s, int c, int row, int length) {
    const T *const before = vector(s, c - 1);
    const T tauBefore = before[0];
    u_[0] = 1;
    std::copy(before + 1, before + b_, u_.x.data() + 1);
    u_.finish(b_);
    block_.m = length, block_.n = b_;
    for (int k = 0; k < b_; ++k)
      block_.column[k] = at(row, row - b_ + k);
    timesVector(block_, u_, tauBefore, w_);
    for (int i = 0; i < length; ++i)
      v_[i] = block_.column[0][i] - w_[i];
    const T tau = reflectColumn(block_.column[0], length, v_);
    reflectLeft(block_, w_, u_, v_, tau);
    return tau;
  }

  const int n_, b_, tile_, chunkV_;
  const tla::Panel<T> B_, V_;
  BandBlock<T> block_;
  BlockVector<T> u_, v_, w_, space_;
};

} // namespace eigen

/// B = a tile of the band's columns: column c has the elements (c + r, c) of the band in its rows r, those of the lower
/// triangle of D and of the upper one of S, the tile below it. Rows behind them are zero: a bulge comes there.
#pragma tla kernel bound(memory) requires(B.m() >= 2 * D.n() + 16)
template <typename T> void bandTile(tla::ConstTile<T> D, tla::ConstTile<T> S, tla::OutTile<T> B) {
  for (int c = 0; c < B.n(); ++c)
    for (int r = 0; r < B.m(); ++r) {
      const int i = c + r, below = i - D.m();
      B(r, c) = c >= D.n() ? T(0) : i < D.m() ? D(i, c) : below < S.m() && below <= c ? S(below, c) : T(0);
    }
}

/// bandTile of the last columns.
#pragma tla kernel bound(memory) requires(B.m() >= 2 * D.n() + 16)
template <typename T> void bandTileLast(tla::ConstTile<T> D, tla::OutTile<T> B) {
  for (int c = 0; c < B.n(); ++c)
    for (int r = 0; r < B.m(); ++r)
      B(r, c) = c < D.n() && c + r < D.m() ? D(c + r, c) : T(0);
}

/// The parallelogram of the sweeps first .. first + sweeps - 1 and, of the first of them, the chunks chunk .. chunk +
/// chunks - 1; of each next one the chunks are further to the left by one. B has the tiles of the band from tile `tile`
/// on; V those of the vectors from chunk `chunkV` on, one column for a sweep, in row 0 tau for its 1.
#pragma tla kernel bound(compute) flops(12.0 * sweeps * chunks * B.n() * B.n())
template <typename T>
void chase(int n, int first, int sweeps, int chunk, int chunks, int tile, int chunkV, tla::Panel<T> B,
           tla::Panel<T> V) {
  eigen::Chase<T> task(n, tile, chunkV, B, V);
  for (int l = 0; l < sweeps; ++l)
    for (int c = std::max(0, chunk - l); c < chunk + chunks - l; ++c)
      if (!task.reflectChunk(first + l, c))
        break;
}

/// d, e = diagonal and subdiagonal of the tridiagonal matrix.
#pragma tla kernel bound(memory)
template <typename T>
void bandDiagonals(tla::ConstTile<T> B, tla::OutTile<tla::RealType<T>> d, tla::OutTile<tla::RealType<T>> e) {
  for (int i = 0; i < d.m(); ++i)
    d(i, 0) = std::real(B(0, i)), e(i, 0) = std::real(B(1, i));
}
