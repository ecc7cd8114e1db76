// Work in a process of its own, so that a crash or a loop without an end is a failure like others.
#pragma once

#include "tests/fuzz/examiner.hpp"

namespace fuzz {

/// How a piece of work went, as its parent sees it.
struct Trial {
  std::optional<Failure> failure;
  bool rejected = false; ///< with reason: there is nothing to run
  int failedCase = -1;   ///< negative: -1 - the variant that was being compiled
  Counts counts;
};

/// Far above what a step takes on a busy machine.
struct Deadlines {
  double compileSeconds = 600, stepSeconds = 120;
};

/// The work of a child: says each step, counts, and returns the first failure and the case that it was in. A step that
/// begins with "compile" has the compiler's deadline; "case N" and "compile N" say what is at hand.
using Work = std::function<std::optional<Failure>(const Step &step, Counts &counts, int &failedCase)>;

/// Runs it in a child, whose output goes to the file `log`.
Trial runInChild(const Work &work, const std::string &log, const Deadlines &deadlines);

} // namespace fuzz
