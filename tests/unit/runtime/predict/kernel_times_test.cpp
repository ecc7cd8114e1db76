#include "runtime/predict/rates/kernel_times.hpp"
#include "tests/unit/runtime/predict/traced.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {

using test::traced;

double secondsOf(const KernelTimes &times, const char *kernel, const char *place, int accesses) {
  return times.secondsOf({kernel, place, nullptr, nullptr}, accesses);
}

TEST(KernelTimes, EstimatesWhatTheSampleNeverRan) {
  KernelTimes times;
  times.add(traced({{0, 3, 4}, {0, 3, 4}}));
  times.add(traced({{0, 3, 1}, {0, 3, 3}})); // 2 s each, undisturbed
  times.add(traced({{1, 2, 1}, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}}));
  EXPECT_EQ(secondsOf(times, "gemm", "x.tla:1", 3), 2);
  EXPECT_EQ(secondsOf(times, "gemm", "x.tla:9", 3), 2);
  EXPECT_EQ(secondsOf(times, "herk", "x.tla:4", 2), (2 * 2.0 + 6 * 1.0) / 8);
}

TEST(KernelTimes, SlicesDiffer) {
  runtime::Statistics statistics = traced({{0, 3, 1}, {0, 3, 8}});
  statistics.trace[0].slice = 0;
  statistics.trace[1].slice = 1;
  KernelTimes times;
  times.add(statistics);
  const runtime::TaskClass gemm{"gemm", "x.tla:1", nullptr, nullptr};
  EXPECT_EQ(times.secondsOf(gemm, 3, 0), 1);
  EXPECT_EQ(times.secondsOf(gemm, 3, 1), 8);
  EXPECT_EQ(times.secondsOf(gemm, 3), 4.5) << "a whole tile was never met";
}

TEST(KernelTimes, PanelsAreLongerThanInTheSample) {
  KernelTimes times;
  times.add(traced({{2, 1, 3}, {2, 2, 5}, {2, 3, 7}, {1, 2, 4}, {0, 1, 2}, {0, 3, 1}}));
  EXPECT_EQ(secondsOf(times, "getrf", "x.tla:3", 2), 5);
  EXPECT_EQ(secondsOf(times, "getrf", "x.tla:3", 100), 201) << "a line through the measured lengths";
  EXPECT_EQ(secondsOf(times, "trsm", "x.tla:2", 10), 20) << "one length: proportional";
  EXPECT_EQ(secondsOf(times, "gemm", "x.tla:1", 100), 1.5) << "never faster with more tiles";
}

/// A kernel of the program's own does the more the further the program is, as a merge of divide and conquer does.
TEST(KernelTimes, OwnKernelsHaveARate) {
  runtime::Statistics statistics = traced({{0, 3, 4}, {0, 3, 8}}); // 6 s on the mean
  statistics.classes[0].flops = 24;
  statistics.classes[0].seconds = 12;
  KernelTimes times;
  times.add(statistics);
  runtime::TaskClass kernel{"gemm", "x.tla:1", nullptr, nullptr};
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 1000), 6) << "hetc's: by its tiles";
  kernel.userKernel = true;
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 1000), 500);
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 0), 6) << "nobody says how much it does";
  kernel.location = "x.tla:9";
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 1000), 500) << "the same kernel elsewhere";
  kernel.memoryBound = true;
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 1000), 6);
  statistics.classes[0].seconds = 6;
  times.add(statistics);
  kernel.memoryBound = false;
  EXPECT_EQ(times.secondsOf(kernel, 3, -1, 1000), 250) << "undisturbed";
}

} // namespace
} // namespace tla::host
