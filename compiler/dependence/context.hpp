// Ownership of isl's context and a bound on the work done in it.
#pragma once

#include "compiler/dependence/dependence.hpp"
#include "dsl/base/thread.hpp"

#include <isl/cpp.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace hetc::dependence {

/// Must outlive every isl object made in it: declare it first.
using ContextOwner = std::shared_ptr<isl_ctx>;
ContextOwner makeContext();

/// Processor time of the calling thread, from some point on.
std::chrono::nanoseconds processorTime();

/// Bounds isl's work while it lives: beyond the limits isl calls throw isl::exception_quota (operations) or
/// isl::exception_abort (processor time of the thread that made the guard: what a program is found to be does not
/// depend on what else a machine does). Used and destroyed by that thread.
class Guard {
public:
  /// The time counts from `begin` on.
  Guard(isl_ctx *ctx, const AnalysisLimits &limits, std::chrono::nanoseconds begin = processorTime());
  ~Guard();
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

  /// The text of an isl error: the limit that the call ran into, or isl's message.
  std::string explain(const isl::exception &error) const;

private:
  isl_ctx *const ctx_;
  const AnalysisLimits limits_;
  std::mutex mutex_;
  std::condition_variable finished_;
  bool isFinished_ = false;
  tla::Thread watchdog_; ///< thread that watches the time; it has none where the system starts no more threads
};

} // namespace hetc::dependence
