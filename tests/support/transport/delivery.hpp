// When things happen in a LocalNetwork: at once, or later on a thread of its own.
#pragma once

#include "dsl/base/thread.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <random>

namespace tla::runtime {

/// Runs steps after random delays up to `longest`, on one thread; without a delay, on the caller's thread before
/// after() returns. Thread-safe. Steps that are still waiting when it is destroyed do not run.
class Delivery {
public:
  using Step = std::function<void()>;
  using Clock = std::chrono::steady_clock;

  Delivery(std::chrono::microseconds longest, unsigned seed);
  ~Delivery();
  Delivery(const Delivery &) = delete;
  Delivery &operator=(const Delivery &) = delete;

  void after(Step step);
  /// Runs a step after all steps given before with the same `channel`.
  void afterInOrder(Clock::time_point &channel, Step step);

private:
  Clock::time_point randomTime();
  void insert(Clock::time_point due, Step step);
  void run();

  const std::chrono::microseconds longest_;
  std::mutex lock_;
  std::mt19937 random_;
  std::multimap<Clock::time_point, Step> steps_; // equal times: in the order of insertion
  std::condition_variable changed_;
  bool stop_ = false;
  Thread thread_;
};

} // namespace tla::runtime
