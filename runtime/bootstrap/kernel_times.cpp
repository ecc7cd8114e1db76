#include "runtime/bootstrap/kernel_times.hpp"

#include <algorithm>

namespace tla::bootstrap {

void KernelTimes::add(const runtime::ClassStatistics &statistics) {
  if (!statistics.tasks)
    return;
  const double seconds = statistics.seconds / static_cast<double>(statistics.tasks);
  const auto [entry, added] = times_.try_emplace({statistics.kernel, statistics.location}, Time{seconds, 0});
  entry->second = {std::min(entry->second.seconds, seconds), statistics.tasks};
}

double KernelTimes::secondsOf(const runtime::TaskClass &taskClass) const {
  const auto found = times_.find({taskClass.kernel, taskClass.location});
  if (found != times_.end())
    return found->second.seconds;
  const double sameKernel = mean([&](const std::string &kernel) { return kernel == taskClass.kernel; });
  return sameKernel > 0 ? sameKernel : mean([](const std::string &) { return true; });
}

double KernelTimes::mean(const std::function<bool(const std::string &)> &choose) const {
  double seconds = 0, tasks = 0;
  for (const auto &[name, time] : times_)
    if (choose(name.first)) {
      seconds += time.seconds * static_cast<double>(time.tasks);
      tasks += static_cast<double>(time.tasks);
    }
  return tasks > 0 ? seconds / tasks : 0;
}

} // namespace tla::bootstrap
