#include "runtime/host/files/npy.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/problem.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using runtime::Values;

const runtime::MatrixParameter &parameter(int matrix) { return test::luWithPivots<double>().matrices[matrix]; }

TEST(Layout, ATileIsAPieceOfItsOwn) {
  const StorageRef A = describeStorage(parameter(0), {100, 70, 0, nullptr}, 32);
  allocateStorage(*A, {});
  EXPECT_TRUE(A->tiled());
  const auto *const first = static_cast<const char *>(A->tile(0, 0));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  EXPECT_EQ(A->tile(1, 0), first + 32 * 32 * 8) << "one behind the other";
  EXPECT_EQ(A->ld(0), 32);
  EXPECT_EQ(A->ld(3), 4);
}

TEST(Layout, EachRankHasMemoryForItsTiles) {
  const Values values{100, 70, 0, nullptr};
  const Distribution distribution = Distribution::blockCyclic(2, 2);
  for (int matrix = 0; matrix < 2; ++matrix)
    for (int rank = 0; rank < 4; ++rank) {
      const Placement placement{distribution, rank};
      const StorageRef A = describeStorage(parameter(matrix), values, 16);
      allocateStorage(*A, placement);
      const auto *const begin = static_cast<const char *>(A->memory());
      const double tables = A->mt() * A->nt() * (sizeof(void *) + 64.0);
      const auto bytes = static_cast<long>(storageBytes(parameter(matrix), values, 16, placement) - tables);
      const char *last = begin;
      for (int j = 0; j < A->nt(); ++j)
        for (int i = 0; i < A->mt(); ++i) {
          const auto *const tile = static_cast<const char *>(A->tile(i, j));
          ASSERT_EQ(tile != nullptr, placement.owns(*A, i, j)) << i << " " << j;
          if (!tile)
            continue;
          EXPECT_GE(tile, last);
          last = tile;
          EXPECT_LE(tile + ((A->tileCols(j) - 1L) * A->ld(i) + A->tileRows(i)) * A->elementBytes(), begin + bytes);
        }
    }
}

TEST(Layout, WorkspacesAreCountedInTiles) {
  const StorageRef W = describeStorage(parameter(2), {100, 70, 0, nullptr}, 32);
  EXPECT_EQ(W->mt(), 4);
  EXPECT_EQ(W->nt(), 3);
  EXPECT_EQ(W->tileRows(3), 2);
  EXPECT_EQ(W->tileCols(2), 32) << "all of one size";
  EXPECT_EQ(test::usageError([] {
              describeStorage(parameter(2), {100, 1L << 31, 0, nullptr}, 32);
            }),
            "the workspace W would be 8 x 2147483648 in tiles of 2 x 32: sizes must be between 0 and 2^31 - 1");
}

TEST(Layout, BytesAreThoseOfTheStorage) {
  for (const long n : {0, 1, 70, 400})
    for (int matrix = 0; matrix < 3; ++matrix) {
      const Values values{n + 3, n, 0, nullptr};
      const StorageRef storage = describeStorage(parameter(matrix), values, 32);
      const double tables = static_cast<double>(storage->mt()) * storage->nt() * (sizeof(void *) + 64);
      const auto bytes = static_cast<double>(storage->bytes());
      EXPECT_EQ(storageBytes(parameter(matrix), values, 32, {}), bytes + tables) << matrix << " " << n;
    }
}

/// One small matrix, repeated runs.
TEST(Layout, IntegersAndWorkspacesInARun) {
  const test::TemporaryFolder folder;
  const test::RunResult run =
      test::runProgram(test::luWithPivots<double>(),
                       {"-m", "40", "-n", "30", "--nb", "16", "--repeat", "2", "--kernels", "reference", "--no-check",
                        "--output", "ipiv=" + folder.path("ipiv.npy"), "--output", "A=" + folder.path("a.npy")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("input     A: random\n"), std::string::npos) << run.out;
  const std::string pivots = test::readFile(folder.path("ipiv.npy"));
  EXPECT_NE(pivots.find("'descr': '<i4'"), std::string::npos);
  EXPECT_NE(pivots.find("'shape': (30, 1)"), std::string::npos);
  std::vector<int> ipiv(30);
  std::memcpy(ipiv.data(), pivots.data() + pivots.size() - 120, 120);
  for (int k = 0; k < 30; ++k)
    EXPECT_TRUE(ipiv[k] > k && ipiv[k] <= 40) << k;
  EXPECT_EQ(openMatrixFile(folder.path("a.npy"))->shape().rows, 40);
}

TEST(Layout, WhatNobodyGives) {
  const auto error = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-n", "5", "--kernels", "reference"});
    return test::runProgram(test::luWithPivots<double>(), arguments).err;
  };
  EXPECT_EQ(error({"--input", "W=w.npy"}), "hetc: --input: W is a workspace; nobody gives it\n");
  EXPECT_EQ(error({"--generate", "ipiv=random"}),
            "hetc: ipiv is a matrix of integers, which random does not make; choose zero or pivots\n");
  EXPECT_EQ(error({"--output", "W=w.npy"}), "hetc: --output: W is a workspace of lu, not a result\n");
}

TEST(Layout, AZeroPivotIsSaidAtTheEnd) {
  const test::RunResult run = test::runProgram(
      test::luWithPivots<double>(), {"-n", "5", "--generate", "A=zero", "--no-check", "--kernels", "reference"});
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.err, "hetc: lu: U(1, 1) is exactly zero (getrf on A(0, 0), lu.tla:5)\n");
}
} // namespace
} // namespace tla::host
