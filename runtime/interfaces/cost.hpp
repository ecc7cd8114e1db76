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
  std::function<bool(const TaskClass &)> runs = {}; ///< tasks to run there; null: no panels, no memory-bound ones
  std::function<bool(const TaskClass &)> has = {};  ///< whether it has a body for a task's kernel; null: for all
  bool peers = true;                                ///< whether peers read each other's memory
};

struct CostOptions {
  int window = Options{}.window;                        ///< window of the run whose memory is to be bounded
  std::size_t lookaheadBytes = Options::usualLookahead; ///< Options::lookaheadBytes of that run
  std::vector<DeviceDescription> devices = {};          ///< the devices of each node
  std::vector<int> deviceWeights = {};                  ///< Options::deviceWeights
  int hostWeight = 0;
  int deviceGridRows = 1;                           ///< DeviceShares::gridRows
  std::shared_ptr<const TaskMap> taskMap = nullptr; ///< DeviceShares::taskMap
  /// DeviceShares::order of a run with devices; without effect where matrices are resident.
  TaskBlocks order = {};
  /// The one node whose devices are counted, and nothing besides; -1: all is counted.
  int deviceNode = -1;
  /// The seconds that a task takes of the device of that number; null: nobody asks for DeviceCost::seconds.
  std::function<double(int device, const TaskClass &, const TaskView &)> deviceSeconds = {};
  /// The matrices are resident with each node's devices, as Executor::makeResident() makes them. UsageError when a
  /// device has not the memory.
  bool resident = false;
  /// Only tasks, flops and transfers: a third less time, for who compares distributions.
  bool isBrief = false;
  /// The iteration, from 1 on, in which an element ends the loop (Algorithm::stages); 0: no element does.
  int iterations = 0;
};

/// The work of one accelerator.
struct DeviceCost : DeviceCounts {   ///< exactly what Statistics::devices will say
  double flops = 0, updateFlops = 0; ///< the same counts as in NodeCost
  std::uint64_t residentBytes = 0;   ///< device memory that resident matrices take
  /// The copies that memory for all tiles would save: of in and peer, what comes though it has been there; of out, what
  /// goes to the host to make room. Without these they are what the tasks of this device need in any order.
  CopyCounts comingAgain = {}, makingRoom = {};
  double seconds = 0; ///< time of its tasks, by CostOptions::deviceSeconds
};

struct NodeCost {
  std::uint64_t tasks = 0;
  double flops = 0;
  double updateFlops = 0;         ///< flops of hetc's own kernels that are bound by computing
  TransferCounts transfers;       ///< exactly what Statistics::transfers will say
  std::uint64_t ownedBytes = 0;   ///< elements of the callers' tiles that the node owns
  std::uint64_t foreignBytes = 0; ///< upper bound of Statistics::foreignBytes
  /// Tiles of other nodes, and of the node's workspaces: an upper bound of what they take at one time, and what they
  /// need, without which no run ends.
  std::uint64_t temporaryBytes = 0, leastTemporaryBytes = 0;
  std::uint64_t renamedBytes = 0; ///< upper bound of Statistics::renameBytes
  std::vector<DeviceCost> devices = {};
};

struct Cost {
  std::vector<NodeCost> nodes;
  std::uint64_t storedTiles = 0, storedBytes = 0; ///< tiles and bytes of the caller's matrices, without workspaces
  /// Bytes of these that the program reads before it writes them, and bytes that it writes: whoever computes must get
  /// the ones and give back the others.
  std::uint64_t inputBytes = 0, outputBytes = 0;
  double userFlops = 0; ///< flops of the author's own kernels
  /// The longest path through the task graph (simulation.hpp's), in tasks and in flops: two paths, usually. Messages
  /// take no time on it.
  std::uint64_t criticalPathTasks = 0;
  double criticalPathFlops = 0;

  /// The sum over all nodes; the sum of devices is taken over all first accelerators, over all second ones, and so on.
  NodeCost total() const;
};

/// Whether a node's run did what was counted before: tasks, messages and their bytes, and what each device has to do.
bool isAsCounted(const Statistics &run, const NodeCost &counted);

/// Predicts, without running kernels, what a run of the algorithm on the distribution's nodes moves, computes and holds
/// in memory.
///
/// Where the algorithm was compiled for the distribution, each node's loops run once, several nodes at a time, and
/// beside them the whole program's, for the longest path. Otherwise the program's loops run twice, with the protocol
/// for all nodes at once, which takes one bit per tile half and node, about 200 bytes per tile and 100 per message.
/// Throws UsageError when the matrices do not fit together, Error for a tile that a matrix does not have. The storages
/// need no memory for their tiles.
///
/// The bound on memory. A temporary tile is another node's tile in this node's memory, or a tile of a workspace: from
/// the first instance that names it until its last use has been generated and all instances that use it are complete.
/// When g instances have been generated, those are in memory whose last use is still to come, open(g); and of the
/// others, closed(g), only such that one of the instances in the window still uses. There are at most `window` of
/// these, wherever in the program they are: the window counts tasks that are not complete and may reach far behind the
/// oldest of them. Nor does the run generate on while the others take more than Options::lookaheadBytes. So no run
/// holds more than
///
///   max over g of open(g) + min(closed(g), window * most bytes of such tiles that one instance names, lookaheadBytes)
///
/// and what is renamed. The most of open(g) is what a run needs in any case.
Cost predictCost(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                 const CostOptions &options = {});
/// Predicts the cost of a run of the program that `generate` appends. It is called at least twice, and must do the same
/// each time.
Cost predictCost(const std::function<void(Generator &)> &generate, const Distribution &distribution,
                 const CostOptions &options = {});

/// A limit for loops that are counted. `passed` is called, on another thread, when they have made nothing for so many
/// seconds; 0: never.
struct LoopLimit {
  double seconds = 0;
  std::function<void(const std::string &text)> passed{}; ///< "the program's loops have not come back since task 1, ..."
};

/// Predicts the memory of one node alone; all other figures are 0, and devices are not looked at. Without node loops
/// the program's run twice.
NodeCost predictMemory(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                       int node, const CostOptions &options = {}, const LoopLimit &limit = {});

/// The time that one node of a run needs to find its instances.
struct GenerationCost {
  bool byNodeLoops = false;  ///< the algorithm was compiled for the distribution; else by replay of the whole program
  std::uint64_t visited = 0; ///< in one pass of the two or, with replay, three: own instances, or the program's tasks
  std::uint64_t tasks = 0, sends = 0, receives = 0; ///< counts of the node's own instances
  double seconds = 0;                               ///< time of all passes
};

/// Runs the generator of one node, as Executor::run does, and only counts the tasks. Throws as predictCost().
GenerationCost measureGeneration(const Algorithm &algorithm, const Arguments &arguments,
                                 const Distribution &distribution, int node);

} // namespace tla::runtime
