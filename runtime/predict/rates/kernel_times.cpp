#include "runtime/predict/rates/kernel_times.hpp"

#include <algorithm>

namespace tla::host {

void KernelTimes::add(const runtime::Statistics &statistics) {
  std::map<Name, Lengths> run;
  for (const runtime::TraceEvent &event : statistics.trace) {
    const runtime::ClassStatistics &statement = statistics.classes[event.taskClass];
    Time &sum = run[{statement.kernel, statement.location, event.slice}][event.accesses];
    sum.seconds += event.end - event.begin;
    ++sum.tasks;
  }
  for (const runtime::ClassStatistics &statement : statistics.classes)
    if (statement.flops > 0 && statement.seconds > 0) {
      const double seconds = statement.seconds / statement.flops;
      const auto [known, added] = perOperation_.try_emplace({statement.kernel, statement.location}, seconds);
      known->second = std::min(known->second, seconds);
    }
  for (const auto &[name, lengths] : run)
    for (const auto &[accesses, sum] : lengths) {
      const double seconds = sum.seconds / sum.tasks;
      const auto [entry, added] = times_[name].try_emplace(accesses, Time{seconds, 0});
      entry->second = {std::min(entry->second.seconds, seconds), sum.tasks};
    }
}

double KernelTimes::secondsOfOperation(const runtime::TaskClass &taskClass) const {
  if (const auto own = perOperation_.find({taskClass.kernel, taskClass.location}); own != perOperation_.end())
    return own->second;
  double least = 0; // of the same kernel elsewhere
  for (const auto &[name, seconds] : perOperation_)
    if (name.first == taskClass.kernel && (least == 0 || seconds < least))
      least = seconds;
  return least;
}

double KernelTimes::secondsOf(const runtime::TaskClass &taskClass, int accesses, int slice, double flops) const {
  const double each = taskClass.userKernel && !taskClass.memoryBound && flops > 0 ? secondsOfOperation(taskClass) : 0;
  return each > 0 ? flops * each : secondsOf(taskClass, accesses, slice);
}

double KernelTimes::secondsOf(const runtime::TaskClass &taskClass, int accesses, int slice) const {
  const auto found = times_.find({taskClass.kernel, taskClass.location, slice});
  if (found != times_.end())
    return onLine(found->second, accesses);
  const double sameKernel = mean([&](const std::string &kernel) { return kernel == taskClass.kernel; });
  return sameKernel > 0 ? sameKernel : mean([](const std::string &) { return true; });
}

double KernelTimes::onLine(const Lengths &lengths, int accesses) {
  if (const auto measured = lengths.find(accesses); measured != lengths.end())
    return measured->second.seconds;
  const auto &[length, time] = *lengths.begin();
  if (lengths.size() == 1)
    return time.seconds * accesses / std::max(1, length);
  double count = 0, meanLength = 0, meanSeconds = 0, covariance = 0, variance = 0, least = time.seconds;
  for (const auto &[x, t] : lengths) {
    count += 1;
    meanLength += (x - meanLength) / count;
    meanSeconds += (t.seconds - meanSeconds) / count;
    least = std::min(least, t.seconds);
  }
  for (const auto &[x, t] : lengths) {
    covariance += (x - meanLength) * (t.seconds - meanSeconds);
    variance += (x - meanLength) * (x - meanLength);
  }
  return std::max(least, meanSeconds + std::max(0.0, covariance / variance) * (accesses - meanLength));
}

double KernelTimes::mean(const std::function<bool(const std::string &)> &choose) const {
  double seconds = 0, tasks = 0;
  for (const auto &[name, lengths] : times_)
    for (const auto &[accesses, time] : lengths)
      if (choose(std::get<0>(name))) {
        seconds += time.seconds * time.tasks;
        tasks += time.tasks;
      }
  return tasks > 0 ? seconds / tasks : 0;
}

} // namespace tla::host
