#include <tla/generated/stages.hpp>

#include "runtime/core/passes/blocked_program.hpp"
#include "runtime/core/passes/borrowed_period.hpp"
#include "runtime/core/passes/cost_counts.hpp"
#include "runtime/core/passes/device_counts.hpp"
#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/passes/in_parallel.hpp"
#include "runtime/core/passes/loop_watch.hpp"
#include "runtime/core/passes/node_program.hpp"
#include "runtime/core/passes/protocol.hpp"
#include "runtime/core/passes/replay.hpp"
#include "runtime/core/passes/shapes.hpp"
#include "runtime/core/places/homes.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/interfaces/cost.hpp"

#include <algorithm>

namespace tla::runtime {
namespace {

/// Takes the program's tasks.
class ProgramPass : public DryPass {
public:
  explicit ProgramPass(const Distribution &distribution, bool isBrief = false)
      : DryPass(&distribution), program_(distribution.nodes(), isBrief) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = DryPass::table(storage, name, workspace, regions);
    program_.add(table);
    return table;
  }
  void setParameters(const void *parameters) override { program_.setParameters(parameters); }
  void append(const TaskCall &call) override { program_.task(call); }
  void addTo(Cost &cost, const CostOptions &options) const { program_.addTo(cost, options.lookaheadBytes); }

protected:
  ProgramCount program_;
};

/// Passes over the whole program, and counts the instances of all nodes.
class ReplayPass final : public ProgramPass, private InstanceListener {
public:
  ReplayPass(const Distribution &distribution, const Protocol &protocol, bool isBrief)
      : ProgramPass(distribution, isBrief), instances_(protocol, *this) {
    for (int node = 0; node < distribution.nodes(); ++node)
      nodes_.emplace_back(node, distribution.nodes() > 1, !isBrief);
  }
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = ProgramPass::table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void append(const TaskCall &call) override {
    flops_ = program_.task(call);
    instances_.append(call);
  }
  void release(const TileRef &tile) override {
    if (tile.matrix->has(tile.row, tile.column))
      nodes_[tile.matrix->node(tile.row, tile.column)].release(tile);
  }
  Cost result(const CostOptions &options) {
    Cost cost;
    for (NodeCount &node : nodes_)
      cost.nodes.push_back(node.result(options.window));
    addTo(cost, options);
    return cost;
  }

private:
  void transfer(const TileRef &tile, int source, int destination, int) override {
    nodes_[source].send(tile);
    nodes_[destination].receive(tile);
  }
  void task(int node, const TaskCall &call) override { nodes_[node].task(flops_, call); }

