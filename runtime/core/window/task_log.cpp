#include "runtime/core/window/task_log.hpp"

namespace tla::runtime {

void TaskLog::reset() {
  entries_.clear();
  for (Arrivals &arrivals : arrivals_)
    arrivals.list.clear();
  messages_.clear();
  inFlight_.clear();
  waits_.clear();
  leftOut_ = never;
}

void TaskLog::begin(const Message &message) {
  if (!records(message.task)) {
    if (on())
      leftOut_ = std::min(leftOut_, message.begin);
    return;
  }
  inFlight_.emplace(message.task, messages_.size());
  messages_.push_back(message);
}

/// A transfer of a run that was cut short may end without having begun.
void TaskLog::end(std::uint32_t task, Ticks now) {
  if (const auto flight = inFlight_.extract(task))
    messages_[flight.mapped()].end = now;
}

void TaskLog::join() {
  for (const Arrivals &arrivals : arrivals_)
    for (const Arrivals::Arrival &arrival : arrivals.list)
      if (arrival.task - 1 < entries_.size()) {
        entries_[arrival.task - 1].ready = arrival.time;
        entries_[arrival.task - 1].cause = arrival.cause;
      }
}

const TaskLog::Entry &TaskLog::entry(std::uint32_t task) const {
  static const Entry unknown;
  return task - 1 < entries_.size() ? entries_[task - 1] : unknown;
}

} // namespace tla::runtime
