// Which files the outputs of one run may take: each its own.
#pragma once

#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// Throws UsageError when the JSON report would go where another output goes, or over an --input file, the algorithm's
/// source or the program itself.
void requireSeparateJson(const runtime::Algorithm &algorithm, const Settings &settings);

/// Throws UsageError when --output or --trace would go where another output goes, or over an --input file, the
/// algorithm's source or the program itself. But an --output may take the place of an --input: the file that was read
/// stays as it was until the result is complete, and until it is no longer needed.
void requireSeparateOutputs(const runtime::Algorithm &algorithm, const Settings &settings);

} // namespace tla::host
