// Packing: strips of an operand, copied in the order in which the micro-kernel reads them.
#pragma once

#include "kernels/tuned/micro_kernel.hpp"

#include <tla/tile.hpp>

#include <algorithm>

namespace tla::kernels::tuned {

/// An operand as packing sees it: strips are cut across i, the rows of op(A) or the columns of op(B), and run along l,
/// the steps of k. Element (i, l) is data[i * across + l * along], where one of the two is 1.
template <typename T> struct Source {
  const T *data;
  long across, along;

  const T &operator()(int i, int l) const { return data[i * across + l * along]; }
  Source from(int i, int l) const { return {&(*this)(i, l), across, along}; }
};

template <typename T> Source<T> rowsOf(Op op, ConstTile<T> A) {
  return op == Op::NoTrans ? Source<T>{A.data(), 1, A.ld()} : Source<T>{A.data(), A.ld(), 1};
}
template <typename T> Source<T> columnsOf(Op op, ConstTile<T> B) {
  return op == Op::NoTrans ? Source<T>{B.data(), B.ld(), 1} : Source<T>{B.data(), 1, B.ld()};
}

template <bool conjugate, typename T> [[gnu::always_inline]] inline T conjugatedIf(T x) {
  if constexpr (conjugate && isComplex<T>)
    return T(x.real(), -x.imag());
  else
    return x;
}

/// A strip of `width` elements, `depth` steps.
template <bool conjugate, int width, typename T>
[[gnu::always_inline]] inline void packStrip(Source<T> source, int depth, T *to) {
  for (int l = 0; l < depth; ++l, to += width)
    if (source.across == 1) {
#pragma GCC unroll 64
      for (int i = 0; i < width; ++i)
        to[i] = conjugatedIf<conjugate>((&source(0, l))[i]);
    } else {
#pragma GCC unroll 64
      for (int i = 0; i < width; ++i)
        to[i] = conjugatedIf<conjugate>(source(i, l));
    }
}

/// The last strip: `count` elements, filled up with zeros to `width`.
template <bool conjugate, typename T>
[[gnu::always_inline]] inline void packLastStrip(Source<T> source, int count, int width, int depth, T *to) {
  for (int l = 0; l < depth; ++l, to += width) {
    for (int i = 0; i < count; ++i)
      to[i] = conjugatedIf<conjugate>(source(i, l));
    std::fill(to + count, to + width, T(0));
  }
}

} // namespace tla::kernels::tuned
