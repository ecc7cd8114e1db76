#include "runtime/host/problem/generators/hermitian_source.hpp"

#include <vector>

namespace tla::host {

void HermitianSource::fill(const Block &block) const {
  const auto stored = [&](long row, long column) { return shape_ == Shape::Lower ? row >= column : row <= column; };
  // Of a block, the corners that are farthest from the diagonal say whether all of it lies on one side.
  const long lastRow = block.row + block.m - 1, lastColumn = block.column + block.n - 1;
  const bool some = stored(shape_ == Shape::Lower ? lastRow : block.row,
                           shape_ == Shape::Lower ? block.column : lastColumn),
             all = stored(shape_ == Shape::Lower ? block.row : lastRow,
                          shape_ == Shape::Lower ? lastColumn : block.column);
  if (some)
    file_->fill(block);
  if (all)
    return;
  withNumberType(block.type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> mirror(static_cast<std::size_t>(block.m) * block.n);
    file_->fill({block.type, mirror.data(), block.column, block.row, block.n, block.m, block.n});
    for (int j = 0; j < block.n; ++j)
      for (int i = 0; i < block.m; ++i)
        if (!stored(block.row + i, block.column + j))
          static_cast<T *>(block.elements)[i + static_cast<long>(j) * block.ld] =
              conjugate(mirror[j + static_cast<std::size_t>(i) * block.n]);
  });
}

} // namespace tla::host
