// A recorded run for chrome://tracing and ui.perfetto.dev.
#pragma once

#include <tla/runtime/executor.hpp>

#include <string>

namespace tla::trace {

/// The JSON Array Format of the Trace Event Format: one complete event ("X") per task, times in microseconds, a row per
/// worker, events named "gemm(3, 1)" by kernel and main output tile; args hold kernel, tile and source line. An
/// accelerator has three rows: kernels, copies in (from the host and from other accelerators), copies out. A copy is
/// named "A(3, 1)"; its args hold bytes and way.
std::string chromeTrace(const runtime::Statistics &statistics, const std::string &program);

} // namespace tla::trace
