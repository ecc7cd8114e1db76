// A copy between two places of a node as a task in the window.
#pragma once

#include <tla/runtime/task.hpp>

namespace tla::runtime {

/// A copy is a task like any other: it reads a version at one place and writes one at another, so the task lists order
/// it among the tasks of both. The destination's accelerator does it, or the source's when it goes to the host.
extern const TaskClass copyClass;
struct CopyIndices {
  enum : int { RegionIndex, Count };
};

} // namespace tla::runtime
