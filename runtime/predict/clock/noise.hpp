// What else a machine does while it computes: kernels take now a little more and now less, cores are slow for seconds,
// and stop for milliseconds.
#pragma once

#include <cstdint>
#include <random>

namespace tla::runtime {

/// The noise of each core by itself. Times in seconds; 0: there is no noise of that kind. Sizes, lengths and
/// frequencies are means of distributions: the lengths of slow times and the times between them, and between stops, are
/// drawn exponentially, those of stops evenly, those of kernels normally.
struct NoiseFigures {
  double spread = 0;      ///< standard deviation of a kernel's time over its mean
  double slowBy = 0;      ///< a slow core takes so much longer: 0.15
  double slowSeconds = 0; ///< length of a slow time
  double slowEvery = 0;   ///< from the end of one slow time to the next
  double leastStop = 0, mostStop = 0;
  double stopEvery = 0;
};

/// One core's. The same for the same seed and the same calls.
class CoreNoise {
public:
  CoreNoise(const NoiseFigures &figures, std::uint64_t seed, int node, int core);

  /// How long a kernel takes that begins at `begin`, which never goes back, and would take so long by itself. A stop
  /// while the core has nothing to do is nobody's.
  double seconds(double begin, double undisturbed);

private:
  double exponential(double mean);

  const NoiseFigures figures_;
  std::mt19937_64 random_;
  double slowBegin_, slowEnd_, stop_; ///< the present or next slow time, the next stop
};

} // namespace tla::runtime
