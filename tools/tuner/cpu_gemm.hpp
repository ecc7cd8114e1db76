// gemm on processors. A candidate is the C++ file beside the space, of the same name but for .cpp, compiled for this
// processor with the candidate's constants before it:
//
//   namespace candidate { using T = double; inline constexpr long vectors = 3, columns = 8, ...; }
//
// It exports hetc_candidate, which is gemm for T, with the kernel's own signature and contract (tla/kernels/blas.hpp).
#pragma once

#include "tools/tuner/family.hpp"

namespace hetc::tuning {

/// Throws std::runtime_error where that file is missing.
std::unique_ptr<Family> makeCpuGemm(const FamilyRequest &request);

} // namespace hetc::tuning
