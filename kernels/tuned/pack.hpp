// Packing: strips of an operand, copied in the order in which the micro-kernel reads them.
#pragma once

#include "kernels/recursive/transpose.hpp"
#include "kernels/tuned/micro_kernel.hpp"

#include <tla/tile.hpp>

#include <algorithm>
#include <cstring>

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

/// Strips of `width` elements, `depth` steps, each of which lies in one piece, one strip behind the other. The steps
/// are far apart, so that no prefetcher of the CPU follows them; strips are taken together to use a page of memory for
/// more than one.
template <bool conjugate, int width, typename T>
[[gnu::always_inline]] inline void packStripsOfRuns(Source<T> source, int count, int depth, T *to) {
  constexpr int together = std::max<int>(1, 512 / (width * sizeof(T))), stepsAhead = 8, bytes = width * sizeof(T);
  for (int begin = 0; begin < count; begin += together) {
    const int end = std::min(count, begin + together);
    for (int l = 0; l < depth; ++l)
      for (int s = begin; s < end; ++s) {
        const T *const from = &source(s * width, l);
        T *const step = to + (static_cast<long>(s) * depth + l) * width;
        for (int byte = 0; byte < bytes; byte += 64)
          __builtin_prefetch(reinterpret_cast<const char *>(from + stepsAhead * source.along) + byte);
        if constexpr (conjugate && isComplex<T>)
          for (int i = 0; i < width; ++i)
            step[i] = conjugatedIf<true>(from[i]);
        else
          std::memcpy(step, from, bytes);
      }
  }
}

/// One strip of which each element's steps lie in one piece.
template <bool conjugate, int width, typename T>
[[gnu::always_inline]] inline void packStripOfColumns(Source<T> source, int depth, T *to) {
  int l = 0;
  if constexpr (!isComplex<T>)
    if constexpr (constexpr int lanes = recursive::WideVector<T>::lanes; width % lanes == 0)
      for (; l + lanes <= depth; l += lanes)
        for (int i = 0; i < width; i += lanes)
          recursive::transposeSquare(&source(i, l), source.across, to + l * width + i, width);
  for (; l < depth; ++l)
    for (int i = 0; i < width; ++i)
      to[l * width + i] = conjugatedIf<conjugate>(source(i, l));
}

/// Whole strips, one behind the other.
template <bool conjugate, int width, typename T>
[[gnu::always_inline]] inline void packStrips(Source<T> source, int count, int depth, T *to) {
  if (source.across == 1)
    return packStripsOfRuns<conjugate, width>(source, count, depth, to);
  for (int s = 0; s < count; ++s)
    packStripOfColumns<conjugate, width>(source.from(s * width, 0), depth, to + static_cast<long>(s) * width * depth);
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
