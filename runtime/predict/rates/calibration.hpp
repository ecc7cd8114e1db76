// This machine as a profile: what 'hetc sim --calibrate' writes.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <functional>
#include <string>

namespace tla::host {

struct CalibrationRequest {
  runtime::ElementType type;             ///< type of the elements
  std::string hostKernels;               ///< name and version of the bodies in use, which must be installed
  int cores = 1;                         ///< cores that compute at once
  int nb = 0;                            ///< a tile size to measure besides; 0: none
  double seconds = 0.2;                  ///< about, for gemm; a quarter for each other kernel
  double watch = 3;                      ///< seconds, for what disturbs the cores; 0: nobody asks
  std::function<void()> checkpoint = {}; ///< called between measurements; may throw
};

/// Measures all kernels that there are probes for on full tiles of 32, 64, ... up to what the time allows, on all cores
/// at once, and copies between them; panels of eight tiles besides, where time does not grow with them as operations
/// do. Returns a profile's JSON (runtime/predict/machine/machine_profile.hpp): of each kernel and size the mean over
/// cores of the middle of several times, with outputs that are in no cache of the core's own, as in a run. It has the
/// noise of the cores that was seen meanwhile, and no accelerators. Its network is the memory of this
/// machine: a message between ranks is copied once.
std::string calibratedProfile(const CalibrationRequest &request);

} // namespace tla::host
