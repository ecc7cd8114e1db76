// Kernels of the back-transformation from tridiagonal to band.
#pragma once
#include <tla/tla.hpp>
#include "chase.hpp"

#include <algorithm>
#include <vector>

/// The reflectors of a tile of V, ib at a time: X has them in columns that begin at the row of the first of them, with ones and zeros;
/// F the triangular factors.
#pragma tla kernel bound(compute) requires(X.m() >= V.m() + ib && F.m() >= ib) flops(V.m() * V.n() * ib)
template <typename T> void diamond(int ib, tla::ConstTile<T> V, tla::OutTile<T> X, tla::OutTile<T> F) {
  const int b = V.n();
  for (int l = 0; l < b; ++l) {
    const int k = l % ib;
    T *x = &X(0, l);
    std::fill(x, x + X.m(), T(0));
    std::copy(&V(0, l), &V(0, l) + b, x + k);
    x[k] = 1;
    const T tau = V(0, l);
    T *f = &F(0, l);
    std::fill(f, f + F.m(), T(0));
    f[k] = tau;
    for (int i = 0; i < k; ++i) {
#pragma clang fp reassociate(on) contract(fast)
      const T *y = &X(0, l - k + i);
      T s = 0;
      for (int r = k; r < i + b; ++r)
        s += eig::conj(y[r]) * x[r];
      f[i] = -tau * s;
    }
    for (int i = 0; i < k; ++i) { // f = F f, F upper triangular
      T s = 0;
      for (int j = i; j < k; ++j)
        s += F(i, l - k + j) * f[j];
      f[i] = s;
    }
  }
}

/// Y = Q^T, of another type.
#pragma tla kernel bound(compute) flops(4.0 * Q.m() * Q.n()) requires(Y.m() == Q.n(), Y.n() == Q.m())
template <typename T> void convert(tla::ConstTile<tla::RealType<T>> Q, tla::OutTile<T> Y) {
  for (int i0 = 0; i0 < Q.m(); i0 += 8)
    for (int j = 0; j < Q.n(); ++j)
      for (int i = i0; i < std::min(i0 + 8, Q.m()); ++i)
        Y(j, i) = Q(i, j);
}

/// Z = Y^T.
#pragma tla kernel bound(compute) flops(4.0 * Z.m() * Z.n()) requires(Y.m() == Z.n(), Y.n() == Z.m())
template <typename T> void transpose(tla::ConstTile<T> Y, tla::OutTile<T> Z) {
  for (int i0 = 0; i0 < Z.m(); i0 += 8)
    for (int j = 0; j < Z.n(); ++j)
      for (int i = i0; i < std::min(i0 + 8, Z.m()); ++i)
        Z(i, j) = Y(j, i);
}

namespace eig {
/// Vectors of Y that go through the registers together, and reflectors, or columns of Y, with them.
constexpr int across = 4, down = 6;

/// W = Y X: NV vectors of rows of Y, K columns of X, `rows` of which are looked at.
template <int NV, int K, typename T> [[clang::min_vector_width(512)]] inline void gatherW(int rows, const T *y, long ldy, const T *x, long ldx, T *w, long ldw) {
  using V = typename Vec<T>::type;
  constexpr int L = Vec<T>::lanes;
  V sum[NV][K] = {};
  for (int r = 0; r < rows; ++r) {
    V z[NV];
#pragma clang loop unroll(full)
    for (int v = 0; v < NV; ++v)
      z[v] = load(y + r * ldy + v * L);
#pragma clang loop unroll(full)
    for (int k = 0; k < K; ++k)
#pragma clang loop unroll(full)
      for (int v = 0; v < NV; ++v)
        sum[v][k] += z[v] * x[r + k * ldx];
  }
#pragma clang loop unroll(full)
  for (int k = 0; k < K; ++k)
#pragma clang loop unroll(full)
    for (int v = 0; v < NV; ++v)
      store(w + k * ldw + v * L, sum[v][k]);
}
/// Y = Y - W X^T: R columns of Y, of all `count` reflectors.
template <int NV, int R, typename T> [[clang::min_vector_width(512)]] inline void scatterW(int count, T *y, long ldy, const T *x, long ldx, const T *w, long ldw) {
  using V = typename Vec<T>::type;
  constexpr int L = Vec<T>::lanes;
  V sum[NV][R];
#pragma clang loop unroll(full)
  for (int r = 0; r < R; ++r)
#pragma clang loop unroll(full)
    for (int v = 0; v < NV; ++v)
      sum[v][r] = load(y + r * ldy + v * L);
  for (int k = 0; k < count; ++k) {
    V z[NV];
#pragma clang loop unroll(full)
    for (int v = 0; v < NV; ++v)
      z[v] = load(w + k * ldw + v * L);
#pragma clang loop unroll(full)
    for (int r = 0; r < R; ++r)
#pragma clang loop unroll(full)
      for (int v = 0; v < NV; ++v)
        sum[v][r] -= z[v] * x[r + k * ldx];
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < R; ++r)
#pragma clang loop unroll(full)
    for (int v = 0; v < NV; ++v)
      store(y + r * ldy + v * L, sum[v][r]);
}

/// Y = Y (I - X F X^T)^T for g reflectors of length b, each a row further down: X(r, k) is zero but for k <= r < k + b. NV vectors of
/// rows of Y; `rows` columns, fewer than g + b - 1 at the end. w: 2 g NV vectors of scratch.
template <int NV, typename T>
[[clang::min_vector_width(512)]] inline void reflectGroup(int b, int g, int rows, const T *x, long ldx, const T *f, long ldf, T *y, long ldy, T *w) {
  constexpr long stride = NV * Vec<T>::lanes;
  T *const u = w + g * stride;
  int k = 0;
  for (; k + down <= g; k += down)
    gatherW<NV, down>(std::clamp(std::min(b + down - 1, rows - k), 0, b + down), y + k * ldy, ldy, x + k + k * ldx, ldx, w + k * stride, stride);
  for (; k < g; ++k)
    gatherW<NV, 1>(std::clamp(std::min(b, rows - k), 0, b), y + k * ldy, ldy, x + k + k * ldx, ldx, w + k * stride, stride);
  for (int i = 0; i < g; ++i) { // U = W F^T
#pragma clang fp contract(fast)
    T *to = u + i * stride;
    for (long v = 0; v < stride; ++v)
      to[v] = w[i * stride + v] * f[i + i * ldf];
    for (int j = i + 1; j < g; ++j) {
      const T a = f[i + j * ldf];
      const T *from = w + j * stride;
      for (long v = 0; v < stride; ++v)
        to[v] += a * from[v];
    }
  }
  int r = 0;
  for (; r + down <= rows; r += down) {
    const int first = std::max(0, r - b + 1), behind = std::min(g, r + down);
    scatterW<NV, down>(behind - first, y + r * ldy, ldy, x + r + first * ldx, ldx, u + first * stride, stride);
  }
  for (; r < rows; ++r) {
    const int first = std::max(0, r - b + 1), behind = std::min(g, r + 1);
    scatterW<NV, 1>(behind - first, y + r * ldy, ldy, x + r + first * ldx, ldx, u + first * stride, stride);
  }
}
} // namespace eig

