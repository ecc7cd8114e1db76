#include "runtime/predict/commands/plan_search.hpp"

#include "runtime/host/problem/quantity.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

namespace tla::host {
namespace {

/// 100 bytes that are always taken, and 8 of each element.
double bytesOf(long n) { return 100 + 8.0 * static_cast<double>(n) * static_cast<double>(n); }

TEST(PlanSearch, TheLargestSizeFitsAndALittleMoreDoesNot) {
  for (const double memory : {900.0, 1e4, 1e6, 3e9, 1e13})
    for (const long first : {1L, 50L, 3000L, 2'000'000L})
      for (const long step : {1L, 7L, 512L}) {
        int counts = 0;
        const auto counted = [&](long n) { return ++counts, bytesOf(n); };
        const long n = largestFitting(counted, memory, 100, first, step);
        EXPECT_EQ(n % step, 0);
        EXPECT_LE(counts, 12);
        if (n == 0) {
          EXPECT_GT(bytesOf(step), memory);
          continue;
        }
        EXPECT_LE(bytesOf(n), memory) << n;
        EXPECT_GT(bytesOf(std::max(n + step, n + n / 40)), memory) << memory << " " << first << " " << step;
      }
}

/// Others' tiles, up to a bound, make it grow faster at first and more slowly later.
TEST(PlanSearch, NorNeedsItGrowWithTheSquare) {
  const auto bytes = [](long n) { return bytesOf(n) + 5e5 * std::min(1.0, static_cast<double>(n) / 300); };
  const long n = largestFitting(bytes, 1e6, 100, 40, 1);
  EXPECT_LE(bytes(n), 1e6);
  EXPECT_GT(bytes(n + n / 40), 1e6);
}

TEST(PlanSearch, AFewCountsAreEnough) {
  int counts = 0;
  largestFitting([&](long n) { return ++counts, bytesOf(n); }, 64e9, 100, 50'000, 500);
  EXPECT_LE(counts, 6);
}

std::string refusal(const std::string &text) {
  try {
    memoryOfNode(text);
  } catch (const UsageError &error) {
    return error.what();
  }
  return "";
}

TEST(Memory, UnitsAreUnderstoodAndDemanded) {
  EXPECT_EQ(memoryOfNode("64G"), 64.0 * (1L << 30));
  EXPECT_EQ(memoryOfNode("64GiB"), 64.0 * (1L << 30));
  EXPECT_EQ(memoryOfNode("64GB"), 64e9);
  EXPECT_EQ(memoryOfNode("1.5T"), 1.5 * (1L << 40));
  EXPECT_EQ(memoryOfNode("500M"), 500.0 * (1L << 20));
  EXPECT_EQ(memoryOfNode("500MB"), 500e6);
  EXPECT_EQ(memoryOfNode("8KiB"), 8192);
  EXPECT_EQ(refusal("64"), "--memory 64: of what? a size has a unit, as 64G or 64GiB (2^30 bytes) or 64GB (10^9)");
  for (const char *text : {"", "G", "lots", "-3G", "0GB", "1e400G", "64 apples", "infG", "nanG", "64g"})
    EXPECT_EQ(refusal(text), std::string("--memory needs a size, as 64G or 500M, not '") + text + "'");
}

TEST(Network, OfPortsOrAFile) {
  const auto ports = networkNamed("23GB/s:1.5us");
  EXPECT_DOUBLE_EQ(ports.bandwidth, 23e9);
  EXPECT_DOUBLE_EQ(ports.latency, 1.5e-6);
  EXPECT_TRUE(ports.platform.empty());
  EXPECT_DOUBLE_EQ(networkNamed("100Gbit/s:800ns").bandwidth, 12.5e9);
  EXPECT_DOUBLE_EQ(networkNamed("100Gbit/s:800ns").latency, 800e-9);
  EXPECT_EQ(networkNamed("tree.xml").platform, "tree.xml");
  for (const char *text : {"23GB/s:1.5", "23:1.5us", "0GB/s:1us", "23GB/s:"})
    EXPECT_THROW(networkNamed(text), UsageError) << text;
}

} // namespace
} // namespace tla::host
