// Traces of runs, as --trace writes them.
#pragma once

#include "tools/gantt/timeline.hpp"

#include <istream>
#include <stdexcept>

namespace hetc::gantt {

/// An error in a trace: a line for the user, without the file's name.
struct BadTrace : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads what runtime/trace/chrome_trace.hpp describes, one event at a time. Throws BadTrace.
Timeline readTrace(std::istream &in);

} // namespace hetc::gantt
