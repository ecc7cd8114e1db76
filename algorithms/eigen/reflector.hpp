// Householder reflectors and their application to blocks of a band, as the bulge chasing needs them. Complex numbers
// are pairs of real ones to the vector code: of each vector x that multiplies a column it has i x, too, so that a
// complex number times x is a sum of two real ones times vectors.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <tla/tla.hpp>
#include <tla/vec.hpp>
#include <vector>

namespace eigen {

template <typename T> inline constexpr int partsOf = sizeof(T) / sizeof(tla::RealType<T>);
template <typename T> inline T conj(T x) {
  if constexpr (tla::isComplex<T>)
    return std::conj(x);
  else
    return x;
}
/// The real numbers of a vector.
template <typename T> inline tla::RealType<T> *realsOf(T *x) { return reinterpret_cast<tla::RealType<T> *>(x); }
template <typename T> inline const tla::RealType<T> *realsOf(const T *x) {
  return reinterpret_cast<const tla::RealType<T> *>(x);
}

/// Elements behind a column that the vector code reads, and writes as they were.
inline constexpr int behindColumn = 16;

/// A vector x, zero behind its elements, and i x if it is complex.
template <typename T> struct BlockVector {
  using Real = tla::RealType<T>;
  std::vector<T> x, ix;

  /// Room for `most` elements.
  explicit BlockVector(int most) : x(most + behindColumn), ix(tla::isComplex<T> ? most + behindColumn : 0) {}

  T &operator[](int i) { return x[i]; }
  T operator[](int i) const { return x[i]; }
  /// The real numbers of x (part 0) and of i x (part 1).
  const Real *part(int p) const { return realsOf((p == 0 ? x : ix).data()); }

  /// Sets what is behind the first `length` elements, and i x.
  void finish(int length) {
    std::fill_n(x.begin() + length, behindColumn, T(0));
    if constexpr (tla::isComplex<T>)
      for (int i = 0; i < length + behindColumn; ++i)
        ix[i] = T(-x[i].imag(), x[i].real());
  }
};

/// The factor by which x must be multiplied so that the squares of its elements neither overflow nor vanish: 1 where
/// they do not.
template <typename T> inline tla::RealType<T> safeScale(int length, const T *x, tla::RealType<T> squares) {
  using Real = tla::RealType<T>;
  constexpr Real least = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  if (squares >= least && squares <= 1 / least)
    return 1;
  Real largest = 0;
  for (int i = 0; i < length; ++i)
    largest = std::max({largest, std::abs(std::real(x[i])), std::abs(std::imag(x[i]))});
  if (largest == 0 || !std::isfinite(largest))
    return 1;
  const int exponent = std::clamp(-std::ilogb(largest), std::numeric_limits<Real>::min_exponent,
                                  std::numeric_limits<Real>::max_exponent - 1);
  return std::scalbn(Real(1), exponent);
}

template <typename T> inline tla::RealType<T> sumOfSquares(int length, const T *x) {
  using Vec = tla::Vec<tla::RealType<T>>;
  const tla::RealType<T> *reals = realsOf(x);
  const int count = length * partsOf<T>;
  Vec sums = Vec::zero();
  int i = 0;
  for (; i + Vec::lanes <= count; i += Vec::lanes)
    sums = fma(Vec::load(reals + i), Vec::load(reals + i), sums);
  tla::RealType<T> sum = sums.sum();
  for (; i < count; ++i)
    sum += reals[i] * reals[i];
  return sum;
}

/// H = I - tau v v^H, v(0) = 1, with H^H x = (beta, 0, ...), beta real (LAPACK: larfg). x becomes v but for x(0), which
/// becomes beta. Returns tau. `length` >= 1.
template <typename T> inline T reflector(int length, T *x) {
  using Real = tla::RealType<T>;
  Real squares = sumOfSquares(length - 1, x + 1);
  const Real scale = safeScale(length, x, squares + std::norm(x[0]));
  if (scale != 1) {
    for (int i = 0; i < length; ++i)
      x[i] *= scale;
    squares = sumOfSquares(length - 1, x + 1);
  }
  const T alpha = x[0];
  T tau = 0;
  if (squares != 0 || std::imag(alpha) != 0) {
    const Real beta = -std::copysign(std::sqrt(std::norm(alpha) + squares), std::real(alpha));
    const T inverse = T(1) / (alpha - beta);
    for (int i = 1; i < length; ++i)
      x[i] *= inverse;
    x[0] = beta;
    tau = (T(beta) - alpha) / beta;
    if constexpr (tla::isComplex<T>)
      tau = {(beta - alpha.real()) / beta, -alpha.imag() / beta};
  }
  if (scale != 1)
    x[0] /= scale;
  return tau;
}

/// Column x becomes (beta, 0, ...), v the reflector that does it. Returns its tau; v has the column before.
template <typename T> inline T reflectColumn(T *x, int length, BlockVector<T> &v) {
  const T tau = reflector(length, v.x.data());
  x[0] = v[0];
  std::fill(x + 1, x + length, T(0));
  v[0] = 1;
  v.finish(length);
  return tau;
}

/// A block of the band: `n` columns of m rows, each somewhere in memory, with behindColumn elements behind it that may
/// be written as they were.
template <typename T> struct BandBlock {
  int m = 0, n = 0;
  std::vector<T *> column;
  /// Room for `most` columns.
  explicit BandBlock(int most) : column(most) {}
};

/// Rows first .. first + V vectors of a = E v tau.
template <int V, typename T>
inline void timesVectorRows(const BandBlock<T> &E, int first, const BlockVector<T> &v, T tau, T *a) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = partsOf<T>;
  Vec sums[P][V];
  for (int p = 0; p < P; ++p)
    for (int r = 0; r < V; ++r)
      sums[p][r] = Vec::zero();
  for (int k = 0; k < E.n; ++k) {
    const Real *c = realsOf(E.column[k]) + first, *const x = realsOf(&v.x[k]);
    for (int r = 0; r < V; ++r) {
      const Vec element = Vec::load(c + r * Vec::lanes);
      for (int p = 0; p < P; ++p)
        sums[p][r] = fma(element, Vec(x[p]), sums[p][r]);
    }
  }
  T part[P][V * Vec::lanes / P];
  for (int p = 0; p < P; ++p)
    for (int r = 0; r < V; ++r)
      sums[p][r].store(realsOf(part[p]) + r * Vec::lanes);
  for (int i = 0; i < V * Vec::lanes / P; ++i)
    if constexpr (tla::isComplex<T>)
      a[first / P + i] = tau * (part[0][i] + T(-part[1][i].imag(), part[1][i].real()));
    else
      a[first / P + i] = tau * part[0][i];
}

