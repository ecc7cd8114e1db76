#include "runtime/core/run/statistics_of_parts.hpp"

#include <algorithm>

namespace tla::runtime {

namespace {

void add(const TransferCounts &part, TransferCounts &sum) {
  using Counts = TransferCounts;
  for (const auto count : {&Counts::messages, &Counts::bytes, &Counts::received, &Counts::receivedBytes,
                           &Counts::delegated, &Counts::delegatedBytes, &Counts::forwarded, &Counts::forwardedBytes})
    sum.*count += part.*count;
}

void add(const CopyCounts &part, CopyCounts &sum) {
  sum.copies += part.copies;
  sum.bytes += part.bytes;
}

void add(const std::vector<double> &part, std::vector<double> &sum) {
  sum.resize(std::max(sum.size(), part.size()));
  for (std::size_t i = 0; i < part.size(); ++i)
    sum[i] += part[i];
}

} // namespace

void StatisticsOfParts::add(const Statistics &part, Statistics &sum) {
  begin_ = begin(part, sum);
  sum.startedAt = isFirst_ ? part.startedAt : sum.startedAt;
  sum.seconds = begin_ + part.seconds;
  sum.generation += part.generation;
  for (const auto count : {&Statistics::tasks, &Statistics::renames, &Statistics::windowFull, &Statistics::sleeps})
    sum.*count += part.*count;
  sum.flops += part.flops;
  for (const auto peak : {&Statistics::peakTasks, &Statistics::windowBytes, &Statistics::renameBytes,
                          &Statistics::foreignBytes, &Statistics::temporaryBytes})
    sum.*peak = std::max(sum.*peak, part.*peak);
  runtime::add(part.transfers, sum.transfers);
  runtime::add(part.expected, sum.expected);
  runtime::add(part.busy, sum.busy);
  addDevices(part, sum);
  addClasses(part, sum);
  addTraces(part, sum);
  isFirst_ = false;
}

/// By the system's clock; in virtual time parts follow each other at once.
double StatisticsOfParts::begin(const Statistics &part, const Statistics &sum) {
  if (isFirst_ || part.startedAt == 0)
    return sum.seconds;
  return std::max(sum.seconds, static_cast<double>(part.startedAt - sum.startedAt) * 1e-9);
}

std::uint32_t StatisticsOfParts::classOf(const ClassStatistics &one, Statistics &sum) {
  const auto isSame = [&](const ClassStatistics &other) {
    return other.kernel == one.kernel && other.location == one.location;
  };
  auto found = std::ranges::find_if(sum.classes, isSame);
  if (found == sum.classes.end())
    found = sum.classes.insert(sum.classes.end(), {one.kernel, one.location});
  return static_cast<std::uint32_t>(found - sum.classes.begin());
}

void StatisticsOfParts::addClasses(const Statistics &part, Statistics &sum) {
  classes_.clear();
  for (const ClassStatistics &one : part.classes) {
    classes_.push_back(classOf(one, sum));
    ClassStatistics &all = sum.classes[classes_.back()];
    all.tasks += one.tasks;
    all.seconds += one.seconds;
    all.flops += one.flops;
  }
  for (const PathPart &one : part.criticalPath) {
    const auto isSame = [&](const PathPart &other) {
      return other.kernel == one.kernel && other.place == one.place && other.waiting == one.waiting;
    };
    const auto found = std::ranges::find_if(sum.criticalPath, isSame);
    if (found == sum.criticalPath.end())
      sum.criticalPath.push_back(one);
    else {
      found->seconds += one.seconds;
      found->tasks += one.tasks;
    }
  }
  std::ranges::stable_sort(sum.criticalPath, std::greater<>(), &PathPart::seconds);
}

void StatisticsOfParts::addDevices(const Statistics &part, Statistics &sum) {
  sum.devices.resize(std::max(sum.devices.size(), part.devices.size()));
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    const DeviceStatistics &one = part.devices[i];
    DeviceStatistics &all = sum.devices[i];
    all.name = one.name;
    all.tasks += one.tasks;
    all.launches += one.launches;
    runtime::add(one.in, all.in);
    runtime::add(one.out, all.out);
    runtime::add(one.peer, all.peer);
    all.busy += one.busy;
    all.flops += one.flops;
    all.peakBytes = std::max(all.peakBytes, one.peakBytes);
    all.residentBytes = std::max(all.residentBytes, one.residentBytes);
  }
}

TraceCause StatisticsOfParts::moved(TraceCause cause) const {
  cause.number += number_;
  cause.cause += cause.cause ? number_ : 0;
  cause.appended += begin_;
  cause.ready += begin_;
  return cause;
}

void StatisticsOfParts::addTraces(const Statistics &part, Statistics &sum) {
  std::uint32_t number = number_;
  const auto addAll = [&](const auto &events, auto &all, auto change) {
    for (auto event : events) {
      event.begin += begin_;
      event.end += begin_;
      event.origin = moved(event.origin);
      number = std::max(number, event.origin.number);
      change(event);
      all.push_back(std::move(event));
    }
  };
  addAll(part.trace, sum.trace, [&](TraceEvent &event) { event.taskClass = classes_[event.taskClass]; });
  addAll(part.copyTrace, sum.copyTrace, [](CopyEvent &) {});
  std::map<std::pair<int, bool>, std::uint32_t> messages = messages_;
  addAll(part.messageTrace, sum.messageTrace, [&](MessageEvent &event) {
    const std::pair<int, bool> pair(event.peer, event.received);
    event.number += messages_[pair];
    messages[pair] = std::max(messages[pair], event.number + 1);
  });
  messages_ = std::move(messages);
  for (WaitEvent wait : part.waitTrace)
    sum.waitTrace.push_back({wait.reason, wait.begin + begin_, wait.end + begin_});
  if (part.traceUntil > 0 && sum.traceUntil == 0)
    sum.traceUntil = begin_ + part.traceUntil;
  number_ = number;
}

} // namespace tla::runtime
