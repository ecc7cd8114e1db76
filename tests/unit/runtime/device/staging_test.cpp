// Copies on the host in parts: each element arrives once, whoever helps, and nothing beside it is touched.
#include "runtime/device/cuda/staging_threads.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <thread>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {
struct Tile {
  Tile(int rows, int columns, int ld, double first) : rows(rows), ld(ld), data(static_cast<std::size_t>(ld) * columns) {
    for (std::size_t i = 0; i < data.size(); ++i)
      data[i] = first + static_cast<double>(i);
  }
  int rows, ld;
  std::vector<double> data;
};

/// Some copies, one after the other, of random shapes from small to some MB.
void copySome(StagingThreads &threads, unsigned seed, int copies) {
  std::mt19937 random(seed);
  const auto upTo = [&](int most) { return 1 + static_cast<int>(random() % most); };
  for (int k = 0; k < copies; ++k) {
    const int rows = upTo(900), columns = upTo(900);
    const Tile from(rows, columns, rows + upTo(3) - 1, 0);
    Tile to(rows, columns, rows + upTo(3) - 1, -1e9), expected = to;
    const Region region = static_cast<Region>(random() % 3);
    const TileCopy copy{from.data.data(), from.ld, to.data.data(), to.ld, rows, columns, sizeof(double), region};
    TileCopy plain = copy;
    plain.destination = expected.data.data();
    plain.forEachColumn([&](std::size_t source, std::size_t destination, std::size_t bytes) {
      std::copy_n(reinterpret_cast<const char *>(from.data.data()) + source, bytes,
                  reinterpret_cast<char *>(expected.data.data()) + destination);
    });
    threads.copy(copy);
    ASSERT_EQ(to.data, expected.data) << rows << " x " << columns << " seed " << seed;
  }
}

TEST(StagingThreads, CopyWhatOneWould) {
  for (const int helpers : {0, 1, 3}) {
    StagingThreads threads(helpers);
    copySome(threads, 1 + helpers, 60);
  }
}

TEST(StagingThreads, ServeSeveralAtOnce) {
  StagingThreads threads(3);
  std::vector<std::thread> askers;
  for (unsigned asker = 0; asker < 4; ++asker)
    askers.emplace_back([&, asker] { copySome(threads, 10 + asker, 30); });
  for (std::thread &asker : askers)
    asker.join();
}

TEST(StagingThreads, TakeNothingToCopy) {
  StagingThreads threads(2);
  double one = 1;
  threads.copy({&one, 1, &one, 1, 0, 5, sizeof one, Region::Full});
  threads.copy({&one, 1, &one, 1, 1, 0, sizeof one, Region::Full});
  EXPECT_EQ(one, 1);
  EXPECT_EQ(&StagingThreads::ofThisProcess(), &StagingThreads::ofThisProcess());
}
} // namespace
