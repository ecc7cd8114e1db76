// What the tile search measures: how long a task of each statement takes.
#pragma once

#include <tla/runtime/executor.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace tla::bootstrap {

/// Seconds of one task on full tiles, by kernel and place.
class KernelTimes {
public:
  bool empty() const { return times_.empty(); }
  /// Least times count: what is above was disturbed.
  void add(const runtime::ClassStatistics &statistics);
  /// A statement that was never reached takes as long as its kernel does elsewhere, or else as the mean task.
  double secondsOf(const runtime::TaskClass &taskClass) const;

private:
  struct Time {
    double seconds;
    std::uint64_t tasks;
  };
  double mean(const std::function<bool(const std::string &kernel)> &choose) const;
  std::map<std::pair<std::string, std::string>, Time> times_;
};

} // namespace tla::bootstrap
