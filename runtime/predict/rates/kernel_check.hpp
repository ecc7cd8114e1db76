// Whether an accelerator computes what the host does, asked once for each kernel.
#pragma once

#include "runtime/device/accelerator.hpp"

#include <tla/runtime/algorithm.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tla::host {

/// The check that an accelerator has to pass before its rates are taken.
struct KernelCheck {
  runtime::ElementType type;
  std::vector<std::string> kernels;      ///< short names; those without a probe, or a body there, are passed over
  int nb = 256;                          ///< order of the tiles: kernels of our own for products begin there
  std::function<void()> checkpoint = {}; ///< between kernels; may throw
};

/// Each kernel once there and once by the host's body, on the calling thread: on tiles, and what takes panels on one of
/// UnitRates::tallPanel tiles, too, where LU interchanges rows. Throws Error when an element of what it writes differs
/// by more than nb units of rounding of the largest, or pivots differ; or when a launch of several tasks does not give
/// each the bits that it has alone. False: some were not compared, as there was no
/// memory for it, or the kernel failed. Nothing may be in flight before, nothing is after.
bool requireSameResults(runtime::Accelerator &accelerator, const KernelCheck &check);

} // namespace tla::host
