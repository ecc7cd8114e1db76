// hetc tune KERNEL --compile-sample: candidates for CUDA devices compiled, without a device, and what they need of one
// held against what their space says.
#pragma once

#include "kernels/tuning/cuda/gemm.hpp"
#include "kernels/tuning/plan.hpp"

namespace hetc::tools {

struct SampleOptions {
  int count = 0; ///< how many candidates; 0: none of this
  unsigned seed = 1;
  tuning::cuda::Variant variant;
  std::string architecture = "sm_90";
  bool json = false;
  int threads = 1;
};

/// A candidate that spills more, in bytes per thread, has no chance; the space should have pruned it.
inline constexpr int mostSpilled = 32;

/// Compiles candidates of the space, chosen at random, and prints two lines for each. Returns the exit code: 0; 1 if
/// one is not compiled, spills more than mostSpilled, or has other shared memory than the space says; 2 if nothing can
/// be compiled, after a message to standard error.
int compileSample(const tuning::EnumerationPlan &plan, const SampleOptions &options);

} // namespace hetc::tools
