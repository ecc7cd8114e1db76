// Loops over a few long columns of real numbers, in vector registers: inner products, and the passes of the
// factorization of a narrow panel.
//
// BLAS has nothing for these: a product V^T C of two narrow panels is packed at a cost above that of the product, and
// each step of a Householder factorization reads the panel twice. Rows are taken a vector at a time; the last vector
// may be filled up with zeros. There is no loop over single rows: a compiler may have two versions of it, chosen by
// whether columns overlap, of which one fuses products and sums, and the bits of a result must not depend on where a
// tile lies.
#pragma once

#include "kernels/recursive/blocks.hpp"
#include "kernels/vectors/isa.hpp"

#include <cstring>

namespace tla::kernels::recursive {

using vectors::WideVector, vectors::vectorized;

/// The rows of one vector: all lanes, or the first `count` and zeros.
struct AllRows {
  template <typename V, typename T> [[gnu::always_inline]] void load(const T *x, V &v) const {
    std::memcpy(&v, x, sizeof v);
  }
  template <typename V, typename T> [[gnu::always_inline]] void store(const V &v, T *x) const {
    std::memcpy(x, &v, sizeof v);
  }
};
struct FirstRows {
  int count;
  template <typename V, typename T> [[gnu::always_inline]] void load(const T *x, V &v) const {
    v = V{};
    std::memcpy(&v, x, count * sizeof(T));
  }
  template <typename V, typename T> [[gnu::always_inline]] void store(const V &v, T *x) const {
    std::memcpy(x, &v, count * sizeof(T));
  }
};

/// visit(row, AllRows or FirstRows) for m rows, a vector of `lanes` at a time.
template <int lanes, typename Visit> [[gnu::always_inline]] inline void forRows(int m, Visit visit) {
  int r = 0;
  for (; r + lanes <= m; r += lanes)
    visit(r, AllRows{});
  if (r < m)
    visit(r, FirstRows{m - r});
}

/// The sum of all lanes, by halves.
template <typename T, typename V> [[gnu::always_inline]] inline T sumOf(const V &v) {
  if constexpr (sizeof(V) == 2 * sizeof(T)) {
    return v[0] + v[1];
  } else {
    typedef T Half __attribute__((vector_size(sizeof(V) / 2)));
    Half half[2];
    std::memcpy(half, &v, sizeof v);
    return sumOf<T>(half[0] + half[1]);
  }
}

/// sums(p, q) += A(r : , p)^T B(r : , q) over the rows of one vector, for P columns of A and Q of B.
template <int P, int Q, typename V, typename Rows, typename T>
[[gnu::always_inline]] inline void accumulateProducts(ConstTile<T> A, ConstTile<T> B, int r, Rows rows,
                                                      V (&sums)[P][Q]) {
  V b[Q];
#pragma GCC unroll 4
  for (int q = 0; q < Q; ++q)
    rows.load(&B(r, q), b[q]);
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p) {
    V a;
    rows.load(&A(r, p), a);
#pragma GCC unroll 4
    for (int q = 0; q < Q; ++q)
      sums[p][q] += a * b[q];
  }
}

/// W += A^T B for P columns of A and Q of B.
template <int P, int Q, typename T>
[[gnu::always_inline]] inline void addProductsOf(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  using V = typename WideVector<T>::type;
  V sums[P][Q] = {};
  forRows<WideVector<T>::lanes>(A.m(), [&](int r, auto rows)
                                           [[gnu::always_inline]] { accumulateProducts<P, Q>(A, B, r, rows, sums); });
  for (int p = 0; p < P; ++p)
    for (int q = 0; q < Q; ++q)
      W(p, q) += sumOf<T>(sums[p][q]);
}

