// Threads that enqueue what takes long to enqueue.
#pragma once

#include "dsl/base/thread.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace tla::runtime {

/// A body may be thousands of launches, as cuSOLVER's QR of a panel is, and a thread as busy with them as the device:
/// who has other kernels to begin meanwhile hands such work to one of these threads. They sleep between two.
class HelperThreads {
public:
  explicit HelperThreads(int count);
  HelperThreads(const HelperThreads &) = delete;
  HelperThreads &operator=(const HelperThreads &) = delete;
  /// After all that was submitted.
  ~HelperThreads();

  /// Any thread. `work` must not throw. Work begins in this order, on one of the threads each; what is urgent goes in
  /// front of all that has not begun.
  void submit(std::function<void()> work, bool urgent);

private:
  void loop();
  void stop();

  std::mutex mutex_; // guards what follows but the threads
  std::condition_variable filled_;
  std::deque<std::function<void()>> queue_;
  bool quit_ = false;
  std::vector<Thread> threads_;
};

} // namespace tla::runtime
