#include "runtime/predict/clock/noise.hpp"

#include <algorithm>
#include <limits>

namespace tla::runtime {
namespace {
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double leastPart = 0.1; // of its time, whatever is drawn
} // namespace

CoreNoise::CoreNoise(const NoiseFigures &figures, std::uint64_t seed, int node, int core) : figures_(figures) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(core)};
  random_.seed(sequence);
  const bool slows = figures.slowBy > 0 && figures.slowSeconds > 0 && figures.slowEvery > 0;
  slowBegin_ = slows ? exponential(figures.slowEvery) : never;
  slowEnd_ = slows ? slowBegin_ + exponential(figures.slowSeconds) : never;
  stop_ = figures.mostStop > 0 && figures.stopEvery > 0 ? exponential(figures.stopEvery) : never;
}

double CoreNoise::exponential(double mean) { return std::exponential_distribution<double>(1 / mean)(random_); }

double CoreNoise::seconds(double begin, double undisturbed) {
  double left = undisturbed;
  if (figures_.spread > 0)
    left *= std::max(leastPart, std::normal_distribution<double>(1, figures_.spread)(random_));
  while (stop_ < begin)
    stop_ += exponential(figures_.stopEvery);
  double passed = 0; // since the beginning: by itself, so that what is not disturbed is not rounded either
  while (true) {
    const double now = begin + passed;
    while (slowEnd_ <= now) {
      slowBegin_ = slowEnd_ + exponential(figures_.slowEvery);
      slowEnd_ = slowBegin_ + exponential(figures_.slowSeconds);
    }
    const bool slow = slowBegin_ <= now;
    const double times = slow ? 1 + figures_.slowBy : 1, change = slow ? slowEnd_ : slowBegin_;
    const double until = std::min(change, stop_);
    if (now + left * times <= until)
      return passed + left * times;
    left = std::max(0.0, left - (until - now) / times);
    passed += until - now;
    if (until == stop_) {
      passed += std::uniform_real_distribution<double>(figures_.leastStop, figures_.mostStop)(random_);
      stop_ = begin + passed + exponential(figures_.stopEvery);
    }
  }
}

} // namespace tla::runtime
