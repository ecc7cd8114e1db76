// Running a program whose loop an element ends: part by part, with the test in between.
#pragma once

#include "runtime/core/window/written_tiles.hpp"

#include <tla/runtime/executor.hpp>

#include <functional>

namespace tla::runtime {

/// The functions that run the parts of a program.
struct StageRunner {
  /// Runs one part; on ranks all alike, with one outcome. It calls the function before it generates anything.
  std::function<Outcome(const Arguments &, const std::function<void()> &prepare)> run;
  /// The content of the matrix that this rank has comes to its memory, if it is elsewhere.
  std::function<Outcome(const Storage &)> fetch;
  /// Receives each workspace that lasts over the parts, once it has memory: no tile of it has content.
  HeldWorkspaces &held;
  const Distribution *distribution; ///< null: one node
  int rank;
  Transport *transport; ///< null: one rank
  bool isVirtual;       ///< nothing is computed: no element ends anything
};

/// The outcome of all parts: statistics are added up, times in traces are from the first part's start on.
/// Throws UsageError where the test asks an element of a matrix that has none.
Outcome runStages(const Algorithm &algorithm, const Arguments &arguments, const StageRunner &runner);

} // namespace tla::runtime
