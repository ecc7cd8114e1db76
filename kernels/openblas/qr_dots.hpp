// Loops over a few long columns of real numbers, in vector registers: inner products, and the passes of the
// factorization of a narrow panel.
//
// BLAS has nothing for these: a product V^T C of two narrow panels is packed at a cost above that of the product, and
// each step of a Householder factorization reads the panel twice. Rows are taken a vector at a time, and a remainder
// one by one, by the same code.
#pragma once

#include "kernels/openblas/blocks.hpp"

#include <cstring>

namespace tla::kernels::openblas {

/// 64 bytes: one AVX-512 register; without AVX-512 the compiler splits it.
template <typename T> struct RowVector {
  typedef T type __attribute__((vector_size(64)));
  static constexpr int lanes = 64 / sizeof(T);
};

template <typename V, typename T> [[gnu::always_inline]] inline void loadRows(const T *x, V &v) {
  std::memcpy(&v, x, sizeof v);
}
template <typename V, typename T> [[gnu::always_inline]] inline void storeRows(const V &v, T *x) {
  std::memcpy(x, &v, sizeof v);
}

template <typename T> [[gnu::always_inline]] inline T sumOf(const typename RowVector<T>::type &v) {
  T sum = 0;
  for (int i = 0; i < RowVector<T>::lanes; ++i)
    sum += v[i];
  return sum;
}

/// sums(p, q) += A(:, p)^T B(:, q) over the rows [begin, end), for P columns of A and Q of B.
template <int P, int Q, typename V, typename T>
[[gnu::always_inline]] inline void accumulateProducts(ConstTile<T> A, ConstTile<T> B, int begin, int end,
                                                      V (&sums)[P][Q]) {
  constexpr int lanes = sizeof(V) / sizeof(T);
  for (int r = begin; r < end; r += lanes) {
    V b[Q];
#pragma GCC unroll 4
    for (int q = 0; q < Q; ++q)
      loadRows(&B(r, q), b[q]);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) {
      V a;
      loadRows(&A(r, p), a);
#pragma GCC unroll 4
      for (int q = 0; q < Q; ++q)
        sums[p][q] += a * b[q];
    }
  }
}

/// W += A^T B for P columns of A and Q of B.
template <int P, int Q, typename T>
[[gnu::always_inline]] inline void addProductsOf(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  using V = typename RowVector<T>::type;
  const int whole = A.m() / RowVector<T>::lanes * RowVector<T>::lanes;
  V sums[P][Q] = {};
  accumulateProducts<P, Q>(A, B, 0, whole, sums);
  T rest[P][Q] = {};
  accumulateProducts<P, Q>(A, B, whole, A.m(), rest);
  for (int p = 0; p < P; ++p)
    for (int q = 0; q < Q; ++q)
      W(p, q) += sumOf<T>(sums[p][q]) + rest[p][q];
}

/// W += A^T B, in blocks of 4 x 4 products; the rows are cut so that what is read again is in the level-1 cache.
template <typename T> [[gnu::always_inline]] inline void addProducts(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  const int rows = A.n() <= 4 && B.n() <= 4 ? A.m() : 1024 / static_cast<int>(sizeof(T));
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

/// One step of a Householder factorization on the rows of A that lie below all diagonals: column 0, x, becomes the
/// vector v = scale x; column c, 1 <= c <= N, becomes A(:, c) - v w(c - 1). products(c - 1) returns the new column 1
/// times the new column c: with what the next step begins.
template <int N, typename V, typename T>
[[gnu::always_inline]] inline void reflectRows(T scale, const T *w, Tile<T> A, int begin, int end, V (&products)[N]) {
  constexpr int lanes = sizeof(V) / sizeof(T);
  for (int r = begin; r < end; r += lanes) {
    V v, next = {};
    loadRows(&A(r, 0), v);
    v *= scale;
    storeRows(v, &A(r, 0));
#pragma GCC unroll 8
    for (int c = 1; c <= N; ++c) {
      V a;
      loadRows(&A(r, c), a);
      a -= v * w[c - 1];
      storeRows(a, &A(r, c));
      if (c == 1)
        next = a;
      products[c - 1] += next * a;
    }
  }
}

template <int N, typename T> [[gnu::always_inline]] inline void reflectAll(T scale, const T *w, Tile<T> A, T *products) {
  using V = typename RowVector<T>::type;
  const int whole = A.m() / RowVector<T>::lanes * RowVector<T>::lanes;
  V sums[N] = {};
  reflectRows<N>(scale, w, A, 0, whole, sums);
  T rest[N] = {};
  reflectRows<N>(scale, w, A, whole, A.m(), rest);
  for (int c = 0; c < N; ++c)
    products[c] = sumOf<T>(sums[c]) + rest[c];
}

/// The most columns of a panel that is factored in one piece.
inline constexpr int qrLeaf = 8;

/// The step for A.n() <= qrLeaf columns.
template <typename T> [[gnu::always_inline]] inline void reflectStep(T scale, const T *w, Tile<T> A, T *products) {
  switch (A.n() - 1) {
  case 0:
    for (int r = 0; r < A.m(); ++r)
      A(r, 0) *= scale;
    return;
  case 1:
    return reflectAll<1>(scale, w, A, products);
  case 2:
    return reflectAll<2>(scale, w, A, products);
  case 3:
    return reflectAll<3>(scale, w, A, products);
  case 4:
    return reflectAll<4>(scale, w, A, products);
  case 5:
    return reflectAll<5>(scale, w, A, products);
  case 6:
    return reflectAll<6>(scale, w, A, products);
  default:
    return reflectAll<7>(scale, w, A, products);
  }
}

// The same code for three instruction sets: this file is compiled for the oldest CPU.
#if defined(__x86_64__)
#define TLA_QR_TARGETS(name, parameters, arguments)                                                                    \
  template <typename T> [[gnu::target("avx512f,fma")]] void name##Avx512 parameters { name arguments; }                \
  template <typename T> [[gnu::target("avx2,fma")]] void name##Avx2 parameters { name arguments; }                     \
  template <typename T> void name##Here parameters {                                                                   \
    if (__builtin_cpu_supports("avx512f"))                                                                             \
      return name##Avx512 arguments;                                                                                   \
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                                               \
      return name##Avx2 arguments;                                                                                     \
    name arguments;                                                                                                    \
  }
#else
#define TLA_QR_TARGETS(name, parameters, arguments)                                                                    \
  template <typename T> void name##Here parameters { name arguments; }
#endif
TLA_QR_TARGETS(addProducts, (ConstTile<T> A, ConstTile<T> B, Tile<T> W), (A, B, W))
TLA_QR_TARGETS(reflectStep, (T scale, const T *w, Tile<T> A, T *products), (scale, w, A, products))
#undef TLA_QR_TARGETS

} // namespace tla::kernels::openblas
