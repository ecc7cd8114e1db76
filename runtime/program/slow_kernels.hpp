// What --stats says of own kernels that are far from what a core can do.
#pragma once

#include "runtime/program/report.hpp"

namespace tla::host {

/// Lines on the kernels that say how much they compute (flops), are not bound by memory, and reach less than a tenth of
/// a core's rate, which is measured in some milliseconds; empty: there are none.
std::string slowKernels(const RunRecord &record);
/// Returns the lines for a core with this rate, in operations a second.
std::string slowKernels(const RunRecord &record, double coreRate);

} // namespace tla::host