  Protocol::Instances instances_;
  std::vector<NodeCount> nodes_;
  double flops_ = 0; // of the present task
};

/// Takes the instances of one node from its own loops.
class NodePass final : public DryPass {
public:
  NodePass(const Distribution &distribution, NodeCount &count) : DryPass(&distribution), count_(count) {}
  void setParameters(const void *parameters) override { flops_.setParameters(parameters); }
  void append(const TaskCall &call) override { count_.task(flops_.of(call), call); }
  void send(const TileRef &tile, int, int) override { count_.send(tile); }
  void receive(const TileRef &tile, int, int) override { count_.receive(tile); }
  void release(const TileRef &tile) override { count_.release(tile); }

private:
  NodeCount &count_;
  FlopCount flops_;
};

/// The homes of tiles on each node, where matrices are resident.
using HomesOfNodes = std::vector<Homes>;

NodePlaces placesOf(int node, const Distribution &distribution, const CostOptions &options) {
  std::vector<NodePlaces::Memory> memories;
  for (const DeviceDescription &device : options.devices)
    memories.push_back({device.name, device.memoryBytes, device.granularity, device.runs, device.has, device.peers});
  return NodePlaces(std::move(memories), options.deviceWeights, options.hostWeight, distribution, node,
                    options.deviceGridRows);
}

std::vector<DeviceCost> devicesOf(int node, const NodeProgram &program, const Distribution &distribution,
                                  const CostOptions &options, HomesOfNodes &homes) {
  if (options.devices.empty())
    return {};
  NodePlaces places = placesOf(node, distribution, options);
  if (!homes.empty())
    places.homes = &homes[node];
  return countDevices(program, places, &distribution, node, options.deviceSeconds);
}

/// `program`: of a node, with all its parts. `only`: as homesFor()'s.
HomesOfNodes homesOfNodes(const std::function<NodeProgram(int node)> &program, const Distribution &distribution,
                          const CostOptions &options, const std::vector<const Storage *> *only) {
  HomesOfNodes homes;
  for (int node = 0; node < distribution.nodes() && options.resident && !options.devices.empty(); ++node) {
    const NodePlaces places = placesOf(node, distribution, options);
    HomesOfProgram found = homesFor(program(node), places, &distribution, node, only);
    if (const std::string obstacle = obstacleTo(found.homes, {}, found.taskBytes, places); !obstacle.empty())
      throw UsageError("matrices cannot be resident: " + obstacle);
    homes.push_back(std::move(found.homes));
  }
  return homes;
}

/// The longest path needs the whole program, once; all else comes from the loops of the nodes.
Cost costByNodes(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                 const CostOptions &options, HomesOfNodes &homes) {
  Cost cost;
  const int nodes = distribution.nodes();
  cost.nodes.resize(nodes);
  ProgramPass program(distribution);
  drawInParallel(nodes + 1, [&](const std::function<int()> &next) {
    NodeCount count(0, nodes > 1);
    for (int number = next(); number >= 0; number = next()) {
      if (number == 0) {
        Generator handle(program);
        algorithm.generate(handle, arguments);
        continue;
      }
      const int node = number - 1;
      count.start(node);
      NodePass pass(distribution, count);
      const NodeProgram own = nodeProgram(algorithm, arguments, distribution, node);
      own(pass);
      cost.nodes[node] = count.result(options.window);
      cost.nodes[node].devices = devicesOf(node, own, distribution, options, homes);
    }
  });
  program.addTo(cost, options);
  return cost;
}

void add(const CopyCounts &counts, CopyCounts &sum) {
  sum.copies += counts.copies;
  sum.bytes += counts.bytes;
}
void add(const TransferCounts &counts, TransferCounts &sum) {
  sum.messages += counts.messages;
  sum.bytes += counts.bytes;
  sum.received += counts.received;
  sum.receivedBytes += counts.receivedBytes;
}
void add(const DeviceCost &counts, DeviceCost &sum) {
  sum.tasks += counts.tasks;
  sum.flops += counts.flops;
  sum.updateFlops += counts.updateFlops;
  add(counts.in, sum.in);
  add(counts.out, sum.out);
  add(counts.peer, sum.peer);
  add(counts.comingAgain, sum.comingAgain);
  add(counts.makingRoom, sum.makingRoom);
  sum.seconds += counts.seconds;
  sum.residentBytes = std::max(sum.residentBytes, counts.residentBytes);
}

void add(const std::vector<DeviceCost> &counts, std::vector<DeviceCost> &sum) {
  sum.resize(std::max(sum.size(), counts.size()));
  for (std::size_t device = 0; device < counts.size(); ++device)
    add(counts[device], sum[device]);
}

/// The cost of a further part of a run, after which results are at their owners.
void addPart(const Cost &part, Cost &sum) {
  sum.nodes.resize(part.nodes.size());
  for (std::size_t i = 0; i < part.nodes.size(); ++i) {
    const NodeCost &one = part.nodes[i];
    NodeCost &all = sum.nodes[i];
    all.tasks += one.tasks;
    all.flops += one.flops;
    all.updateFlops += one.updateFlops;
    add(one.transfers, all.transfers);
    all.ownedBytes = std::max(all.ownedBytes, one.ownedBytes);
    for (const auto bytes :
         {&NodeCost::foreignBytes, &NodeCost::temporaryBytes, &NodeCost::leastTemporaryBytes, &NodeCost::renamedBytes})
      all.*bytes = std::max(all.*bytes, one.*bytes);
    add(one.devices, all.devices);
  }
  sum.storedTiles = std::max(sum.storedTiles, part.storedTiles);
  sum.storedBytes = std::max(sum.storedBytes, part.storedBytes);
  // What later parts read an earlier one may have written: bounds that counted it as input were too high.
  if (sum.criticalPathTasks == 0)
    sum.inputBytes = part.inputBytes;
  sum.outputBytes = std::max(sum.outputBytes, part.outputBytes);
  sum.userFlops += part.userFlops;
  sum.criticalPathTasks += part.criticalPathTasks;
  sum.criticalPathFlops += part.criticalPathFlops;
}

Cost costByReplay(const std::function<void(Generator &)> &generate, const Distribution &distribution,
                  const CostOptions &options, HomesOfNodes &homes) {
  if (const int node = options.deviceNode; node >= 0) {
    Cost cost{.nodes = std::vector<NodeCost>(distribution.nodes())};
    cost.nodes[node].devices = devicesOf(node, replay(generate, distribution, node), distribution, options, homes);
    return cost;
  }
  Protocol protocol(distribution);
  Protocol::LastWrites lastWrites(protocol);
  Generator first(lastWrites);
  generate(first);
  ReplayPass pass(distribution, protocol, options.isBrief);
  Generator second(pass);
  generate(second);
  Cost cost = pass.result(options);
  for (int node = 0; node < distribution.nodes() && !options.devices.empty(); ++node)
    cost.nodes[node].devices = devicesOf(node, replay(generate, distribution, node), distribution, options, homes);
  return cost;
}

/// Whether the run has another order than the program's.
bool isOrdered(const CostOptions &options) { return !options.resident && !options.order.isProgramOrder(); }

std::function<void(Generator &)> orderedProgram(const Algorithm &algorithm, const Arguments &arguments,
                                                const CostOptions &options) {
  return inOrder([&algorithm, arguments](Generator &generator) { algorithm.generate(generator, arguments); },
                 isOrdered(options) ? options.order : TaskBlocks());
}

Cost costOfPart(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                const CostOptions &options, HomesOfNodes &homes) {
  if (hasNodeLoops(algorithm, distribution) && !options.isBrief && !isOrdered(options))
    return costByNodes(algorithm, arguments, distribution, options, homes);
  return costByReplay(orderedProgram(algorithm, arguments, options), distribution, options, homes);
}

/// Takes one node's instances, for its memory.
class MemoryPass final : public DryPass {
public:
  MemoryPass(const Distribution &distribution, int node)
      : DryPass(&distribution), nodes_(distribution.nodes()), node_(node), count_(node, nodes_ > 1) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = DryPass::table(storage, name, workspace, regions);
    if (table.number() == tables_) {
      ++tables_;
      callersBytes_ += table.callersBytes();
      ownedBytes_ += ownedBytes(table);
    }
    return table;
  }
  void append(const TaskCall &call) override { count_.task(0, call); }
  void send(const TileRef &tile, int, int) override { count_.send(tile); }
  void receive(const TileRef &tile, int, int) override { count_.receive(tile); }
  void release(const TileRef &tile) override { count_.release(tile); }
  NodeCost result(const CostOptions &options) {
    NodeCost cost = count_.result(options.window);
    cost.ownedBytes = ownedBytes_;
    boundTemporary(cost, options.lookaheadBytes, callersBytes_, nodes_);
    return cost;
  }

private:
  std::uint64_t ownedBytes(const TileTable &table) const {
    const Storage &storage = table.storage();
    std::uint64_t sum = 0;
    for (int j = 0; j < storage.nt() && !table.workspace(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j) && table.node(i, j * storage.slices()) == node_)
          sum += static_cast<std::uint64_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes();
    return sum;
  }