/// a = tau E v.
template <typename T>
inline void timesVector(const BandBlock<T> &E, const BlockVector<T> &v, T tau, BlockVector<T> &a) {
  constexpr int L = tla::Vec<tla::RealType<T>>::lanes, P = partsOf<T>, several = 8 / P;
  const int reals = E.m * P;
  int i = 0;
  for (; i + several * L <= reals; i += several * L)
    timesVectorRows<several>(E, i, v, tau, a.x.data());
  for (; i + several / 2 * L <= reals; i += several / 2 * L)
    timesVectorRows<several / 2>(E, i, v, tau, a.x.data());
  for (; i < reals; i += L)
    timesVectorRows<1>(E, i, v, tau, a.x.data());
  a.finish(E.m);
}

/// Columns of E become H^H (E - a u^H), H = I - tau v v^H: C of them, from k on.
template <int C, typename T>
inline void reflectColumns(const BandBlock<T> &E, int k, const BlockVector<T> &a, const BlockVector<T> &u,
                           const BlockVector<T> &v, T tau) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = partsOf<T>;
  const int reals = E.m * P;
  Real *c[C];
  Vec factor[C][P], sums[C][P];
  for (int j = 0; j < C; ++j) {
    c[j] = realsOf(E.column[k + j]);
    const T uk = conj(u[k + j]);
    for (int p = 0; p < P; ++p) {
      factor[j][p] = Vec(-realsOf(&uk)[p]);
      sums[j][p] = Vec::zero();
    }
  }
  for (int i = 0; i < reals; i += Vec::lanes) {
    Vec av[P], vv[P];
    for (int p = 0; p < P; ++p) {
      av[p] = Vec::load(a.part(p) + i);
      vv[p] = Vec::load(v.part(p) + i);
    }
    for (int j = 0; j < C; ++j) {
      Vec x = Vec::load(c[j] + i);
      for (int p = 0; p < P; ++p)
        x = fma(av[p], factor[j][p], x);
      x.store(c[j] + i);
      for (int p = 0; p < P; ++p)
        sums[j][p] = fma(vv[p], x, sums[j][p]);
    }
  }
  for (int j = 0; j < C; ++j) {
    T dot;
    for (int p = 0; p < P; ++p)
      realsOf(&dot)[p] = sums[j][p].sum();
    dot *= conj(tau);
    for (int p = 0; p < P; ++p)
      factor[j][p] = Vec(-realsOf(&dot)[p]);
  }
  for (int i = 0; i < reals; i += Vec::lanes) {
    Vec vv[P];
    for (int p = 0; p < P; ++p)
      vv[p] = Vec::load(v.part(p) + i);
    for (int j = 0; j < C; ++j) {
      Vec x = Vec::load(c[j] + i);
      for (int p = 0; p < P; ++p)
        x = fma(vv[p], factor[j][p], x);
      x.store(c[j] + i);
    }
  }
}

