// The stop watch behind `hetc doctor --measure`: this node's cores together.
#pragma once

#include "runtime/predict/rates/machine_numbers.hpp"
#include "runtime/predict/rates/rates.hpp"

namespace tla::host {

/// The cores of this process, so many threads at once: gemm in each type by the bodies that are installed; copies from
/// memory to memory, bytes of both counted; a read that waits for the one before; all caches of these cores together.
/// Takes about two seconds. Throws Error where the caches are not known.
ComputeElement measureCores(int threads);

/// An accelerator of so much memory by its rates of gemm for each type: the largest tiles. Its link has both directions
/// at once. Throws Error when they were not measured.
ComputeElement deviceElement(const std::string &name, double memoryBytes, const std::map<char, UnitRates> &rates);

} // namespace tla::host
