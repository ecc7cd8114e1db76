// Kernels of hb2st: a Hermitian band, in tiles of 2 b x b, becomes tridiagonal.
#pragma once
#include <tla/tla.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

namespace eig {
template <typename T> inline T conj(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

/// H = I - tau v v^H, v(0) = 1, with H^H x = (beta, 0, ...), beta real; x becomes v but for x(0), which becomes beta.
template <typename T> inline T reflector(int length, T *x) {
#pragma clang fp reassociate(on)
  using Real = tla::RealType<T>;
  Real squares = 0;
  for (int i = 1; i < length; ++i)
    squares += std::norm(x[i]);
  const T alpha = x[0];
  if (squares == 0 && std::imag(alpha) == 0)
    return 0;
  const Real beta = -std::copysign(std::sqrt(std::norm(alpha) + squares), std::real(alpha));
  const T scale = T(1) / (alpha - beta);
  for (int i = 1; i < length; ++i)
    x[i] *= scale;
  x[0] = beta;
  if constexpr (std::is_floating_point_v<T>)
    return (beta - alpha) / beta;
  else
    return {(beta - alpha.real()) / beta, -alpha.imag() / beta};
}

template <typename T> struct Vec {
  static constexpr int lanes = 64 / sizeof(T);
  typedef T type __attribute__((vector_size(64), aligned(sizeof(T))));
};
template <typename T> inline typename Vec<T>::type load(const T *p) {
  typename Vec<T>::type v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <typename T> inline void store(T *p, typename Vec<T>::type v) { std::memcpy(p, &v, sizeof v); }
template <typename T> inline typename Vec<T>::type loadSome(const T *p, int count) {
  typename Vec<T>::type v{};
  std::memcpy(&v, p, count * sizeof(T));
  return v;
}

template <typename T> inline T sumOf(typename Vec<T>::type v) {
  T h[Vec<T>::lanes];
  std::memcpy(h, &v, sizeof v);
  for (int w = Vec<T>::lanes / 2; w > 0; w /= 2)
    for (int i = 0; i < w; ++i)
      h[i] += h[i + w];
  return h[0];
}

/// a = tau E v, E of m rows, columns at col[0 .. n - 1].
template <typename T> [[clang::min_vector_width(512)]] inline void timesVector(int m, int n, T *const *col, const T *v, T tau, T *a) {
  constexpr int L = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  int i = 0;
  for (; i + 4 * L <= m; i += 4 * L) {
    V a0{}, a1{}, a2{}, a3{};
    for (int k = 0; k < n; ++k) {
      const T *c = col[k] + i;
      a0 += load(c) * v[k], a1 += load(c + L) * v[k], a2 += load(c + 2 * L) * v[k], a3 += load(c + 3 * L) * v[k];
    }
    store(a + i, a0 * tau), store(a + i + L, a1 * tau), store(a + i + 2 * L, a2 * tau), store(a + i + 3 * L, a3 * tau);
  }
  for (; i < m; i += L) {
    const int count = std::min(L, m - i);
    V s{};
    for (int k = 0; k < n; ++k)
      s += loadSome(col[k] + i, count) * v[k];
    s *= tau;
    std::memcpy(a + i, &s, count * sizeof(T));
  }
}

/// Columns 1 .. n - 1 of E = H (E - a u^T), H = I - tau v v^T: each goes through the registers once. R vectors of rows, more in memory.
template <int R, typename T> [[clang::min_vector_width(512)]] inline void reflectFused(int n, T *const *col, const T *a, const T *u, const T *v, T tau) {
  constexpr int L = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  V va[R], vv[R];
#pragma clang loop unroll(full)
  for (int r = 0; r < R; ++r)
    va[r] = load(a + r * L), vv[r] = load(v + r * L) ;
  for (int k = 1; k < n; ++k) {
    T *c = col[k];
    V x[R], s{};
#pragma clang loop unroll(full)
    for (int r = 0; r < R; ++r) {
      x[r] = load(c + r * L) - va[r] * u[k];
      s += vv[r] * x[r];
    }
    const T dot = tau * sumOf<T>(s);
#pragma clang loop unroll(full)
    for (int r = 0; r < R; ++r)
      store(c + r * L, x[r] - vv[r] * dot);
  }
}
template <typename T> [[clang::min_vector_width(512)]] inline void reflectFused(int m, int n, T *const *col, const T *a, const T *u, const T *v, T tau) {
#pragma clang fp reassociate(on) contract(fast)
  constexpr int L = Vec<T>::lanes;
  switch (m) {
  case 4 * L: return reflectFused<4>(n, col, a, u, v, tau);
  case 6 * L: return reflectFused<6>(n, col, a, u, v, tau);
  case 8 * L: return reflectFused<8>(n, col, a, u, v, tau);
  }
  for (int k = 1; k < n; ++k) {
    T *c = col[k], s = 0;
    const T uk = u[k];
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < m; ++i) {
      c[i] -= a[i] * uk;
      s += v[i] * c[i];
    }
    s *= tau;
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < m; ++i)
      c[i] -= s * v[i];
  }
}

/// The same of complex numbers, without vectors.
template <typename T> inline void timesVector(int m, int n, std::complex<T> *const *col, const std::complex<T> *v, std::complex<T> tau, std::complex<T> *a) {
#pragma clang fp reassociate(on) contract(fast)
  for (int i = 0; i < m; ++i)
    a[i] = 0;
  for (int k = 0; k < n; ++k) {
    const T x = (tau * v[k]).real(), y = (tau * v[k]).imag();
    const T *c = reinterpret_cast<const T *>(col[k]);
    T *to = reinterpret_cast<T *>(a);
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < m; ++i) {
      to[2 * i] += c[2 * i] * x - c[2 * i + 1] * y;
      to[2 * i + 1] += c[2 * i] * y + c[2 * i + 1] * x;
    }
  }
}
template <typename T> inline void reflectFused(int m, int n, std::complex<T> *const *col, const std::complex<T> *a, const std::complex<T> *u, const std::complex<T> *v, std::complex<T> tau) {
#pragma clang fp reassociate(on) contract(fast)
  const T *va = reinterpret_cast<const T *>(a), *vv = reinterpret_cast<const T *>(v);
  for (int k = 1; k < n; ++k) {
    T *c = reinterpret_cast<T *>(col[k]), re = 0, im = 0;
    const T x = u[k].real(), y = -u[k].imag();
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < m; ++i) {
      const T p = c[2 * i] - (va[2 * i] * x - va[2 * i + 1] * y), q = c[2 * i + 1] - (va[2 * i] * y + va[2 * i + 1] * x);
      c[2 * i] = p, c[2 * i + 1] = q;
      re += vv[2 * i] * p + vv[2 * i + 1] * q, im += vv[2 * i] * q - vv[2 * i + 1] * p;
    }
    const std::complex<T> s = std::conj(tau) * std::complex<T>(re, im);
    const T g = s.real(), h = s.imag();
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < m; ++i) {
      c[2 * i] -= vv[2 * i] * g - vv[2 * i + 1] * h;
      c[2 * i + 1] -= vv[2 * i] * h + vv[2 * i + 1] * g;
    }
  }
}
/// D = H^H D H, D Hermitian of order n, of which the lower triangle is stored.
template <typename T> inline void reflectBoth(int n, std::complex<T> *const *col, const std::complex<T> *v, std::complex<T> tau, std::complex<T> *w) {
  using C = std::complex<T>;
  for (int i = 0; i < n; ++i)
    w[i] = 0;
  for (int k = 0; k < n; ++k) {
    const C *c = col[k] - k;
    C s = std::real(c[k]) * v[k];
    for (int i = k + 1; i < n; ++i) {
      s += std::conj(c[i]) * v[i];
      w[i] += c[i] * v[k];
    }
    w[k] += s;
  }
  C product = 0; // v^H D v, real
  for (int i = 0; i < n; ++i)
    product += std::conj(v[i]) * w[i];
  // H^H D H = D - v y^H - y v^H, y = tau D v - |tau|^2 (v^H D v) v / 2
  const C half = std::norm(tau) * std::real(product) / 2;
  for (int i = 0; i < n; ++i)
    w[i] = tau * w[i] - half * v[i];
  for (int k = 0; k < n; ++k) {
    C *c = col[k] - k;
    for (int i = k; i < n; ++i)
      c[i] -= v[i] * std::conj(w[k]) + w[i] * std::conj(v[k]);
  }
}

