// Makes a candidate of gemm for CUDA devices what hetc uses there from then on: kernels/cuda/tuned_list.hpp.
#pragma once

#include "kernels/cuda/tuned_list.hpp"
#include "kernels/tuning/cuda/device.hpp"
#include "tools/tuner/family.hpp"

#include <string>
#include <variant>
#include <vector>

namespace hetc::tuning {

struct CudaInstallation {
  int device = 0;
  cuda::DeviceFacts facts;
  char type = 'd';
  cuda::Constants constants;
  std::string date;   ///< 2026-11-27
  std::string folder; ///< folder for temporary files
  int compilers = 1;  ///< compilers that run at once
  std::vector<int> sizes = {256, 512, 1024, 2048, 4096};
};

/// The pairs of ops that are different for a type: "nn", "nt", ...
std::vector<std::string> opsOf(char type);

/// Compiles the candidate for each pair of ops, compares it with the host's product and with cuBLAS, and times it
/// against cuBLAS at each size, many products at once as runs have them; each in a process of its own. Where it is
/// right it is listed, with the size from which on it is used.
Installed installCudaGemm(const CudaInstallation &installation);

/// The constants of a candidate for a pair of ops: how threads read stripes depends on what is contiguous in them, and
/// does not change what is computed. Those of the candidate where they fit.
cuda::Constants fittingConstants(cuda::Constants constants, const std::string &ops);

/// The part of that which needs the device: verifies and times a compiled candidate that is not batched. What a list
/// says of it but file, hash, date and names, or what is wrong. Throws cuda::Error.
std::variant<tla::kernels::cuda::TunedProduct, std::string> measureCudaGemm(int device, const std::string &cubin,
                                                                            const std::vector<int> &sizes);

} // namespace hetc::tuning
