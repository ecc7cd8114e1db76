// What a trace says of its run, in sums.
#pragma once

#include "tools/gantt/critical_path.hpp"
#include "tools/gantt/idle.hpp"

#include <array>
#include <vector>

namespace hetc::gantt {

/// Microseconds. busy + the causes' = the length of the timeline, times the number of rows that are in the sum.
struct RowSums {
  Time busy = 0;
  std::array<Time, causes> idle = {};
  std::vector<Time> waitsFor; ///< time lost by Cause::Task, by kernel

  RowSums &operator+=(const RowSums &other);
};

struct PathSum {
  int kernel = 0;
  std::uint64_t pieces = 0;
  Time busy = 0, waiting = 0; ///< sum of the pieces, and of the times before they began
};

struct Analysis {
  std::vector<Idle> idle;
  std::vector<RowSums> rows; ///< by row; of rows in which nothing computes `busy` alone is not 0
  RowSums all;               ///< sums of the rows that compute
  std::vector<std::uint32_t> path;
  std::vector<PathSum> pathSums;    ///< by kernel, the longest first: all together the end of the last piece
  std::vector<std::uint64_t> tasks; ///< tasks of each kernel
  std::vector<Time> busy;           ///< time of each kernel
};

Analysis analyze(const Timeline &timeline);

} // namespace hetc::gantt