/// W += A^T B, in blocks of 4 x 4 products; the rows are cut so that what is read again is in the level-1 cache.
template <typename T> [[gnu::always_inline]] inline void addProducts(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  constexpr int cache = 32768 / sizeof(T);
  const int most = std::max(64, cache / std::max(1, A.n() + B.n())), rows = A.m() < 2 * most ? A.m() : most;
  for (int r = 0; r < A.m(); r += rows) {
    const int m = std::min(rows, A.m() - r);
    for (int p = 0; p < A.n(); p += p + 4 <= A.n() ? 4 : 1)
      for (int q = 0; q < B.n(); q += q + 4 <= B.n() ? 4 : 1) {
        const bool manyP = p + 4 <= A.n(), manyQ = q + 4 <= B.n();
        const ConstTile<T> a = block(A, r, p, m, manyP ? 4 : 1), b = block(B, r, q, m, manyQ ? 4 : 1);
        const Tile<T> w = block(W, p, q, a.n(), b.n());
        if (manyP && manyQ)
          addProductsOf<4, 4, T>(a, b, w);
        else if (manyP)
          addProductsOf<4, 1, T>(a, b, w);
        else if (manyQ)
          addProductsOf<1, 4, T>(a, b, w);
        else
          addProductsOf<1, 1, T>(a, b, w);
      }
  }
}

/// One step of the factorization of N columns, on one vector of the rows of A that lie below all diagonals. Columns
/// before J hold vectors v, the last of them still to be multiplied by `scale`; column J is to become x = A(:, J) - sum
/// over c < J of v_c w(c); the columns after it are as they were. products(c) += x^T A(:, c) for all c, where A(:, J)
/// is x.
///
/// The updates of a column wait until its own step, so that a step writes two columns only, and the products of the
/// vectors with each other, which the triangular factor needs, come with those of the columns.
template <int N, int J, typename V, typename Rows, typename T>
[[gnu::always_inline]] inline void stepOnRows(T scale, const T *w, Tile<T> A, int r, Rows rows, V (&products)[N]) {
  V a[N];
#pragma GCC unroll 8
  for (int c = 0; c < N; ++c)
    rows.load(&A(r, c), a[c]);
  if constexpr (J > 0) {
    a[J - 1] *= scale;
    rows.store(a[J - 1], &A(r, J - 1));
  }
#pragma GCC unroll 8
  for (int c = 0; c < J; ++c)
    a[J] -= a[c] * w[c];
  rows.store(a[J], &A(r, J));
#pragma GCC unroll 8
  for (int c = 0; c < N; ++c)
    products[c] += a[J] * a[c];
}

template <int N, int J, typename T>
[[gnu::always_inline]] inline void stepOnColumns(T scale, const T *w, Tile<T> A, T *products) {
  using V = typename WideVector<T>::type;
  V sums[N] = {};
  forRows<WideVector<T>::lanes>(A.m(), [&](int r, auto rows)
                                           [[gnu::always_inline]] { stepOnRows<N, J>(scale, w, A, r, rows, sums); });
  for (int c = 0; c < N; ++c)
    products[c] = sumOf<T>(sums[c]);
}

/// The most columns of a panel that are factored in one piece; a piece has a power of two of them.
inline constexpr int qrLeaf = 8;

template <int N, int J = 0, typename T>
[[gnu::always_inline]] inline void stepOf(int j, T scale, const T *w, Tile<T> A, T *products) {
  if constexpr (J < N) {
    if (j == J)
      stepOnColumns<N, J>(scale, w, A, products);
    else
      stepOf<N, J + 1>(j, scale, w, A, products);
  }
}

/// Step j for A.n() = 1, 2, 4 or 8 columns.
template <typename T>
[[gnu::always_inline]] inline void reflectorStep(int j, T scale, const T *w, Tile<T> A, T *products) {
  switch (A.n()) {
  case 1:
    return stepOf<1>(j, scale, w, A, products);
  case 2:
    return stepOf<2>(j, scale, w, A, products);
  case 4:
    return stepOf<4>(j, scale, w, A, products);
  default:
    return stepOf<8>(j, scale, w, A, products);
  }
}

TLA_COMPILE_FOR_ISAS(addProducts, (ConstTile<T> A, ConstTile<T> B, Tile<T> W), (A, B, W))

} // namespace tla::kernels::recursive
