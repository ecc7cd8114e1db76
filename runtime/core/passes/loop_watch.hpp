// Loops that are only counted are watched as those of a run are: they may never come back.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/run_state.hpp"
#include "runtime/interfaces/cost.hpp"

#include <condition_variable>
#include <mutex>

namespace tla::runtime {

/// Calls limit.passed when the loops that progress() follows have made nothing for limit.seconds (0: never), on a
/// thread of its own: no other thread can interrupt them. Where the system starts no thread the loops run unwatched.
class LoopWatch {
public:
  explicit LoopWatch(const LoopLimit &limit);
  ~LoopWatch();
  LoopWatch(const LoopWatch &) = delete;
  LoopWatch &operator=(const LoopWatch &) = delete;

  LoopProgress &progress() { return progress_; }

private:
  void watch();

  const LoopLimit &limit_;
  RunState state_;
  LoopProgress progress_{state_};
  std::mutex mutex_; // guards over_
  std::condition_variable changed_;
  bool over_ = false;
  Thread thread_;
};

} // namespace tla::runtime
