#include "runtime/core/schedule/host_device.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace tla::runtime {

HostDevice::HostDevice(int workers, double spinSeconds)
    : scheduling_(workers), spinTicks_(spinSeconds > 0 ? Clock::ticks(spinSeconds) : 0), parkers_(new Parker[workers]) {
  sleepers_.reserve(workers);
}

void HostDevice::reserve(std::size_t tasks) {
  const std::lock_guard guard(lock_);
  queue_.reserve(tasks);
}

void HostDevice::copy(void *destination, const void *source, std::size_t bytes) {
  std::memcpy(destination, source, bytes);
}

/// Takes those to be woken off the list of sleepers.
int HostDevice::chooseSleepers(int *chosen) {
  if (sleepers_.empty())
    return 0;
  const int count = Scheduling::wakes(queue_.size(), spinning_.load(std::memory_order_relaxed), sleepers_.size());
  for (int i = 0; i < count; ++i) {
    chosen[i] = sleepers_.back();
    sleepers_.pop_back();
  }
  return count;
}

void HostDevice::submit(Task *chain, int count) {
  int chosen[Scheduling::mostWakes], wakes;
  {
    const std::lock_guard guard(lock_);
    for (int i = 0; i < count; ++i, chain = chain->link)
      queue_.push(chain);
    publishTop();
    wakes = chooseSleepers(chosen);
  }
  for (int i = 0; i < wakes; ++i)
    wake(chosen[i]);
}

int HostDevice::take(Task **tasks, int limit, std::uint8_t affinity) {
  if (topKey() == 0)
    return 0;
  int chosen[Scheduling::mostWakes], wakes, count;
  {
    const std::lock_guard guard(lock_);
    const int share = scheduling_.share(queue_.size(), limit);
    for (count = 0; count < share; ++count)
      tasks[count] = Scheduling::next(queue_, limit, affinity);
    publishTop();
    wakes = chooseSleepers(chosen);
  }
  for (int i = 0; i < wakes; ++i)
    wake(chosen[i]);
  return count;
}

void HostDevice::wakeSleepers() {
  int chosen[Scheduling::mostWakes], wakes = 0;
  if (idleWorkers() == 0)
    return;
  {
    const std::lock_guard guard(lock_);
    for (; wakes < Scheduling::mostWakes && !sleepers_.empty(); ++wakes) {
      chosen[wakes] = sleepers_.back();
      sleepers_.pop_back();
    }
  }
  for (int i = 0; i < wakes; ++i)
    wake(chosen[i]);
}

bool HostDevice::enlist(int worker) {
  const std::lock_guard guard(lock_);
  if (queue_.size())
    return false;
  sleepers_.push_back(worker);
  return true;
}

/// Whoever was woken for a reason of its own is still listed.
void HostDevice::delist(int worker) {
  const std::lock_guard guard(lock_);
  const auto mine = std::find(sleepers_.begin(), sleepers_.end(), worker);
  if (mine != sleepers_.end())
    sleepers_.erase(mine);
}

} // namespace tla::runtime
