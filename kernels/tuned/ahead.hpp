// What the micro-kernel asks for ahead of its use.
//
// The tiles of a product come from memory or from the level-3 cache, in short columns far apart, which no prefetcher of
// the CPU follows; waiting for them costs a tenth of the time of a product of tiles. So each call of the micro-kernel
// prefetches what later calls will read.
#pragma once

#include "kernels/tuned/micro_kernel.hpp"

namespace tla::kernels::tuned {

/// `pieces` of memory of so many cache lines each, `step` bytes from one to the next.
struct FetchedRegion {
  static constexpr int line = 64;

  const char *data = nullptr;
  long step = 0;
  int pieces = 0, linesOfPiece = 1;

  int lines() const { return pieces * linesOfPiece; }

  /// The region of pieces of `count` elements each, `step` elements apart.
  template <typename T> static FetchedRegion of(const T *data, int count, long step, int pieces) {
    return {reinterpret_cast<const char *>(data), step * static_cast<long>(sizeof(T)), pieces,
            (count * static_cast<int>(sizeof(T)) + line - 1) / line};
  }

  /// The run of lines from line number `first` on. The lines count along long pieces; of many short ones first the
  /// first lines of all, then the second. Where a long piece ends in the middle of a run, the lines behind it are asked
  /// for in vain.
  Ahead run(int first) const {
    if (linesOfPiece > pieces)
      return {data + first / linesOfPiece * step + first % linesOfPiece * line, line};
    return {data + first % pieces * step + first / pieces * line, step};
  }
};

} // namespace tla::kernels::tuned
