// Kernels of the random programs: cheap, and sensitive to order. Every element of an output depends on its own old
// value and on an element of each input, by operations that do not commute in floating point.
#pragma once

#include <tla/tla.hpp>

namespace fuzz {

/// An element of A for position (i, j) of a tile of any size.
template <typename T> T at(tla::ConstTile<T> A, int i, int j) {
  return A.m() > 0 && A.n() > 0 ? A(i % A.m(), j % A.n()) : T(0.125);
}

/// Between -1 and 1, whatever x is: programs in which rounding does not grow can be compared in norm.
template <typename Real> Real squashReal(Real x) {
  if (!(x > Real(-1e6) && x < Real(1e6)))
    return Real(0.5);
  return x / (Real(1) + (x < 0 ? -x : x));
}
template <typename T> T squash(T x) {
  if constexpr (tla::isComplex<T>)
    return T(squashReal(x.real()), squashReal(x.imag()));
  else
    return squashReal(x);
}

template <typename T> void blend(T alpha, T value, tla::Tile<T> C, int i, int j) {
  C(i, j) = T(0.5) * squash(C(i, j)) + alpha * squash(value) + T(0.001) * T(i - j);
}

/// Elements of the region: all, those strictly below the diagonal, or the others.
inline bool inside(tla::Region region, int i, int j) {
  return region == tla::Region::Full || (region == tla::Region::Lower) == (i > j);
}

} // namespace fuzz

#pragma tla kernel flops(2 * C.m() * C.n())
template <typename T> void stir(T alpha, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      if (fuzz::inside(C.region(), i, j))
        fuzz::blend(alpha, T(0.75), C, i, j);
}

/// C from A, each in its own region; a region of A is read at the nearest element that belongs to it.
#pragma tla kernel alias(A, C)
template <typename T> void pour(T alpha, tla::ConstTile<T> A, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      if (fuzz::inside(C.region(), i, j)) {
        const int p = A.m() > 0 ? i % A.m() : 0, q = A.n() > 0 ? j % A.n() : 0;
        fuzz::blend(alpha, fuzz::inside(A.region(), p, q) ? fuzz::at(A, p, q) : T(0.3), C, i, j);
      }
}

#pragma tla kernel alias(A, B, C)
template <typename T> void fold(T alpha, tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      fuzz::blend(alpha, fuzz::at(A, i, j) * fuzz::at(B, j, i), C, i, j);
}

/// Overwrites C.
#pragma tla kernel bound(memory) alias(A, C)
template <typename T> void place(T alpha, tla::ConstTile<T> A, tla::OutTile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) = alpha * fuzz::squash(fuzz::at(A, i, j)) - T(0.01) * T(i + 2 * j);
}

/// C from A, and from what it was unless beta is zero.
#pragma tla kernel alias(A, C) writes(C if beta == 0)
template <typename T> void renew(T beta, tla::ConstTile<T> A, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      if (beta == T(0))
        C(i, j) = T(0.5) * fuzz::squash(fuzz::at(A, i, j)) + T(0.02) * T(2 * i - j);
      else
        fuzz::blend(beta, fuzz::at(A, j, i), C, i, j);
}

/// Adds to C where beta is one.
#pragma tla kernel alias(A, B, C) sum(C if beta == 1)
template <typename T> void increase(T beta, tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i) {
      const T more = T(0.25) * fuzz::squash(fuzz::at(A, i, j) * fuzz::at(B, j, i)) + T(0.01) * T(i - 2 * j);
      C(i, j) = (beta == T(1) ? C(i, j) : beta * fuzz::squash(C(i, j))) + more;
    }
}

/// Adds to one triangle of C where beta is one; what it leaves on the diagonal is real.
#pragma tla kernel alias(A, C) sum(C in uplo if beta == 1)
template <typename T> void raise(tla::Uplo uplo, T beta, tla::ConstTile<T> A, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      if (uplo == tla::Uplo::Lower ? i >= j : i <= j) {
        C(i, j) = (beta == T(1) ? C(i, j) : beta * fuzz::squash(C(i, j))) + T(0.25) * fuzz::squash(fuzz::at(A, j, i));
        if constexpr (tla::isComplex<T>)
          if (i == j)
            C(i, j) = C(i, j).real();
      }
}

/// Fills a tile so that it has full rank, mostly: reflectors of a column that is noise say nothing on slices.
#pragma tla kernel
template <typename T> void fill(T alpha, tla::OutTile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) = alpha + T(0.1) * T(i) - T(0.2) * T(j) + T(0.05) * T((i * i + 3 * i * j + 2 * j) % 7);
}

/// Two outputs.
#pragma tla kernel alias(A, B)
template <typename T> void swapParts(tla::Tile<T> A, tla::Tile<T> B) {
  const int m = A.m() < B.m() ? A.m() : B.m(), n = A.n() < B.n() ? A.n() : B.n();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const T a = A(i, j);
      A(i, j) = T(0.5) * a + T(0.25) * B(i, j);
      B(i, j) = a - T(0.125) * B(i, j);
    }
}

