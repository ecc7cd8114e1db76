// The micro-kernel: C = alpha op(A) op(B) + beta C for as much of C as the vector registers hold, over a block of k
// (the innermost loop of Goto and van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS 34, 2008).
//
// Complex types run the same loop. A is taken as a real matrix of twice the rows, B as one of twice the columns, real
// and imaginary parts in turn; so columns 2j and 2j + 1 of the accumulators are A re(b_j) and A im(b_j), and their sum
// is put together once, at the end: column 2j + i times column 2j + 1.
#pragma once

#include "kernels/tuned/configuration.hpp"

#include <tla/types.hpp>

#include <utility>

namespace tla::kernels::tuned {

/// Real numbers in one element.
template <typename T> inline constexpr int parts = isComplex<T> ? 2 : 1;

/// How the micro-kernel goes through a strip of an operand: number i of step l is data[l * step + i] for op(A), element
/// j of step l is at data + l * step + j * stride for op(B). In real numbers.
template <typename Real> struct Strip {
  const Real *data;
  long step, stride;
};

/// What the product becomes part of. Only rows x columns elements of C are there.
template <typename T> struct Update {
  T alpha, beta;
  bool conjugateB;
  T *C;
  long ld;
  int rows, columns;
};

/// Code for one shape: `vectors` and `columns` at most those of the configuration.
template <typename T, GemmConfiguration g, int vectors, int columns> class MicroKernel {
  using Real = RealType<T>;
  static constexpr int lanes = Vector<Real, g.isa>::lanes;
  using V = typename Vector<Real, g.isa>::Type;

public:
  /// Additions go in the order of l, one product at a time, whatever the shape: where an element lies in C, and how
  /// the operands are packed, does not change its bits.
  [[gnu::always_inline]] static inline void run(int k, Strip<Real> a, Strip<Real> b, const Update<T> &update) {
    prefetchC(update);
    V sum[columns][vectors] = {};
    int l = 0;
    for (; l + g.unroll <= k; l += g.unroll) {
#pragma GCC unroll 16
      for (int u = 0; u < g.unroll; ++u)
        addStep(a, b, sum);
    }
    for (; l < k; ++l)
      addStep(a, b, sum);
    if (update.rows == vectors * lanes / parts<T> && update.columns == columns / parts<T>)
      store<true>(sum, update);
    else
      store<false>(sum, update);
  }

private:
  [[gnu::always_inline]] static inline void prefetchC(const Update<T> &update) {
    for (int j = 0; j < update.columns; ++j)
      for (int i = 0; i < vectors; ++i)
        __builtin_prefetch(reinterpret_cast<const char *>(update.C + j * update.ld) + i * vectorBytes(g.isa), 1);
  }

  [[gnu::always_inline]] static inline void addStep(Strip<Real> &a, Strip<Real> &b, V (&sum)[columns][vectors]) {
    // Keeps loads in their step: moved ahead across steps they would need more registers than there are.
    asm volatile("" : "+r"(a.data), "+r"(b.data)::"memory");
    V x[vectors];
#pragma GCC unroll 16
    for (int i = 0; i < vectors; ++i)
      x[i] = *reinterpret_cast<const V *>(a.data + i * lanes);
    if constexpr (g.prefetch > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        __builtin_prefetch(a.data + g.prefetch * a.step + i * lanes);
    }
#pragma GCC unroll 32
    for (int j = 0; j < columns; ++j) {
      const Real y = b.data[j / parts<T> * b.stride + j % parts<T>];
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        sum[j][i] += x[i] * y;
    }
    a.data += a.step;
    b.data += b.step;
  }

  template <bool full> [[gnu::always_inline]] static inline void store(V (&sum)[columns][vectors], const Update<T> &to) {
#pragma GCC unroll 32
    for (int j = 0; j < columns / parts<T>; ++j) {
      if (!full && j >= to.columns)
        break;
      Real *const column = reinterpret_cast<Real *>(to.C + j * to.ld);
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        if constexpr (full)
          storeVector(product(sum, i, j, to.conjugateB), to, column + i * lanes);
        else
          storePart(product(sum, i, j, to.conjugateB), to, column + i * lanes, to.rows * parts<T> - i * lanes);
    }
  }

  /// Vector i of column j of op(A) op(B).
  [[gnu::always_inline]] static inline V product(V (&sum)[columns][vectors], int i, int j, bool conjugateB) {
    if constexpr (!isComplex<T>)
      return sum[j][i];
    else
      return sum[2 * j][i] + timesI(sum[2 * j + 1][i]) * (conjugateB ? Real(-1) : Real(1));
  }

  /// i x, for a vector of complex numbers.
  [[gnu::always_inline]] static inline V timesI(V x) { return timesI(x, std::make_index_sequence<lanes>()); }
  template <std::size_t... lane> [[gnu::always_inline]] static inline V timesI(V x, std::index_sequence<lane...>) {
    return __builtin_shufflevector(x, x, (lane ^ 1)...) * V{(lane % 2 ? Real(1) : Real(-1))...};
  }

  [[gnu::always_inline]] static inline V times(T factor, V x) {
    if constexpr (!isComplex<T>)
      return x * factor;
    else
      return x * factor.real() + timesI(x) * factor.imag();
  }

  [[gnu::always_inline]] static inline void storeVector(V product, const Update<T> &to, Real *c) {
    product = times(to.alpha, product);
    V &element = *reinterpret_cast<V *>(c);
    if (to.beta == T(0))
      element = product;
    else if (to.beta == T(1))
      element += product;
    else
      element = times(to.beta, element) + product;
  }

  /// The first `count` numbers of a vector, by way of a copy of them.
  [[gnu::always_inline]] static inline void storePart(V product, const Update<T> &to, Real *c, int count) {
    if (count <= 0)
      return;
    count = count < lanes ? count : lanes;
    V copy = {};
    Real *const part = reinterpret_cast<Real *>(&copy);
    for (int lane = 0; lane < count && to.beta != T(0); ++lane)
      part[lane] = c[lane];
    storeVector(product, to, part);
    for (int lane = 0; lane < count; ++lane)
      c[lane] = part[lane];
  }
};

} // namespace tla::kernels::tuned
