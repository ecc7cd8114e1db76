// A CUDA device by the driver's API, in a process that measures. Built with -DTLA_CUDA=ON, for the toolkit's headers;
// the driver itself is found at run time.
#pragma once

#include "kernels/tuning/cuda/gemm.hpp"

#include <memory>

namespace hetc::tuning::cuda {

/// The facts by which candidates and the tuner's database know a device.
struct DeviceFacts {
  std::string name, architecture, driver; ///< "NVIDIA H200", "sm_90", "13.0"
  Constants parameters;                   ///< parameters of spaces, by their names there
};

/// Throws Error: there is no driver, no such device, or hetc was built without TLA_CUDA.
DeviceFacts factsOf(int device);

/// A product as the runtime or a benchmark has it: `count` of them at once, each with matrices of its own.
struct Problem {
  int m = 4096, n = 4096, k = 4096, count = 1;
  double flops(bool isComplex) const { return (isComplex ? 8.0 : 2.0) * m * n * k * count; }
};

/// A compiled candidate on a device. All throw Error, also for what the device reports later.
class GemmOnDevice {
public:
  /// A candidate that is not batched is launched `count` times.
  GemmOnDevice(int device, const std::string &cubin, const Problem &problem);
  ~GemmOnDevice();

  /// Compares it with a plain product by the host, on both sides of the block's sizes, with leading dimensions aligned
  /// and not, scalars that are special in BLAS, and NaN where it must not look; then with cuBLAS on the problem. Empty,
  /// or what is wrong.
  std::string verify();
  /// C -= op(A) op(B) for the problem, once; seconds on the device.
  double run();
  /// Runs the same product by cuBLAS once; seconds on the device.
  double runCublas();

private:
  class State;
  std::unique_ptr<State> state_;
};

} // namespace hetc::tuning::cuda
