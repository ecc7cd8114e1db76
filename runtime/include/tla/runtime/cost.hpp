// What a program will cost on many nodes, from its loops and the distribution alone: nothing runs, no tile has memory.
#pragma once

#include <tla/runtime/executor.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tla::runtime {

/// An accelerator, as far as counting has to know it.
struct DeviceDescription {
  std::string name;
  std::size_t memoryBytes = 0, granularity = 1;     ///< allocations are multiples of this
  std::function<bool(const TaskClass &)> runs = {}; ///< which tasks it runs; null: all but panels and memory-bound ones
  std::function<bool(const TaskClass &)> has = {};  ///< whether it has a body for a task's kernel; null: for all
  bool peers = true;                                ///< it and others with peers read each other's memory
};

struct CostOptions {
  int window = Options{}.window;               ///< of the run whose memory is to be bounded
  std::vector<DeviceDescription> devices = {}; ///< of each node
  std::vector<int> deviceWeights = {};         ///< Options::deviceWeights
  int hostWeight = 0;
  int deviceGridRows = 1;                           ///< DeviceShares::gridRows
  std::shared_ptr<const TaskMap> taskMap = nullptr; ///< DeviceShares::taskMap
  /// The matrices are resident with each node's devices, as Executor::makeResident() makes them. UsageError when a
  /// device has not the memory.
  bool resident = false;
  /// Only tasks, flops and transfers: a third less time, for who compares distributions.
  bool isBrief = false;
  /// Of a loop that an element ends (Algorithm::stages), the iteration in which it does, from 1 on; 0: none.
  int iterations = 0;
};

/// What one accelerator has to do.
struct DeviceCost : DeviceCounts {   ///< exactly what Statistics::devices will say
  double flops = 0, updateFlops = 0; ///< as NodeCost's
  std::uint64_t residentBytes = 0;   ///< of its memory, what resident matrices take
};

struct NodeCost {
  std::uint64_t tasks = 0;
  double flops = 0;
  double updateFlops = 0;         ///< those of hetc's own kernels that are bound by computing
  TransferCounts transfers;       ///< exactly what Statistics::transfers will say
  std::uint64_t ownedBytes = 0;   ///< elements of the tiles that the node owns, those of workspaces included
  std::uint64_t foreignBytes = 0; ///< upper bound of Statistics::foreignBytes
  std::vector<DeviceCost> devices = {};
};

struct Cost {
  std::vector<NodeCost> nodes;
  std::uint64_t storedTiles = 0, storedBytes = 0; ///< of the caller's matrices, workspaces not counted
  /// Of these, what the program reads before it writes it, and what it writes: whoever computes must get and give it.
  std::uint64_t inputBytes = 0, outputBytes = 0;
  double userFlops = 0; ///< of kernels that are the author's own
  /// The longest path through the task graph (simulation.hpp's), in tasks and in flops: two paths, usually. Messages
  /// take no time on it.
  std::uint64_t criticalPathTasks = 0;
  double criticalPathFlops = 0;

  /// The sum over all nodes; that of the first accelerators, of the second ones, and so on.
  NodeCost total() const;
};

/// Whether a node's run did what was counted before: tasks, messages and their bytes, and what each device has to do.
bool isAsCounted(const Statistics &run, const NodeCost &counted);

/// What a run of the algorithm on the distribution's nodes would move, compute and hold in memory, counted without
/// kernels.
///
/// Where the algorithm was compiled for the distribution, each node's loops run once, several nodes at a time, and
/// beside them the whole program's, for the longest path. Otherwise the program's loops run twice, with the protocol
/// for all nodes at once, which takes one bit per tile half and node, about 200 bytes per tile and 100 per message.
/// Throws UsageError when the matrices do not fit together, Error for a tile that a matrix does not have. The storages
/// need no memory for their tiles.
///
/// The bound on memory. A copy is another node's tile in this node's memory: from the first instance that names it
/// until its last use has been generated and all instances that use it are complete. When g instances have been
/// generated, those copies are in memory whose last use is still to come, open(g); and of the others, closed(g), only
/// such that one of the instances in the window still uses. There are at most `window` of these, wherever in the
/// program they are: the window counts tasks that are not complete and may reach far behind the oldest of them. So no
/// run holds more than
///
///   max over g of open(g) + min(closed(g), window * most bytes of other nodes' tiles that one instance names).
Cost predictCost(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                 const CostOptions &options = {});
/// What a run of the program that `generate` appends would cost. It is called at least twice, and must do the
/// same each time.
Cost predictCost(const std::function<void(Generator &)> &generate, const Distribution &distribution,
                 const CostOptions &options = {});

/// What it takes one node of a run to find its instances.
struct GenerationCost {
  bool byNodeLoops = false;  ///< the algorithm was compiled for the distribution; else by replay of the whole program
  std::uint64_t visited = 0; ///< in one pass of the two or, with replay, three: own instances, or the program's tasks
  std::uint64_t tasks = 0, sends = 0, receives = 0; ///< its own
  double seconds = 0;                               ///< all passes
};

/// Runs the generator of one node, as Executor::run does, with nobody to take the tasks but a count. Throws as
/// predictCost().
GenerationCost measureGeneration(const Algorithm &algorithm, const Arguments &arguments,
                                 const Distribution &distribution, int node);

} // namespace tla::runtime
