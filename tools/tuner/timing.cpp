#include "tools/tuner/timing.hpp"

#include <algorithm>
#include <cmath>

namespace hetc::tuning {

namespace {
/// The value below which a part of the sorted samples lies.
double quantile(const std::vector<double> &sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Timing summary(std::vector<double> samples) {
  std::ranges::sort(samples);
  Timing timing;
  timing.rounds = static_cast<int>(samples.size());
  timing.seconds = quantile(samples, 0.5);
  if (timing.seconds > 0)
    timing.spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / timing.seconds;
  return timing;
}

Timing abandoned(std::vector<double> samples) {
  Timing timing = summary(std::move(samples));
  timing.abandoned = true;
  return timing;
}
} // namespace

Timing timeRounds(const std::function<double()> &round, const TimingRules &rules) {
  const double hopeless = rules.toBeat > 0 ? rules.hopeless * rules.toBeat : INFINITY;
  if (const double first = round(); first > 2 * hopeless)
    return abandoned({first});
  std::vector<double> samples;
  double spent = 0;
  const auto isDone = [&] {
    const int rounds = static_cast<int>(samples.size());
    return rounds >= rules.maxRounds || (rounds >= rules.minRounds && spent >= rules.enoughSeconds);
  };
  while (!isDone()) {
    samples.push_back(round());
    spent += samples.back();
    if (samples.size() == 2 && std::ranges::min(samples) > hopeless)
      return abandoned(std::move(samples));
  }
  return summary(std::move(samples));
}

std::vector<Timing> timeInterleaved(const std::vector<std::function<double()>> &rounds, int count) {
  std::vector<std::vector<double>> samples(rounds.size());
  for (const auto &round : rounds)
    round();
  for (int each = 0; each < count; ++each)
    for (std::size_t work = 0; work < rounds.size(); ++work)
      samples[work].push_back(rounds[work]());
  std::vector<Timing> timings;
  for (std::vector<double> &each : samples)
    timings.push_back(summary(std::move(each)));
  return timings;
}

} // namespace hetc::tuning
