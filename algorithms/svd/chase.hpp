// Kernels of gb2bd: an upper triangular band, in tiles of columns, becomes bidiagonal by chasing bulges of whole rows
// and columns, as eigen/chase.hpp does it with a Hermitian one (LAPACK: gbbrd; PLASMA: gbbrd_static).
#pragma once
#include "../eigen/reflector.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tla/tla.hpp>

namespace svd {

/// t[k] = conj(tau) v^H column k of E for C columns from k on.
template <int C, typename T>
inline void dotColumns(const eigen::BandBlock<T> &E, int k, const eigen::BlockVector<T> &v, T tau, T *t) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = eigen::partsOf<T>;
  Vec sums[C][P];
  for (int j = 0; j < C; ++j)
    for (int p = 0; p < P; ++p)
      sums[j][p] = Vec::zero();
  for (int i = 0; i < E.m * P; i += Vec::lanes)
    for (int p = 0; p < P; ++p) {
      const Vec vv = Vec::load(v.part(p) + i);
      for (int j = 0; j < C; ++j)
        sums[j][p] = fma(vv, Vec::load(eigen::realsOf(E.column[k + j]) + i), sums[j][p]);
    }
  for (int j = 0; j < C; ++j) {
    T dot; // v^H x: the product with i v is its imaginary part
    for (int p = 0; p < P; ++p)
      eigen::realsOf(&dot)[p] = sums[j][p].sum();
    t[k + j] = eigen::conj(tau) * dot;
  }
}

/// C columns of E, from k on, become those of E - v t^T - a u^H.
template <int C, typename T>
inline void updateColumns(const eigen::BandBlock<T> &E, int k, const eigen::BlockVector<T> &v, const T *t,
                          const eigen::BlockVector<T> &a, const eigen::BlockVector<T> &u) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = eigen::partsOf<T>;
  Vec byV[C][P], byA[C][P];
  for (int j = 0; j < C; ++j) {
    const T uk = eigen::conj(u[k + j]);
    for (int p = 0; p < P; ++p) {
      byV[j][p] = Vec(-eigen::realsOf(&t[k + j])[p]);
      byA[j][p] = Vec(-eigen::realsOf(&uk)[p]);
    }
  }
  for (int i = 0; i < E.m * P; i += Vec::lanes) {
    Vec vv[P], aa[P];
    for (int p = 0; p < P; ++p) {
      vv[p] = Vec::load(v.part(p) + i);
      aa[p] = Vec::load(a.part(p) + i);
    }
    for (int j = 0; j < C; ++j) {
      Real *const c = eigen::realsOf(E.column[k + j]) + i;
      Vec x = Vec::load(c);
      for (int p = 0; p < P; ++p)
        x = fma(aa[p], byA[j][p], fma(vv[p], byV[j][p], x));
      x.store(c);
    }
  }
}

