#include "tests/support/transport/delivery.hpp"

#include <algorithm>

namespace tla::runtime {

Delivery::Delivery(std::chrono::microseconds longest, unsigned seed) : longest_(longest), random_(seed) {
  if (longest_.count() > 0)
    thread_ = Thread([this] { run(); });
}

Delivery::~Delivery() {
  {
    const std::lock_guard hold(lock_);
    stop_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

void Delivery::after(Step step) {
  if (longest_.count() == 0)
    return step();
  const std::lock_guard hold(lock_);
  insert(randomTime(), std::move(step));
}

void Delivery::afterInOrder(Clock::time_point &channel, Step step) {
  if (longest_.count() == 0)
    return step();
  const std::lock_guard hold(lock_);
  channel = std::max(channel, randomTime());
  insert(channel, std::move(step));
}

Delivery::Clock::time_point Delivery::randomTime() {
  return Clock::now() + std::chrono::microseconds(random_() % (longest_.count() + 1));
}

void Delivery::insert(Clock::time_point due, Step step) {
  steps_.emplace(due, std::move(step));
  changed_.notify_one();
}

void Delivery::run() {
  std::unique_lock hold(lock_);
  while (!stop_) {
    if (steps_.empty()) {
      changed_.wait(hold);
    } else if (const auto first = steps_.begin(); first->first > Clock::now()) {
      const Clock::time_point due = first->first;
      changed_.wait_until(hold, due);
    } else {
      const Step step = std::move(first->second);
      steps_.erase(first);
      hold.unlock();
      step();
      hold.lock();
    }
  }
}

} // namespace tla::runtime
