// Noise that was drawn from figures is seen as these figures.
#include "runtime/predict/rates/noise_measurement.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::host;

namespace {

/// A kernel of so many seconds, again and again for so long on each core, one after the other.
std::vector<std::vector<TimedKernel>> drawn(const runtime::NoiseFigures &figures, int cores, double kernel,
                                            double length) {
  std::vector<std::vector<TimedKernel>> all(cores);
  for (int core = 0; core < cores; ++core) {
    runtime::CoreNoise noise(figures, 7, 0, core);
    for (double begin = 0; begin < length;) {
      const double seconds = noise.seconds(begin, kernel);
      all[core].push_back({begin, seconds});
      begin += seconds;
    }
  }
  return all;
}

TEST(NoiseMeasurement, SeesWhatWasDrawn) {
  const runtime::NoiseFigures figures{.spread = 0.02,
                                      .slowBy = 0.15,
                                      .slowSeconds = 1,
                                      .slowEvery = 5,
                                      .leastStop = 3e-3,
                                      .mostStop = 9e-3,
                                      .stopEvery = 0.5};
  const runtime::NoiseFigures seen = noiseOf(drawn(figures, 4, 1e-4, 60));
  EXPECT_NEAR(seen.spread, 0.02, 0.002);
  EXPECT_NEAR(seen.slowBy, 0.15, 0.02);
  EXPECT_NEAR(seen.slowSeconds, 1, 0.5);
  EXPECT_NEAR(seen.slowEvery, 5, 2.5);
  EXPECT_NEAR(seen.slowSeconds / (seen.slowSeconds + seen.slowEvery), 1. / 6, 0.05);
  EXPECT_NEAR((seen.leastStop + seen.mostStop) / 2, 6e-3, 6e-4);
  EXPECT_NEAR(seen.leastStop, 3e-3, 1e-3);
  EXPECT_NEAR(seen.stopEvery, 0.5, 0.1);
}

TEST(NoiseMeasurement, SeesNothingOnQuietCores) {
  const runtime::NoiseFigures seen = noiseOf(drawn({}, 2, 1e-4, 2));
  EXPECT_NEAR(seen.spread, 0, 1e-9);
  EXPECT_EQ(seen.slowBy, 0);
  EXPECT_EQ(seen.mostStop, 0);
  EXPECT_EQ(noiseOf({}).spread, 0);
  EXPECT_EQ(noiseOf({{}, {}}).mostStop, 0);
}

TEST(NoiseMeasurement, OneStopSaysNothingOfHowOften) {
  auto kernels = drawn({.spread = 0.01}, 1, 1e-4, 2);
  kernels[0][1000].seconds += 5e-3;
  EXPECT_EQ(noiseOf(kernels).mostStop, 0);
  kernels[0][3000].seconds += 5e-3;
  EXPECT_NEAR(noiseOf(kernels).mostStop, 5e-3, 1e-4);
  EXPECT_NEAR(noiseOf(kernels).stopEvery, 1, 0.05);
}

} // namespace