/// D = H D H, D symmetric of order n, of which the lower triangle is stored: diagonal element k at col[k]. w: n of scratch.
template <typename T> [[clang::min_vector_width(512)]] inline void reflectBoth(int n, T *const *col, const T *v, T tau, T *w) {
#pragma clang fp reassociate(on) contract(fast)
  for (int i = 0; i < n; ++i)
    w[i] = 0;
  for (int k = 0; k < n; ++k) {
    const T *c = col[k] - k;
    T s = c[k] * v[k];
    const T vk = v[k];
#pragma clang loop vectorize(assume_safety)
    for (int i = k + 1; i < n; ++i) {
      s += c[i] * v[i];
      w[i] += c[i] * vk;
    }
    w[k] += s;
  }
  T product = 0;
  for (int i = 0; i < n; ++i)
    product += w[i] * v[i];
  const T half = tau * tau * product / 2;
  for (int i = 0; i < n; ++i)
    w[i] = tau * w[i] - half * v[i];
  for (int k = 0; k < n; ++k) {
    T *c = col[k] - k;
    const T vk = v[k], wk = w[k];
#pragma clang loop vectorize(assume_safety)
    for (int i = k; i < n; ++i)
      c[i] -= v[i] * wk + w[i] * vk;
  }
}
} // namespace eig

