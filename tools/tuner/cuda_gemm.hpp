// gemm on CUDA devices. A candidate is a cubin, compiled by NVRTC from a template of kernels/cuda/gemm
// (kernels/tuning/cuda). It multiplies matrices that are not transposed, many products in a launch.
#pragma once

#include "tools/tuner/family.hpp"

namespace hetc::tuning {

/// Makes the family for targets "cuda" (the first device) and "cuda:N". Throws std::runtime_error: no driver, no such
/// device, a build without TLA_CUDA.
std::unique_ptr<Family> makeCudaGemm(const FamilyRequest &request);

} // namespace hetc::tuning
