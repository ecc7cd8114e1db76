// How rows of a panel are dealt to blocks, on devices that there are.
#include "kernels/cuda/row_parts.hpp"

#include <gtest/gtest.h>

using namespace tla::kernels::cuda;

namespace {
constexpr Multiprocessors devices[] = {{132, 227 << 10}, {114, 227 << 10}, {108, 163 << 10},
                                       {78, 227 << 10},  {16, 99 << 10},   {1, 99 << 10}};
constexpr std::size_t fixedBytes = 18 << 10;

TEST(RowParts, AllRowsHaveRoom) {
  for (const Multiprocessors &device : devices)
    for (const std::size_t rowBytes : {128, 256, 512})
      for (const int few : {256, 512}) {
        const int most = device.count * static_cast<int>((device.sharedBytes - fixedBytes) / rowBytes / 32 * 32);
        for (int rows = 0; rows <= most; rows += rows < 20000 ? 1 : 37) {
          const auto parts = rowPartsOf(rows, few, fixedBytes, rowBytes, device);
          ASSERT_TRUE(parts) << rows << " of " << most << " rows, " << device.count << " multiprocessors";
          ASSERT_LE(parts->blocks, device.count) << rows;
          ASSERT_GE(parts->blocks, 1) << rows;
          ASSERT_GE(parts->rows, 32) << rows;
          ASSERT_GE(parts->blocks * parts->rows, rows);
          ASSERT_LT((parts->blocks - 1) * parts->rows, std::max(1, rows)) << "a block without rows, of " << rows;
          ASSERT_LE(fixedBytes + parts->rows * rowBytes, static_cast<std::size_t>(device.sharedBytes)) << rows;
        }
        EXPECT_FALSE(rowPartsOf(most + 1, few, fixedBytes, rowBytes, device));
      }
}

TEST(RowParts, FewerRowsMayHaveMoreBlocks) {
  EXPECT_EQ(rowPartsOf(16896, 256, fixedBytes, 256, devices[0])->blocks, 66);
  EXPECT_EQ(rowPartsOf(16897, 256, fixedBytes, 256, devices[0])->blocks, 59);
}

TEST(RowParts, NoRoomAtAll) { EXPECT_FALSE(rowPartsOf(1, 256, 1 << 20, 256, devices[0])); }
} // namespace
