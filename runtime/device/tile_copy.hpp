// A tile, or a triangle of it, on the way between two places of one node.
#pragma once

#include <tla/types.hpp>

#include <algorithm>
#include <cstddef>

namespace tla::runtime {

/// Elements of a column-major tile that go from one memory to another, each with its own leading dimension: all, those
/// strictly below the diagonal (Region::Lower), or the others (Region::Upper).
struct TileCopy {
  const void *source;
  int sourceLd;
  void *destination;
  int destinationLd;
  int rows, columns;
  std::size_t elementBytes;
  Region region;

  /// Calls visit(byte offset at the source, byte offset at the destination, bytes) for each column.
  template <typename Visit> void forEachColumn(Visit &&visit) const { forEachColumn(visit, 0, columns); }
  /// Visits the columns from `first` on, before `last`.
  template <typename Visit> void forEachColumn(Visit &&visit, int first, int last) const {
    for (int j = first; j < last; ++j) {
      const int diagonal = std::min(j + 1, rows);
      const int begin = region == Region::Lower ? diagonal : 0, end = region == Region::Upper ? diagonal : rows;
      visit((begin + static_cast<std::size_t>(j) * sourceLd) * elementBytes,
            (begin + static_cast<std::size_t>(j) * destinationLd) * elementBytes, (end - begin) * elementBytes);
    }
  }
  /// Bytes of the elements.
  std::size_t bytes() const {
    std::size_t sum = 0;
    forEachColumn([&sum](std::size_t, std::size_t, std::size_t count) { sum += count; });
    return sum;
  }
};

} // namespace tla::runtime
