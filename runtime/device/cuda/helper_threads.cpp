#include "runtime/device/cuda/helper_threads.hpp"

#include "dsl/base/floating_point.hpp"

#include <utility>

namespace tla::runtime {

HelperThreads::HelperThreads(int count) {
  try {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this] { loop(); });
  } catch (...) {
    stop();
    throw;
  }
}

HelperThreads::~HelperThreads() { stop(); }

void HelperThreads::stop() {
  {
    const std::lock_guard guard(mutex_);
    quit_ = true;
  }
  filled_.notify_all();
  for (Thread &thread : threads_)
    thread.join();
}

void HelperThreads::submit(std::function<void()> work, bool urgent) {
  {
    const std::lock_guard guard(mutex_);
    queue_.insert(urgent ? queue_.begin() : queue_.end(),
                  [work = std::move(work), modes = FloatingPointModes::ofThisThread()] {
                    modes.apply();
                    work();
                  });
  }
  filled_.notify_one();
}

void HelperThreads::loop() {
  for (;;) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return quit_ || !queue_.empty(); });
    if (queue_.empty())
      return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
  }
}

} // namespace tla::runtime
