// What the tile search measures: how long a task of each statement takes.
#pragma once

#include <tla/runtime/executor.hpp>

#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace tla::host {

/// Seconds of one task on full tiles, by kernel, place, slice of the main output and number of tiles that it names:
/// slices differ in width, panels in length. A kernel of the program's own may do more on the same tiles the further
/// the program is, as a merge of divide and conquer does: where its clause `flops` says how much, its rate is what
/// counts.
class KernelTimes {
public:
  bool empty() const { return times_.empty(); }
  /// Adds the times of one traced run. Of several runs the least times count: what is above was disturbed.
  void add(const runtime::Statistics &statistics);
  /// Between and beyond the numbers of tiles that were measured, a line through them; proportional to the tiles where
  /// there was one number only. A statement that was never reached takes as long as its kernel does elsewhere, or else
  /// as the mean task.
  double secondsOf(const runtime::TaskClass &taskClass, int accesses, int slice = -1) const;
  /// Seconds of a task of so many operations: where the kernel is the program's own and ran, at its rate.
  double secondsOf(const runtime::TaskClass &taskClass, int accesses, int slice, double flops) const;

private:
  struct Time {
    double seconds, tasks;
  };
  using Name = std::tuple<std::string, std::string, int>; // kernel, location, slice
  using Lengths = std::map<int, Time>;
  static double onLine(const Lengths &lengths, int accesses);
  double mean(const std::function<bool(const std::string &kernel)> &choose) const;
  /// Seconds of an operation of the statement in the run in which it was fastest; 0: none is known.
  double secondsOfOperation(const runtime::TaskClass &taskClass) const;
  std::map<Name, Lengths> times_;
  std::map<std::pair<std::string, std::string>, double> perOperation_; // by kernel and location
};

} // namespace tla::host
