// The thread of the host that drives one accelerator.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/core/places/accelerator_lanes.hpp"

namespace tla::runtime {

/// Sleeps when nothing is to be begun and nothing has ended. Ends, at the latest when nothing is in flight, with this.
class AcceleratorWorker {
public:
  explicit AcceleratorWorker(AcceleratorLanes &lanes) : lanes_(lanes), thread_([this] { loop(); }) {}
  ~AcceleratorWorker() {
    quit_.store(true, std::memory_order_seq_cst); // seen by rest() before it sleeps, or the wake() is
    lanes_.accelerator().wake();
    thread_.join();
  }
  AcceleratorWorker(const AcceleratorWorker &) = delete;
  AcceleratorWorker &operator=(const AcceleratorWorker &) = delete;

private:
  void loop() {
    while (!quit_.load(std::memory_order_relaxed))
      if (!lanes_.step())
        lanes_.rest(quit_);
  }

  AcceleratorLanes &lanes_;
  std::atomic<bool> quit_{false};
  Thread thread_; // last: it uses the others
};

} // namespace tla::runtime
