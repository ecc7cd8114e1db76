// How the rows of a panel are dealt to the blocks of a kernel that wait for each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tla::kernels::cuda {

/// The multiprocessors of a device that such kernels use.
struct Multiprocessors {
  int count;
  int sharedBytes; ///< shared memory that one block can have
};

/// The number of blocks, no more than multiprocessors, so that all are resident at one time, and the rows that each
/// keeps in shared memory.
struct RowParts {
  int blocks, rows;
};

/// `few` rows for each block at first, since it takes its time by rows; then as many as are dealt to half of the
/// device; then as many as a block has room for, beside `fixedBytes`. Nothing when that is not enough. Fewer rows in
/// all may have more blocks.
inline std::optional<RowParts> rowPartsOf(int rows, int few, std::size_t fixedBytes, std::size_t rowBytes,
                                          const Multiprocessors &device) {
  constexpr int warp = 32;
  const auto rounded = [](int count) { return (count + warp - 1) / warp * warp; };
  const int half = std::max(1, device.count / 2), sharedBytes = device.sharedBytes - static_cast<int>(fixedBytes);
  const int most = std::max(0, sharedBytes) / static_cast<int>(rowBytes) / warp * warp;
  const int each = std::min(most, std::max(few, rounded((rows + half - 1) / half)));
  if (each == 0)
    return std::nullopt;
  const int blocks = std::max(1, (rows + each - 1) / each);
  return blocks <= device.count ? std::optional(RowParts{blocks, each}) : std::nullopt;
}

} // namespace tla::kernels::cuda