/// A run of tiles, each changed by the one before it.
#pragma tla kernel alias(P, A)
template <typename T> void cascade(T alpha, tla::Panel<T> P, tla::ConstTile<T> A) {
  for (int r = 0; r < P.mt(); ++r) {
    const tla::Tile<T> C = P(r);
    for (int j = 0; j < C.n(); ++j)
      for (int i = 0; i < C.m(); ++i)
        fuzz::blend(alpha, r ? fuzz::at<T>(P(r - 1), i, j) : fuzz::at(A, i, j), C, i, j);
  }
}

#pragma tla kernel alias(P, C)
template <typename T> void gather(T alpha, tla::ConstPanel<T> P, tla::Tile<T> C) {
  for (int r = 0; r < P.mt(); ++r)
    for (int j = 0; j < C.n(); ++j)
      for (int i = 0; i < C.m(); ++i)
        fuzz::blend(alpha, fuzz::at(P(r), i, j), C, i, j);
}

/// Rows of two runs as far as both go: two panels written by one task.
#pragma tla kernel alias(P, Q)
template <typename T> void exchange(tla::Panel<T> P, tla::Panel<T> Q) {
  for (int r = 0; r < P.mt() && r < Q.mt(); ++r)
    swapParts<T>(P(r), Q(r));
}

/// Makes a square tile's two triangles those of definite matrices, with elements that follow from what was there.
#pragma tla kernel
template <typename T> void dominate(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i) {
      A(i, j) = T(0.5) * fuzz::squash(A(i, j));
      if (i == j)
        A(i, j) = T(A.m() + 2);
    }
}

/// Values of all kinds.
#pragma tla kernel
template <typename T> void stamp(int a, int b, int c, int d, int e, tla::Tile<T> C) {
  const int mixed = ((((a * 7 + b) * 5 + c) * 3 + d) * 11 + e) % 1009;
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      fuzz::blend(T(0.001), T(mixed), C, i, j);
}

/// Many values.
#pragma tla kernel
template <typename T>
void census(T alpha, int a, int b, int c, int d, int e, int f, int g, int h, int p, int q, int r, tla::Tile<T> C) {
  const int values[] = {a, b, c, d, e, f, g, h, p, q, r};
  int mixed = 0;
  for (const int value : values)
    mixed = (mixed * 5 + value) % 1009;
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      fuzz::blend(alpha, T(0.001) * T(mixed), C, i, j);
}

//
// Tiles of int, and of float
//

#pragma tla kernel
template <typename T> void narrow(tla::ConstTile<T> A, tla::Tile<float> F) {
  for (int j = 0; j < F.n(); ++j)
    for (int i = 0; i < F.m(); ++i) {
      const T a = fuzz::squash(fuzz::at(A, i, j));
      if constexpr (tla::isComplex<T>)
        fuzz::blend(0.5f, static_cast<float>(a.real()), F, i, j);
      else
        fuzz::blend(0.5f, static_cast<float>(a), F, i, j);
    }
}

#pragma tla kernel
template <typename T> void widen(T alpha, tla::ConstTile<float> F, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      fuzz::blend(alpha, T(fuzz::at(F, i, j)), C, i, j);
}

#pragma tla kernel
inline void clear(tla::OutTile<int> N) {
  for (int j = 0; j < N.n(); ++j)
    for (int i = 0; i < N.m(); ++i)
      N(i, j) = i;
}

#pragma tla kernel
template <typename T> void tally(tla::ConstTile<T> A, tla::Tile<int> N) {
  for (int j = 0; j < N.n(); ++j)
    for (int i = 0; i < N.m(); ++i)
      N(i, j) = (5 * N(i, j) + A.m() + (fuzz::at(A, i, j) == T(0) ? 1 : 2)) % 1009;
}

#pragma tla kernel
template <typename T> void weigh(tla::ConstTile<int> N, tla::Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      fuzz::blend(T(0.01), T(fuzz::at(N, i, j)), C, i, j);
}

//
// What ends a loop
//

namespace fuzz {
template <typename E> void add(int step, tla::Tile<E> K) {
  for (int j = 0; j < K.n(); ++j)
    for (int i = 0; i < K.m(); ++i)
      K(i, j) += E(step);
}
} // namespace fuzz

#pragma tla kernel
template <typename E> void advance(int step, tla::Tile<E> K) { fuzz::add(step, K); }

/// Advances the counter, whose first element does not depend on A.
#pragma tla kernel
template <typename T> void advanceAfter(int step, tla::ConstTile<T> A, tla::Tile<int> K) {
  fuzz::add(step, K);
  for (int j = 1; j < K.n(); ++j)
    K(0, j) = (K(0, j) + A.m()) % 1009;
}