/// Band tile: column c has B(t b + c + r, t b + c) in row r; rows 0 .. b from the diagonal tile and the one below it, zero behind.
#pragma tla kernel bound(memory) requires(B.m() >= 2 * D.n())
template <typename T> void bandTile(tla::ConstTile<T> D, tla::ConstTile<T> S, tla::OutTile<T> B) {
  for (int c = 0; c < B.n(); ++c)
    for (int r = 0; r < B.m(); ++r) {
      const int i = c + r; // row behind the top of D
      B(r, c) = c >= D.n() ? T(0) : i < D.m() ? D(i, c) : i - D.m() < S.m() && i - D.m() <= c ? S(i - D.m(), c) : T(0);
    }
}
#pragma tla kernel bound(memory) requires(B.m() >= 2 * D.n())
template <typename T> void bandTileLast(tla::ConstTile<T> D, tla::OutTile<T> B) {
  for (int c = 0; c < B.n(); ++c)
    for (int r = 0; r < B.m(); ++r)
      B(r, c) = c < D.n() && c + r < D.m() ? D(c + r, c) : T(0);
}

/// The parallelogram of sweeps first .. first + sweeps - 1 and, of the first of them, chunks chunk .. chunk + chunks - 1; of each next
/// one those one further to the left. Sweep s makes column s tridiagonal; its chunk c reflects rows s + 1 + c b and on. B has the tiles
/// of the band from tile `tile` on; V those of the vectors from chunk `chunkV` on, one column for a sweep, in row 0 tau for its 1.
#pragma tla kernel bound(compute) flops(12.0 * sweeps * chunks * B.n() * B.n())
template <typename T>
void chase(int n, int first, int sweeps, int chunk, int chunks, int tile, int chunkV, tla::Panel<T> B, tla::Panel<T> V) {
  constexpr int most = 512;
  const int b = B.n(), column = first % b;
  T *col[most];
  T v[most], u[most], w[most];
  const auto at = [&](int i, int j) { // element (i, j) of the band
    const tla::Tile<T> t = B(j / b - tile);
    return t.data() + (i - j) + static_cast<long>(j % b) * t.ld();
  };
  for (int l = 0; l < sweeps; ++l) {
    const int s = first + l;
    for (int c = std::max(0, chunk - l); c < chunk + chunks - l; ++c) {
      const int r = s + 1 + c * b, length = std::min(b, n - r);
      if (length < 1)
        break;
      T tau;
      if (c == 0) {
        T *x = at(r, s);
        std::copy(x, x + length, v);
        tau = eig::reflector(length, v);
        x[0] = v[0];
        std::fill(x + 1, x + length, T(0));
      } else {
        const tla::Tile<T> before = V(c - 1 - chunkV);
        for (int i = 0; i < b; ++i)
          u[i] = before(i, column + l);
        const T tauBefore = u[0];
        u[0] = 1;
        for (int k = 0; k < b; ++k)
          col[k] = at(r, r - b + k);
        eig::timesVector(length, b, col, u, tauBefore, w);
        for (int i = 0; i < length; ++i)
          v[i] = col[0][i] - w[i];
        tau = eig::reflector(length, v);
        col[0][0] = v[0];
        std::fill(col[0] + 1, col[0] + length, T(0));
        v[0] = 1;
        eig::reflectFused(length, b, col, w, u, v, tau);
      }
      const tla::Tile<T> here = V(c - chunkV);
      v[0] = tau;
      for (int i = 0; i < length; ++i)
        here(i, column + l) = v[i];
      v[0] = 1;
      for (int k = 0; k < length; ++k)
        col[k] = at(r + k, r + k);
      eig::reflectBoth(length, col, v, tau, w);
    }
  }
}

/// Diagonal and subdiagonal of the tridiagonal matrix.
#pragma tla kernel bound(memory)
template <typename T> void tridiagonal(tla::ConstTile<T> B, tla::OutTile<tla::RealType<T>> d, tla::OutTile<tla::RealType<T>> e) {
  for (int i = 0; i < d.m(); ++i)
    d(i, 0) = std::real(B(0, i)), e(i, 0) = std::real(B(1, i));
}
