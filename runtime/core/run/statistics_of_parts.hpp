// The statistics of a run from those of its parts, which ran one after the other.
#pragma once

#include <tla/runtime/executor.hpp>

#include <map>
#include <utility>

namespace tla::runtime {

/// Counts and times are added up, peaks are the largest; in traces times are from the first part's start on, and
/// numbers go on from part to part.
class StatisticsOfParts {
public:
  void add(const Statistics &part, Statistics &sum);

private:
  std::uint32_t classOf(const ClassStatistics &one, Statistics &sum);
  void addClasses(const Statistics &part, Statistics &sum);
  void addDevices(const Statistics &part, Statistics &sum);
  void addTraces(const Statistics &part, Statistics &sum);
  TraceCause moved(TraceCause cause) const;
  double begin(const Statistics &part, const Statistics &sum);

  bool isFirst_ = true;
  double begin_ = 0;                   ///< begin of the part, in seconds since the start of the first
  std::uint32_t number_ = 0;           ///< the largest in the trace so far
  std::vector<std::uint32_t> classes_; ///< index in the sum of each class of the part
  std::map<std::pair<int, bool>, std::uint32_t> messages_; ///< so far, by peer and direction
};

} // namespace tla::runtime