  const int nodes_, node_;
  int tables_ = 0;
  std::uint64_t callersBytes_ = 0, ownedBytes_ = 0;
  NodeCount count_;
};

HomesOfNodes homesOfCall(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                         const CostOptions &options) {
  const std::vector<const Storage *> matrices = callersMatrices(algorithm, arguments);
  const auto program = [&](int node) {
    return [&, node](TaskSink &sink) {
      const auto part = [&](const Arguments &part) {
        nodeProgram(algorithm, part, distribution, node)(sink);
        return true;
      };
      forEachStage(algorithm, arguments, part);
    };
  };
  return homesOfNodes(program, distribution, options, &matrices);
}

} // namespace

NodeCost Cost::total() const {
  NodeCost sum;
  for (const NodeCost &node : nodes) {
    sum.tasks += node.tasks;
    sum.flops += node.flops;
    sum.updateFlops += node.updateFlops;
    add(node.transfers, sum.transfers);
    sum.ownedBytes += node.ownedBytes;
    for (const auto bytes :
         {&NodeCost::foreignBytes, &NodeCost::temporaryBytes, &NodeCost::leastTemporaryBytes, &NodeCost::renamedBytes})
      sum.*bytes += node.*bytes;
    add(node.devices, sum.devices);
  }
  return sum;
}

