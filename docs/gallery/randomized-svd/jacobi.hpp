#pragma once
#include <tla/tla.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

/// Makes columns p and q of W orthogonal by a rotation, which V gets, too. False when they were.
template <typename T> bool rotate(tla::OutTile<T> W, tla::OutTile<T> V, int p, int q) {
  T pp = 0, qq = 0, pq = 0;
  for (int i = 0; i < W.m(); ++i) {
    pp += W(i, p) * W(i, p);
    qq += W(i, q) * W(i, q);
    pq += W(i, p) * W(i, q);
  }
  if (std::abs(pq) <= T(4) * std::numeric_limits<T>::epsilon() * std::sqrt(pp * qq))
    return false;
  const T zeta = (qq - pp) / (2 * pq);
  const T t = (zeta >= 0 ? T(1) : T(-1)) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const T c = 1 / std::sqrt(1 + t * t), s = c * t;
  const auto turn = [&](tla::OutTile<T> M) {
    for (int i = 0; i < M.m(); ++i) {
      const T p0 = M(i, p), q0 = M(i, q);
      M(i, p) = c * p0 - s * q0;
      M(i, q) = s * p0 + c * q0;
    }
  };
  turn(W);
  turn(V);
  return true;
}

/// R^T = W diag(s) V^T, R upper triangular in the first rows of its tile, W and V orthogonal, s descending: columns of R^T are
/// rotated in pairs until all are orthogonal (Jacobi's method, one-sided).
#pragma tla kernel flops(60 * s.m() * s.m() * s.m()) \
    requires(R.m() >= s.m() && R.n() == s.m() && W.m() == s.m() && W.n() == s.m() && V.m() == s.m() && V.n() == s.m() && s.n() == 1)
template <typename T> void jacobi(tla::ConstTile<T> R, tla::OutTile<T> W, tla::OutTile<T> s, tla::OutTile<T> V) {
  static_assert(std::is_floating_point_v<T>, "for real matrices");
  const int n = s.m();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      W(i, j) = i >= j ? R(j, i) : T(0);
      V(i, j) = i == j ? T(1) : T(0);
    }
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q)
        turned |= rotate(W, V, p, q);
  }
  const auto length = [&](int j) {
    T square = 0;
    for (int i = 0; i < n; ++i)
      square += W(i, j) * W(i, j);
    return std::sqrt(square);
  };
  for (int j = 0; j < n; ++j) {
    int largest = j;
    for (int l = j + 1; l < n; ++l)
      largest = length(l) > length(largest) ? l : largest;
    s(j, 0) = length(largest);
    for (int i = 0; i < n; ++i) {
      std::swap(W(i, j), W(i, largest));
      std::swap(V(i, j), V(i, largest));
      W(i, j) /= s(j, 0) > 0 ? s(j, 0) : T(1);
    }
  }
}
