// A program's task graph without running it, and how long it would take: what a choice of tile size is made by.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tla::runtime {

/// The tasks of one call in program order, with the tasks each must wait for.
struct TaskGraph {
  struct Node {
    std::uint32_t taskClass; ///< index in `classes`
    int priority;
    int accesses;                   ///< tiles it names: more for a longer panel
    std::uint32_t firstPredecessor; ///< in `predecessors`; the list ends where the next task's begins
  };
  std::vector<const TaskClass *> classes;
  std::vector<Node> tasks;
  std::vector<std::uint32_t> predecessors;
};

/// Runs the algorithm's loops only. The storages need no memory for their tiles. Reads wait for the last writer, writes
/// for the readers since ([Song12] 5.2 without renaming). Throws Error beyond `limit` tasks, soon, and for a tile that
/// a matrix does not have. Runs the loops twice: once to count.
TaskGraph recordTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit = 1'000'000);

/// Seconds that `workers` equal workers need when a task takes seconds(task) and a free worker takes the ready task of the
/// highest priority, the oldest first: the runtime's own rule.
double simulate(const TaskGraph &graph, const std::function<double(const TaskGraph::Node &)> &seconds, int workers);

} // namespace tla::runtime
