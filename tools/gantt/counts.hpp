// The counts of a traced run, by which its limits are found.
#pragma once

#include "runtime/trace/limits.hpp"
#include "tools/gantt/analysis.hpp"

namespace hetc::gantt {

/// Returns what a trace knows: no flops of kernels, no sizes but nb; and what was waited for.
tla::trace::RunCounts countsOf(const Timeline &timeline, const Analysis &analysis);

} // namespace hetc::gantt
