#include "compiler/dependence/context.hpp"

#include <algorithm>
#include <system_error>

#include <pthread.h>
#include <time.h>

namespace hetc::dependence {

ContextOwner makeContext() {
  ContextOwner ctx(isl_ctx_alloc(), isl_ctx_free);
  isl_options_set_on_error(ctx.get(), ISL_ON_ERROR_CONTINUE); // errors become exceptions in isl's C++ wrappers
  return ctx;
}

static std::chrono::nanoseconds readClock(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0)
    return std::chrono::nanoseconds::max(); // of a thread that has ended
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds processorTime() { return readClock(CLOCK_THREAD_CPUTIME_ID); }

Guard::Guard(isl_ctx *ctx, const AnalysisLimits &limits, std::chrono::nanoseconds begin) : ctx_(ctx), limits_(limits) {
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, limits.maxOperations);
  clockid_t clock{};
  if (::pthread_getcpuclockid(::pthread_self(), &clock) != 0)
    clock = CLOCK_MONOTONIC;
  const auto watch = [this, clock, end = readClock(clock) + limits.maxTime - (processorTime() - begin)] {
    std::unique_lock lock(mutex_);
    // It takes at least as long as there is time left on the thread's clock.
    for (auto now = readClock(clock); now < end; now = readClock(clock))
      if (finished_.wait_for(lock, std::max<std::chrono::nanoseconds>(end - now, std::chrono::milliseconds(1)),
                             [this] { return isFinished_; }))
        return;
    isl_ctx_abort(ctx_); // sets a flag that isl polls; made for calls from outside, like a signal handler
  };
  try {
    watchdog_ = tla::Thread(watch);
  } catch (const std::system_error &) { // the limit of operations ends it, too
  }
}

Guard::~Guard() {
  {
    std::lock_guard lock(mutex_);
    isFinished_ = true;
  }
  finished_.notify_one();
  if (watchdog_.joinable())
    watchdog_.join();
  isl_ctx_set_max_operations(ctx_, 0);
  isl_ctx_reset_operations(ctx_);
  isl_ctx_resume(ctx_);
  isl_ctx_reset_error(ctx_);
}

// A text that isl is reading when it comes to a limit is a syntax error to it. How many operations are left it does not
// tell; that there are none shows in a text which it cannot read although it is right.
static bool isExhausted(isl_ctx *ctx) {
  isl_set *const set = isl_set_read_from_str(ctx, "{ [i, j] : i >= j and j >= 0 }");
  isl_set_free(set);
  return set == nullptr;
}

// Results of isl's C functions come through isl::manage, which reports a missing one as such and leaves the cause in
// the context.
std::string Guard::explain(const isl::exception &error) const {
  const isl_error cause = isl_ctx_last_error(ctx_);
  if (dynamic_cast<const isl::exception_quota *>(&error) || cause == isl_error_quota)
    return "more than " + std::to_string(limits_.maxOperations) + " operations";
  if (dynamic_cast<const isl::exception_abort *>(&error) || cause == isl_error_abort || isl_ctx_aborted(ctx_))
    return "more than " + std::to_string(limits_.maxTime.count()) + " ms";
  if (isExhausted(ctx_))
    return "more than " + std::to_string(limits_.maxOperations) + " operations";
  return std::string("isl: ") + error.what();
}

} // namespace hetc::dependence
