// A program's task graph without running it, and how long it would take: what a choice of tile size is made by.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tla {
class Distribution;
}

namespace tla::runtime {

/// The tasks of one call in program order, with the tasks each must wait for.
struct TaskGraph {
  struct Node {
    std::uint32_t taskClass; ///< index in `classes`
    int priority;
    int accesses;                   ///< tiles it names: more for a longer panel
    int node;                       ///< the node that runs it, or the place of a node (PlacesOfNodes)
    std::uint32_t firstPredecessor; ///< in `predecessors`; the list ends where the next task's begins
    int slice = -1;                 ///< slice of the main output, where it is cut; else -1
    double flops = 0;               ///< operations of the task, by the kernel's clause `flops`; 0: not known
  };
  std::vector<const TaskClass *> classes;
  std::vector<Node> tasks;
  std::vector<std::uint32_t> predecessors;
};

/// Nodes of several places each, a host and accelerators: place p of node n counts as the node n * count + p.
struct PlacesOfNodes {
  int count = 1;
  /// Where on its node a task runs. Not called when there is one place.
  std::function<int(int node, const TaskClass &, const TileAccess *accesses, int accessCount)> place = {};
};

/// A function that is shown each task that is recorded, in program order; the view's tiles have sizes and no content,
/// and last for the call.
using SeeTask = std::function<void(const TaskClass &, const TaskView &, const TileAccess *accesses, int accessCount)>;

/// Records the tasks of a run of the algorithm's loops, without running kernels. The storages need no memory for their
/// tiles. Reads wait for the last writer, writes for the readers since ([Song12] 5.2 without renaming); on the nodes of
/// a distribution, where every node has copies of its own, writes do not wait for what other nodes did to a tile that
/// they overwrite. Throws Error beyond `limit` tasks, soon, and for a tile that a matrix does not have. Runs the loops
/// twice: once to count.
TaskGraph recordTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit = 1'000'000,
                      const Distribution *distribution = nullptr, const PlacesOfNodes &places = {},
                      const SeeTask &see = {});

/// Equal nodes of equal workers, and how long a tile takes from one node to another; all tiles may travel at once.
struct Cluster {
  int workers = 1;
  int nodes = 1;
  double messageSeconds = 0;
  int places = 1;         ///< PlacesOfNodes::count; the accelerators among them have one worker each
  double copySeconds = 0; ///< time of a copy from one place of a node to another
};

/// The factor by which a task is faster when so many workers, 1 at least, have nothing to do as it begins, and help;
/// they may begin tasks of their own meanwhile. Null: nobody helps.
using Help = std::function<double(const TaskGraph::Node &, int idle)>;

/// The number of tasks of a run of the algorithm's loops; nothing beyond `limit`. Ten nanoseconds a task.
std::optional<std::size_t> countTasks(const Algorithm &algorithm, const Arguments &arguments, std::size_t limit);

/// Seconds that the cluster needs when a task takes seconds(task) and a free worker takes, of its node's ready tasks,
/// the one of the highest priority, the oldest first: the runtime's own rule.
double simulate(const TaskGraph &graph, const std::function<double(const TaskGraph::Node &)> &seconds,
                const Cluster &cluster, const Help &help = {});

} // namespace tla::runtime
