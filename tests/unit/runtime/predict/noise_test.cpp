// Disturbed cores: what is drawn has the means that the figures say, and is the same each time.
#include "runtime/predict/clock/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tla::runtime {
namespace {

/// The end of so many kernels of one length, one after the other.
double endOf(CoreNoise noise, int kernels, double seconds, double pause = 0) {
  double now = 0;
  for (int kernel = 0; kernel < kernels; ++kernel)
    now += noise.seconds(now, seconds) + pause;
  return now;
}

TEST(Noise, NoneIsNone) {
  CoreNoise noise({}, 7, 1, 2);
  for (const double seconds : {0.0, 1e-6, 1.0, 1e6})
    EXPECT_EQ(noise.seconds(10, seconds), seconds);
}

TEST(Noise, IsTheSameForASeedAndDiffersBetweenCores) {
  const NoiseFigures figures{.spread = 0.05,
                             .slowBy = 0.2,
                             .slowSeconds = 1,
                             .slowEvery = 5,
                             .leastStop = 3e-3,
                             .mostStop = 9e-3,
                             .stopEvery = 1};
  const double once = endOf({figures, 7, 1, 2}, 1000, 0.01);
  EXPECT_EQ(endOf({figures, 7, 1, 2}, 1000, 0.01), once);
  EXPECT_NE(endOf({figures, 8, 1, 2}, 1000, 0.01), once);
  EXPECT_NE(endOf({figures, 7, 2, 2}, 1000, 0.01), once);
  EXPECT_NE(endOf({figures, 7, 1, 3}, 1000, 0.01), once);
}

TEST(Noise, KernelsSpreadAroundTheirTime) {
  CoreNoise noise({.spread = 0.05}, 1, 0, 0);
  constexpr int kernels = 20000;
  double sum = 0, squares = 0;
  for (int kernel = 0; kernel < kernels; ++kernel) {
    const double seconds = noise.seconds(kernel, 2);
    sum += seconds;
    squares += (seconds - 2) * (seconds - 2);
  }
  EXPECT_NEAR(sum / kernels, 2, 0.01);
  EXPECT_NEAR(std::sqrt(squares / kernels), 0.1, 0.005);
}

TEST(Noise, SlowTimesAreAPartOfAllAndMayEndWithinAKernel) {
  const NoiseFigures figures{.slowBy = 0.5, .slowSeconds = 1, .slowEvery = 3};
  // A quarter of the time the core does two thirds of its work.
  const double work = 3.0 / 4 + 1.0 / 4 / 1.5;
  EXPECT_NEAR(endOf({figures, 3, 0, 0}, 400000, 0.01), 4000 / work, 40);
  EXPECT_NEAR(endOf({figures, 3, 0, 0}, 1, 4000), 4000 / work, 40);
}

TEST(Noise, StopsAreTheKernelsThatMeetThem) {
  const NoiseFigures figures{.leastStop = 0.1, .mostStop = 0.3, .stopEvery = 2};
  // The next stop comes 2 s after the last one has ended.
  EXPECT_NEAR(endOf({figures, 5, 0, 0}, 10000, 1), 10000 * (1 + 0.2 / 2), 100);
  // Three quarters of the stops fall into pauses.
  EXPECT_NEAR(endOf({figures, 5, 0, 0}, 10000, 1, 3) - 30000, 10000 * (1 + 0.2 / 2), 100);
}

} // namespace
} // namespace tla::runtime
