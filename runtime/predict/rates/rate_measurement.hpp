// The stop watch behind measured rates: some tenths of a second for each core or accelerator.
#pragma once

#include "runtime/predict/rates/noise_measurement.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <tla/runtime/algorithm.hpp>

#include <chrono>
#include <functional>
#include <vector>

namespace tla::host {

/// The kernels whose rates are to be measured, and the time for it.
struct RateTask {
  runtime::ElementType type;
  std::vector<std::string> kernels; ///< short names; those without a probe are passed over
  /// On a core: the middle of several times, with outputs that are not in its own cache, is what tasks of a run take.
  /// Else the least, with all that a cache can hold, which is the same each time.
  bool asInARun = false;
  int nb = 0;            ///< a tile size to measure besides, however long it takes; 0: none
  double seconds = 0.04; ///< about, for the first kernel, by which columns are dealt; a quarter for others
  std::function<void()> checkpoint = {}; ///< called between measurements; may throw
};

/// On the calling thread, with the kernel bodies that are installed. Sizes are 32, 64, ... up to what the time allows,
/// by the least time of each: what else the machine does then makes the measurement longer, hardly less exact.
UnitRates measureCore(const RateTask &task);

/// Measures tasks on panels: `tall`, of the sizes that `seconds` has of gemm.
void measureCorePanels(const RateTask &task, UnitRates &rates);

/// The first of the kernels on the calling thread again and again, on tiles of task.nb, with which it should take some
/// tenths of a millisecond, for task.seconds; times are since `begin`.
std::vector<TimedKernel> watchCore(const RateTask &task, std::chrono::steady_clock::time_point begin);

/// Kernels in a stream, as many in flight as suits the accelerator, and copies one by one. What it has no body for, no
/// memory for or fails at is left out. Nothing may be in flight before, nothing is after.
UnitRates measureAccelerator(runtime::Accelerator &accelerator, const RateTask &task);

} // namespace tla::host
