#pragma once

#include <tla/storage.hpp>

namespace tla::test {

/// A matrix of 1 x 1 tiles of long.
struct Numbers {
  explicit Numbers(int m, int n = 1) : storage(m, n, 1, 1, sizeof(long), Shape::General) {
    storage.allocate();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        at(i, j) = 0;
  }
  long &at(int i, int j = 0) { return *static_cast<long *>(storage.tile(i, j)); }
  Storage storage;
};

} // namespace tla::test