/// Columns 1 and on of E become those of H^H (E - a u^H), H = I - tau v v^H.
template <typename T>
inline void reflectLeft(const BandBlock<T> &E, const BlockVector<T> &a, const BlockVector<T> &u,
                        const BlockVector<T> &v, T tau) {
  int k = 1;
  for (; k + 4 <= E.n; k += 4)
    reflectColumns<4>(E, k, a, u, v, tau);
  for (; k < E.n; ++k)
    reflectColumns<1>(E, k, a, u, v, tau);
}

/// Adds the part of D v that columns k .. k + C - 1 of the lower triangle of a Hermitian D contribute: sums[0] +
/// i sums[1] gets the rows below these columns, `direct` the rows k .. k + C - 1.
template <int C, typename T>
inline void hermitianColumns(const BandBlock<T> &D, int k, const BlockVector<T> &v, tla::RealType<T> *const *sums,
                             T *direct) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = partsOf<T>;
  const Real *c[C];
  Vec factor[C][P], dots[C][P];
  for (int j = 0; j < C; ++j) {
    c[j] = realsOf(D.column[k + j] - (k + j));
    for (int p = 0; p < P; ++p) {
      factor[j][p] = Vec(realsOf(&v.x[k + j])[p]);
      dots[j][p] = Vec::zero();
    }
  }
  for (int i = (k + C) * P; i < D.n * P; i += Vec::lanes) {
    Vec vv[P], s[P];
    for (int p = 0; p < P; ++p) {
      vv[p] = Vec::load(v.part(p) + i);
      s[p] = Vec::load(sums[p] + i);
    }
    for (int j = 0; j < C; ++j) {
      const Vec x = Vec::load(c[j] + i);
      for (int p = 0; p < P; ++p) {
        s[p] = fma(x, factor[j][p], s[p]);
        dots[j][p] = fma(x, vv[p], dots[j][p]);
      }
    }
    for (int p = 0; p < P; ++p)
      s[p].store(sums[p] + i);
  }
  for (int j = 0; j < C; ++j) {
    T dot;
    for (int p = 0; p < P; ++p)
      realsOf(&dot)[p] = dots[j][p].sum();
    direct[k + j] += conj(dot); // part 1 is the product with i v
  }
}

