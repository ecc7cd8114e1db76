// What else a machine does while it computes, as measured: kernels of one size that do not take one time.
#pragma once

#include "runtime/predict/clock/noise.hpp"

#include <vector>

namespace tla::host {

/// One kernel that a core ran again and again, one of some tenths of a millisecond.
struct TimedKernel {
  double begin; ///< seconds, since the same moment for all
  double seconds;
};

/// The figures of noise that would make such times of cores, each of which ran for some seconds. A kernel that takes
/// half a millisecond, and half its time, more than its neighbours was stopped; a core is slow where twentieths of a
/// second are slower by 5% than its fast ones; what is left is the spread. What was not seen, or once only, is not
/// there: slow times that come every twenty seconds want a minute.
runtime::NoiseFigures noiseOf(const std::vector<std::vector<TimedKernel>> &cores);

} // namespace tla::host