/// Y^T = Q Y^T for the reflectors of a column of diamonds, the r-th of which begins one row behind row (s + r) b of Y^T.
#pragma tla kernel bound(compute) flops(4.0 * X.n() * (Y.n() - s * X.n()) * Y.m())
template <typename T> void applyDiamonds(int ib, int s, tla::ConstPanel<T> X, tla::ConstPanel<T> F, tla::Tile<T> Y) {
  const int b = X.n(), width = Y.m();
  static thread_local std::vector<T> space;
  space.resize(2 * ib * std::max(width, 64));
  for (int r = 0; r < X.mt(); ++r)
    for (int l0 = (b - 1) / ib * ib; l0 >= 0; l0 -= ib) {
      const int g = std::min(ib, b - l0), top = (s + r) * b + l0 + 1, rows = std::min(g + b - 1, Y.n() - top);
      if (rows <= 0)
        continue;
      const T *x = &X(r)(0, l0), *f = &F(r)(0, l0);
      const long ldx = X(r).ld(), ldf = F(r).ld(), ldy = Y.ld();
      T *y = &Y(0, top);
      if constexpr (std::is_floating_point_v<T>) {
        constexpr int L = eig::Vec<T>::lanes, A = eig::across;
        int c = 0;
        for (; c + A * L <= width; c += A * L)
          eig::reflectGroup<A>(b, g, rows, x, ldx, f, ldf, y + c, ldy, space.data());
        for (; c + L <= width; c += L)
          eig::reflectGroup<1>(b, g, rows, x, ldx, f, ldf, y + c, ldy, space.data());
        if (c < width) { // a vector that begins earlier would be reflected twice: rows of zeros behind
          T part[L * 2048];
          for (int i = 0; i < rows; ++i)
            for (int v = 0; v < L; ++v)
              part[i * L + v] = c + v < width ? y[c + v + i * ldy] : T(0);
          eig::reflectGroup<1>(b, g, rows, x, ldx, f, ldf, part, L, space.data());
          for (int i = 0; i < rows; ++i)
            for (int v = 0; c + v < width; ++v)
              y[c + v + i * ldy] = part[i * L + v];
        }
      } else {
        T *w = space.data(), *u = w + g;
        for (int c = 0; c < width; ++c) {
          for (int k = 0; k < g; ++k) {
            w[k] = 0;
            for (int i = k; i < std::min(rows, k + b); ++i)
              w[k] += std::conj(x[i + k * ldx]) * y[c + i * ldy];
          }
          for (int k = 0; k < g; ++k) {
            u[k] = 0;
            for (int j = k; j < g; ++j)
              u[k] += f[k + j * ldf] * w[j];
          }
          for (int k = 0; k < g; ++k)
            for (int i = k; i < std::min(rows, k + b); ++i)
              y[c + i * ldy] -= x[i + k * ldx] * u[k];
        }
      }
    }
}
