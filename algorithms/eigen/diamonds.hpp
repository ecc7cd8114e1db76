// Groups of the chase's reflectors applied to rows of vectors. Each column of such rows is a run of real parts and, for
// complex numbers, one of imaginary parts behind it: so that complex arithmetic is arithmetic of whole vectors.
#pragma once
#include "reflector.hpp"

#include <algorithm>
#include <tla/vec.hpp>

namespace eigen {

/// `V` vectors of real numbers for each part of so many rows.
template <int V, int lanes, typename T> struct Rows {
  using Real = tla::RealType<T>;
  using Vec = tla::Vec<Real, lanes>;
  static constexpr int P = partsOf<T>;
  static constexpr int count = V * lanes;

  Vec part[P][V];

  void clear() {
    for (int p = 0; p < P; ++p)
      for (int v = 0; v < V; ++v)
        part[p][v] = Vec::zero();
  }
  /// `apart`: elements from the real parts to the imaginary ones.
  void load(const Real *at, long apart) {
    for (int p = 0; p < P; ++p)
      for (int v = 0; v < V; ++v)
        part[p][v] = Vec::load(at + p * apart + v * lanes);
  }
  void store(Real *at, long apart) const {
    for (int p = 0; p < P; ++p)
      for (int v = 0; v < V; ++v)
        part[p][v].store(at + p * apart + v * lanes);
  }

  /// Adds y (x[0] + i x[1]).
  void add(const Rows &y, Real re, Real im) {
    for (int v = 0; v < V; ++v) {
      part[0][v] = fma(y.part[0][v], Vec(re), part[0][v]);
      if constexpr (P == 2) {
        part[1][v] = fma(y.part[1][v], Vec(re), part[1][v]);
        part[0][v] = fma(-y.part[1][v], Vec(im), part[0][v]);
        part[1][v] = fma(y.part[0][v], Vec(im), part[1][v]);
      }
    }
  }
  void add(const Rows &y, T x) { add(y, std::real(x), std::imag(x)); }
};

/// A group of at most `most` reflectors of length b, each a row further down: I - X F X^H, where X(r, k) is zero but
/// for k <= r < k + b. `rows` of X lie inside the matrix.
template <typename T> struct ReflectorGroup {
  int b, count, rows;
  const T *x;
  long ldx;
  const T *f;
  long ldf;
};

/// Columns of Y, each of which has the real parts of its rows from y on and the imaginary ones `apart` further.
template <typename T> struct PlanarColumns {
  tla::RealType<T> *y;
  long ld, apart;
  PlanarColumns from(int row) const { return {y + row, ld, apart}; }
};

/// W = Y conj(X) for K reflectors from k on.
template <int V, int lanes, int K, typename T>
inline void gatherRows(const ReflectorGroup<T> &group, int k, const PlanarColumns<T> &Y, tla::RealType<T> *w,
                       long stride) {
  using R = Rows<V, lanes, T>;
  R sum[K];
  for (int j = 0; j < K; ++j)
    sum[j].clear();
  const int end = std::min(group.b + k + K - 1, group.rows);
  for (int r = k; r < end; ++r) {
    R y;
    y.load(Y.y + r * Y.ld, Y.apart);
    for (int j = 0; j < K; ++j)
      sum[j].add(y, conj(group.x[r + (k + j) * group.ldx]));
  }
  for (int j = 0; j < K; ++j)
    sum[j].store(w + (k + j) * stride, R::count);
}

/// Y = Y - U X^T in K columns of Y, from r on.
template <int V, int lanes, int K, typename T>
inline void scatterRows(const ReflectorGroup<T> &group, int r, const PlanarColumns<T> &Y, const tla::RealType<T> *u,
                        long stride) {
  using R = Rows<V, lanes, T>;
  R sum[K];
  for (int j = 0; j < K; ++j)
    sum[j].load(Y.y + (r + j) * Y.ld, Y.apart);
  const int first = std::max(0, r - group.b + 1), end = std::min(group.count, r + K);
  for (int k = first; k < end; ++k) {
    R z;
    z.load(u + k * stride, R::count);
    for (int j = 0; j < K; ++j)
      sum[j].add(z, -group.x[r + j + k * group.ldx]);
  }
  for (int j = 0; j < K; ++j)
    sum[j].store(Y.y + (r + j) * Y.ld, Y.apart);
}

/// Y^T becomes (I - X F X^H) Y^T for V vectors of rows of Y. w: scratch for two vectors of each reflector.
template <int V, int lanes, typename T>
inline void reflectRows(const ReflectorGroup<T> &group, const PlanarColumns<T> &Y, tla::RealType<T> *w) {
  using R = Rows<V, lanes, T>;
  constexpr int K = 6;
  constexpr long stride = R::count * R::P;
  tla::RealType<T> *const u = w + group.count * stride;
  int k = 0;
  for (; k + K <= group.count; k += K)
    gatherRows<V, lanes, K>(group, k, Y, w, stride);
  for (; k < group.count; ++k)
    gatherRows<V, lanes, 1>(group, k, Y, w, stride);
  for (int i = 0; i < group.count; ++i) { // U = W F^T
    R sum, z;
    sum.clear();
    for (int j = i; j < group.count; ++j) {
      z.load(w + j * stride, R::count);
      sum.add(z, group.f[i + j * group.ldf]);
    }
    sum.store(u + i * stride, R::count);
  }
  int r = 0;
  for (; r + K <= group.rows; r += K)
    scatterRows<V, lanes, K>(group, r, Y, u, stride);
  for (; r < group.rows; ++r)
    scatterRows<V, lanes, 1>(group, r, Y, u, stride);
}

/// reflectRows of all `width` rows of Y.
template <typename T>
inline void reflectAllRows(const ReflectorGroup<T> &group, int width, const PlanarColumns<T> &Y, tla::RealType<T> *w) {
  constexpr int L = tla::Vec<tla::RealType<T>>::lanes, several = 4 / partsOf<T>;
  int c = 0;
  for (; c + several * L <= width; c += several * L)
    reflectRows<several, L>(group, Y.from(c), w);
  for (; c + L <= width; c += L)
    reflectRows<1, L>(group, Y.from(c), w);
  for (; c < width; ++c)
    reflectRows<1, 1>(group, Y.from(c), w);
}

} // namespace eigen
