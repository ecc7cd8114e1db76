#include "runtime/host/problem/memory.hpp"
#include "runtime/host/problem/problem.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace tla::host {
namespace {

TEST(Memory, AgreesWithStorage) {
  for (const Shape shape : {Shape::General, Shape::Lower, Shape::Upper})
    for (const int n : {0, 1, 63, 64, 65, 200})
      for (const int nb : {1, 7, 64, 300})
        for (const std::size_t bytes : {4, 8, 16}) {
          const int m = shape == Shape::General ? n + 13 : n;
          const Storage storage(m, n, nb, nb, bytes, shape);
          EXPECT_EQ(matrixBytes(m, n, nb, static_cast<double>(bytes), shape), static_cast<double>(storage.bytes()))
              << m << " " << n << " " << nb;
        }
}

TEST(Memory, AbsurdSizesDoNotOverflow) {
  const double n = 2147483647;
  EXPECT_NEAR(matrixBytes(n, n, 512, 16, Shape::General) / (n * n * 16), 1, 0.01);
  EXPECT_TRUE(std::isfinite(tableBytes(n, n, 1)));
}

TEST(Memory, SomeIsAvailable) {
  EXPECT_GT(availableBytes(), 1 << 20);
  EXPECT_LT(availableBytes(), 0x1p60);
}

TEST(Memory, SaysHowMuch) {
  const double GiB = 1024.0 * 1024 * 1024;
  EXPECT_EQ(test::usageError([&] { requireMemory(34.4 * GiB, 23.1 * GiB, "use a smaller -n"); }),
            "needs 34.4 GiB, 23.1 GiB available; use a smaller -n");
  requireMemory(1, 2, "");
}

/// An emulated accelerator takes the host's memory, for as many tiles as there are or as it has memory for.
TEST(Memory, OfAcceleratorsOnTheHost) {
  const auto algorithm = test::cholesky<double>();
  Settings settings;
  settings.n = 1000;
  const auto problem = describeProblem(algorithm, settings);
  problem->nb = 100;
  const double tiles = 55 * 100 * 100 * sizeof(double) + tableBytes(1000, 1000, 100);
  const runtime::AcceleratorProperties large{.memoryBytes = std::size_t(1) << 40, .usesHost = true},
      small{.memoryBytes = 100000, .usesHost = true}, separate{.memoryBytes = std::size_t(1) << 40};
  EXPECT_EQ(acceleratorBytes(*problem, {}), 0);
  EXPECT_EQ(acceleratorBytes(*problem, {large}), tiles);
  EXPECT_EQ(acceleratorBytes(*problem, {large, small, separate, large}), 2 * tiles + 100000);
}
} // namespace
} // namespace tla::host