/// w = D v for a Hermitian D of order n, of which column k has the rows from the diagonal on. space: scratch.
template <typename T>
inline void hermitianTimes(const BandBlock<T> &D, const BlockVector<T> &v, BlockVector<T> &w, BlockVector<T> &space) {
  using Real = tla::RealType<T>;
  constexpr int P = partsOf<T>, C = 4;
  T *const first = space.x.data(), *const second = space.ix.data();
  Real *const sums[2] = {realsOf(first), realsOf(second)};
  for (int p = 0; p < P; ++p)
    std::fill(sums[p], sums[p] + (D.n + behindColumn) * P, Real(0));
  std::fill_n(w.x.begin(), D.n, T(0));
  int k = 0;
  for (; k + C <= D.n; k += C) {
    for (int j = k; j < k + C; ++j) { // the triangle on the diagonal
      w[j] += std::real(D.column[j][0]) * v[j];
      for (int i = j + 1; i < k + C; ++i) {
        const T x = D.column[j][i - j];
        w[i] += x * v[j];
        w[j] += conj(x) * v[i];
      }
    }
    hermitianColumns<C>(D, k, v, sums, w.x.data());
  }
  for (; k < D.n; ++k) {
    w[k] += std::real(D.column[k][0]) * v[k];
    hermitianColumns<1>(D, k, v, sums, w.x.data());
  }
  for (int i = 0; i < D.n; ++i)
    if constexpr (tla::isComplex<T>)
      w[i] += first[i] + T(-second[i].imag(), second[i].real());
    else
      w[i] += first[i];
}

/// Columns k .. k + C - 1 of D become those of D - v w^H - w v^H, from row k on: C of them, so that what is above the
/// diagonal of the later ones is the end of the columns before, and is left alone.
template <int C, typename T>
inline void updateHermitianColumns(const BandBlock<T> &D, int k, const BlockVector<T> &v, const BlockVector<T> &w) {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real>;
  constexpr int P = partsOf<T>;
  Real *c[C];
  Vec byV[C][P], byW[C][P];
  for (int j = 0; j < C; ++j) {
    c[j] = realsOf(D.column[k + j] - (k + j));
    const T wk = conj(w[k + j]), vk = conj(v[k + j]);
    for (int p = 0; p < P; ++p) {
      byV[j][p] = Vec(-realsOf(&wk)[p]);
      byW[j][p] = Vec(-realsOf(&vk)[p]);
    }
    for (int i = k + j; i < std::min(k + C, D.n); ++i)
      D.column[k + j][i - k - j] -= v[i] * wk + w[i] * vk;
  }
  for (int i = (k + C) * P; i < D.n * P; i += Vec::lanes) {
    Vec vv[P], ww[P];
    for (int p = 0; p < P; ++p) {
      vv[p] = Vec::load(v.part(p) + i);
      ww[p] = Vec::load(w.part(p) + i);
    }
    for (int j = 0; j < C; ++j) {
      Vec x = Vec::load(c[j] + i);
      for (int p = 0; p < P; ++p)
        x = fma(ww[p], byW[j][p], fma(vv[p], byV[j][p], x));
      x.store(c[j] + i);
    }
  }
}

/// D becomes H^H D H, H = I - tau v v^H, for a Hermitian D, of which column k has the rows from the diagonal on. With
/// y = tau D v - |tau|^2 (v^H D v) v / 2 that is D - v y^H - y v^H (LAPACK: hetd2).
template <typename T>
inline void reflectBoth(const BandBlock<T> &D, const BlockVector<T> &v, T tau, BlockVector<T> &w,
                        BlockVector<T> &space) {
  using Real = tla::RealType<T>;
  hermitianTimes(D, v, w, space);
  Real product = 0; // v^H D v
  for (int i = 0; i < D.n; ++i)
    product += std::real(conj(v[i]) * w[i]);
  const Real half = std::norm(tau) * product / 2;
  for (int i = 0; i < D.n; ++i)
    w[i] = tau * w[i] - half * v[i];
  w.finish(D.n);
  int k = 0;
  for (; k + 4 <= D.n; k += 4)
    updateHermitianColumns<4>(D, k, v, w);
  for (; k < D.n; ++k)
    updateHermitianColumns<1>(D, k, v, w);
}

} // namespace eigen