/// One task of the chase: sweep s makes row s bidiagonal; its chunk c reflects the columns, and then the rows, s + 1 +
/// c b and on, b of them. The first chunk's right reflector is one of row s; each other one removes the bulge that the
/// left reflector of the one before made to the right of the band, but for the bulge's rows below the first: later
/// sweeps remove these. The left one removes the first column of what the right one makes below the diagonal.
template <typename T> class Chase {
public:
  /// B has the tiles of the band from tile `tile` on, L and R those of the left and right vectors from chunk `chunkV`
  /// on.
  Chase(int n, int tile, int chunkV, tla::Panel<T> B, tla::Panel<T> L, tla::Panel<T> R)
      : n_(n), b_(B.n()), tile_(tile), chunkV_(chunkV), B_(B), L_(L), R_(R), block_(b_), u_(b_), v_(b_), w_(b_),
        t_(b_) {}

  /// Returns false where the chunk lies behind the matrix.
  bool reflectChunk(int s, int c) {
    const int row = s + 1 + c * b_, length = std::min(b_, n_ - row);
    if (length < 1)
      return false;
    const T right = c == 0 ? startSweep(s, length) : removeBulge(s, c, row, length);
    keep(R_, s, c, right, u_, length);
    block_.m = block_.n = length;
    for (int k = 0; k < length; ++k)
      block_.column[k] = at(row, row + k);
    timesVector(block_, u_, right, w_);
    for (int i = 0; i < length; ++i)
      v_[i] = block_.column[0][i] - w_[i];
    const T left = reflectColumn(block_.column[0], length, v_);
    reflectLeft(block_, w_, u_, v_, left);
    keep(L_, s, c, left, v_, length);
    return true;
  }

private:
  /// Element (i, j) of the band: column j has the rows from j - 2 b on.
  T *at(int i, int j) const {
    const tla::Tile<T> t = B_(j / b_ - tile_);
    return t.data() + (i - j + 2 * b_) + static_cast<long>(j % b_) * t.ld();
  }
  /// Where the vector of a sweep's chunk is, with tau for the one that it begins with.
  T *vector(const tla::Panel<T> &V, int s, int c) const { return &V(c - chunkV_)(0, s % b_); }
  void keep(const tla::Panel<T> &V, int s, int c, T tau, const eigen::BlockVector<T> &x, int length) const {
    T *const kept = vector(V, s, c);
    kept[0] = tau;
    std::copy(x.x.data() + 1, x.x.data() + length, kept + 1);
  }

  /// u_ = the reflector of the conjugate of the elements that u_ has.
  T reflectRow(int length, T &beta) {
    for (int k = 0; k < length; ++k)
      u_[k] = eigen::conj(u_[k]);
    const T tau = eigen::reflector(length, u_.x.data());
    beta = u_[0];
    u_[0] = 1;
    u_.finish(length);
    return tau;
  }
  T startSweep(int s, int length) {
    T beta;
    for (int k = 0; k < length; ++k)
      u_[k] = *at(s, s + 1 + k);
    const T tau = reflectRow(length, beta);
    for (int k = 0; k < length; ++k)
      *at(s, s + 1 + k) = k == 0 ? beta : T(0);
    return tau;
  }
  /// The block E to the right of the diagonal block that the chunk before has reflected becomes H^H E (I - tau u u^H),
  /// H that chunk's left reflector, u that of the first row.
  T removeBulge(int s, int c, int row, int length) {
    const T *const before = vector(L_, s, c - 1);
    const T tauBefore = before[0];
    v_[0] = 1;
    std::copy(before + 1, before + b_, v_.x.data() + 1);
    v_.finish(b_);
    block_.m = b_, block_.n = length;
    for (int k = 0; k < length; ++k)
      block_.column[k] = at(row - b_, row + k);
    int k = 0;
    for (; k + 4 <= length; k += 4)
      dotColumns<4>(block_, k, v_, tauBefore, t_.data());
    for (; k < length; ++k)
      dotColumns<1>(block_, k, v_, tauBefore, t_.data());
    for (int j = 0; j < length; ++j)
      u_[j] = block_.column[j][0] - t_[j];
    T beta;
    const T tau = reflectRow(length, beta);
    timesVector(block_, u_, tau, w_);
    T product = 0;
    for (int j = 0; j < length; ++j)
      product += t_[j] * u_[j];
    for (int i = 0; i < b_; ++i)
      w_[i] -= tau * product * v_[i];
    w_.finish(b_);
    for (k = 0; k + 4 <= length; k += 4)
      updateColumns<4>(block_, k, v_, t_.data(), w_, u_);
    for (; k < length; ++k)
      updateColumns<1>(block_, k, v_, t_.data(), w_, u_);
    for (int j = 0; j < length; ++j)
      block_.column[j][0] = j == 0 ? beta : T(0);
    return tau;
  }

  const int n_, b_, tile_, chunkV_;
  const tla::Panel<T> B_, L_, R_;
  eigen::BandBlock<T> block_;
  eigen::BlockVector<T> u_, v_, w_;
  std::vector<T> t_;
};

} // namespace svd

/// B = a tile of the band's columns: column c has the elements of the band from 2 b rows above the diagonal on, those
/// of the upper triangle of D and of the lower one of E, the tile above it, but for the `first` one. The other rows are
/// zero: bulges come there.
#pragma tla kernel bound(memory) requires(B.m() >= 3 * B.n() + 16)
template <typename T> void bidiagonalBandTile(int first, tla::ConstTile<T> E, tla::ConstTile<T> D, tla::OutTile<T> B) {
  const int b = B.n();
  for (int c = 0; c < b; ++c) {
    std::fill_n(&B(0, c), B.m(), T(0));
    if (c >= D.n())
      continue;
    for (int i = 0; i <= c && i < D.m(); ++i)
      B(i - c + 2 * b, c) = D(i, c);
    for (int i = c; first == 0 && i < E.m(); ++i)
      B(i - c + b, c) = E(i, c);
  }
}

/// The parallelogram of the sweeps first .. first + sweeps - 1 and, of the first of them, the chunks chunk .. chunk +
/// chunks - 1; of each next one the chunks are further to the left by one. B has the tiles of the band from tile `tile`
/// on; L and R those of the left and right vectors from chunk `chunkV` on, one column for a sweep, in row 0 tau for its
/// 1.
#pragma tla kernel bound(compute) flops(16.0 * sweeps * chunks * B.n() * B.n())
template <typename T>
void chaseBidiagonal(int n, int first, int sweeps, int chunk, int chunks, int tile, int chunkV, tla::Panel<T> B,
                     tla::Panel<T> L, tla::Panel<T> R) {
  svd::Chase<T> task(n, tile, chunkV, B, L, R);
  for (int l = 0; l < sweeps; ++l)
    for (int c = std::max(0, chunk - l); c < chunk + chunks - l; ++c)
      if (!task.reflectChunk(first + l, c))
        break;
}

/// d, e = diagonal and superdiagonal of the bidiagonal matrix; Next is the tile behind B, or B where it is the last.
#pragma tla kernel bound(memory)
template <typename T>
void bidiagonalElements(tla::ConstTile<T> B, tla::ConstTile<T> Next, tla::OutTile<tla::RealType<T>> d,
                        tla::OutTile<tla::RealType<T>> e) {
  const int b = B.n();
  for (int i = 0; i < d.m(); ++i) {
    d(i, 0) = std::real(B(2 * b, i));
    e(i, 0) = std::real(i + 1 < b ? B(2 * b - 1, i + 1) : Next(2 * b - 1, 0));
  }
}