bool isAsCounted(const Statistics &run, const NodeCost &counted) {
  const TransferCounts &a = run.transfers, &b = counted.transfers;
  return run.tasks == counted.tasks && a.messages == b.messages && a.bytes == b.bytes && a.received == b.received &&
         a.receivedBytes == b.receivedBytes &&
         std::ranges::equal(run.devices, counted.devices,
                            [](const DeviceCounts &ran, const DeviceCounts &before) { return ran == before; });
}

NodeCost predictMemory(const Algorithm &algorithm, const Arguments &call, const Distribution &distribution, int node,
                       const CostOptions &options, const LoopLimit &limit) {
  const BorrowedPeriod period(algorithm, call, distribution);
  requireFittingShapes(algorithm, call);
  NodeCost sum;
  if (writesNothing(algorithm, call))
    return sum;
  const auto add = [&](const Arguments &part) {
    MemoryPass pass(distribution, node);
    LoopWatch watch(limit);
    WatchedLoops loops(pass, watch.progress());
    if (isOrdered(options)) {
      const std::function<void(Generator &)> program = orderedProgram(algorithm, part, options);
      if (distribution.nodes() > 1) {
        replay(program, distribution, node, &watch.progress())(loops);
      } else {
        Generator generator(loops);
        program(generator);
      }
    } else if (distribution.nodes() > 1) {
      nodeProgram(algorithm, part, distribution, node, &watch.progress())(loops);
    } else {
      Generator generator(loops);
      algorithm.generate(generator, part);
    }
    const NodeCost one = pass.result(options);
    for (const auto bytes : {&NodeCost::ownedBytes, &NodeCost::foreignBytes, &NodeCost::temporaryBytes,
                             &NodeCost::leastTemporaryBytes, &NodeCost::renamedBytes})
      sum.*bytes = std::max(sum.*bytes, one.*bytes);
    sum.transfers.receivedBytes += one.transfers.receivedBytes;
    return true;
  };
  forEachStage(algorithm, call, add, options.iterations);
  return sum;
}

Cost predictCost(const std::function<void(Generator &)> &generate, const Distribution &distribution,
                 const CostOptions &options) {
  const auto program = [&](int node) { return replay(generate, distribution, node); };
  HomesOfNodes homes = homesOfNodes(program, distribution, options, nullptr);
  return costByReplay(isOrdered(options) ? inOrder(generate, options.order) : generate, distribution, options, homes);
}

Cost predictCost(const Algorithm &algorithm, const Arguments &call, const Distribution &distribution,
                 const CostOptions &options) {
  const BorrowedPeriod period(algorithm, call, distribution);
  Arguments arguments = call;
  if (options.taskMap && distribution.nodes() == 1)
    arguments.taskMap = options.taskMap.get();
  requireFittingShapes(algorithm, arguments);
  if (writesNothing(algorithm, arguments))
    return {.nodes = std::vector<NodeCost>(distribution.nodes())};
  Cost cost;
  HomesOfNodes homes = homesOfCall(algorithm, arguments, distribution, options);
  const auto add = [&](const Arguments &part) {
    addPart(costOfPart(algorithm, part, distribution, options, homes), cost);
    return true;
  };
  forEachStage(algorithm, arguments, add, options.iterations);
  return cost;
}

} // namespace tla::runtime
