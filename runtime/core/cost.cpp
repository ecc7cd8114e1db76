#include <tla/runtime/cost.hpp>

#include "runtime/core/flop_count.hpp"
#include "runtime/core/foreign_copies.hpp"
#include "runtime/core/longest_path.hpp"
#include "runtime/core/packing.hpp"
#include "runtime/core/protocol.hpp"
#include "runtime/core/shapes.hpp"

namespace tla::runtime {
namespace {

/// Counts the instances of all nodes.
class InstanceCount final : public InstanceListener {
public:
  explicit InstanceCount(int nodes) : nodes_(nodes), copies_(nodes) {}

  /// Every matrix once, before the first task that names it.
  void add(const TileTable &table) {
    if (static_cast<std::size_t>(table.number()) < firstTile_.size())
      return;
    firstTile_.push_back(nextTile_);
    nextTile_ += static_cast<std::uint64_t>(table.storage().mt()) * table.storage().nt();
    addOwned(table);
  }
  void setParameters(const void *parameters) { flops_.setParameters(parameters); }

  void transfer(TileTable &matrix, int row, int column, Region region, int source, int destination) override {
    const std::uint64_t bytes = packedBytes(matrix, row, column, region);
    TransferCounts &sent = nodes_[source].transfers, &received = nodes_[destination].transfers;
    ++sent.messages;
    sent.bytes += bytes;
    ++received.received;
    received.receivedBytes += bytes;
    const TileAccess access{&matrix, row, column, Access::Read, region};
    copies_.instance(source, useIfForeign(access, source, false));
    copies_.instance(destination, useIfForeign(access, destination, true));
  }

  void task(int node, const TaskClass &taskClass, int, const int *indices, int indexCount, const TileAccess *accesses,
            int accessCount) override {
    std::uint64_t foreign = 0;
    for (int i = 0; i < accessCount; ++i) {
      const TileAccess &access = accesses[i];
      if (!access.matrix->has(access.row, access.column))
        throw Error(access.matrix->outsideText(access.row, access.column));
      foreign += useIfForeign(access, node, false);
    }
    copies_.instance(node, foreign);
    const double flops = flops_.of(taskClass, indices, indexCount, accesses, accessCount);
    ++nodes_[node].tasks;
    nodes_[node].flops += flops;
    path_.append(flops, accesses, accessCount);
  }

  void endTask() override { ++time_; }

  Cost result(int window) {
    Cost cost;
    const std::vector<std::uint64_t> peaks = copies_.peaks(window);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      nodes_[node].foreignBytes = peaks[node];
    cost.nodes = std::move(nodes_);
    cost.storedTiles = storedTiles_;
    cost.criticalPathTasks = path_.tasks();
    cost.criticalPathFlops = path_.flops();
    return cost;
  }

private:
  void addOwned(const TileTable &table) {
    const Storage &storage = table.storage();
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j)) {
          storedTiles_ += !table.workspace();
          nodes_[table.node(i, j)].ownedBytes +=
              static_cast<std::uint64_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes();
        }
  }

  /// The bytes of the tile on a node that does not own it.
  std::uint64_t useIfForeign(const TileAccess &access, int node, bool fresh) {
    const TileTable &table = *access.matrix;
    if (table.node(access.row, access.column) == node)
      return 0;
    const std::uint64_t tile =
        firstTile_[table.number()] + access.row + static_cast<std::uint64_t>(access.column) * table.storage().mt();
    const auto use = [&](int half) {
      copies_.use(table, access.row, access.column, tile, half, node, time_, fresh,
                  access.access == Access::Write && !table.regions());
    };
    if (!table.regions() || access.region != Region::Upper)
      use(0);
    if (table.regions() && access.region != Region::Lower)
      use(1);
    return ForeignCopies::bytesOf(table, access.row, access.column);
  }

  std::vector<NodeCost> nodes_;
  ForeignCopies copies_;
  LongestPath path_;
  FlopCount flops_;
  std::vector<std::uint64_t> firstTile_; // by matrix
  std::uint64_t nextTile_ = 0, storedTiles_ = 0;
  std::uint64_t time_ = 0; // tasks before the one whose instances are told
};

/// The program's tasks on their way to the protocol.
class CountingPass final : public TaskSink {
public:
  CountingPass(const Distribution &distribution, const Protocol &protocol, InstanceCount &count)
      : tables_(distribution), instances_(protocol, count), count_(count) {}
  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = tables_.table(storage, name, workspace, regions);
    instances_.add(table);
    count_.add(table);
    return table;
  }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *parameters) override { count_.setParameters(parameters); }
  void append(const TaskClass &taskClass, int priority, const int *indices, int indexCount, const TileAccess *accesses,
              int accessCount) override {
    instances_.append(taskClass, priority, indices, indexCount, accesses, accessCount);
  }
  void release(TileTable &, int, int, Region) override {}
  void send(TileTable &, int, int, Region, int) override {}
  void receive(TileTable &, int, int, Region, int) override {}
  bool stopped() const override { return false; }

private:
  DryTables tables_;
  Protocol::Instances instances_;
  InstanceCount &count_;
};

void run(const std::function<void(Generator &)> &generate, TaskSink &sink) {
  Generator handle(sink);
  generate(handle);
}

} // namespace

NodeCost Cost::total() const {
  NodeCost sum;
  for (const NodeCost &node : nodes) {
    sum.tasks += node.tasks;
    sum.flops += node.flops;
    sum.transfers.messages += node.transfers.messages;
    sum.transfers.bytes += node.transfers.bytes;
    sum.transfers.received += node.transfers.received;
    sum.transfers.receivedBytes += node.transfers.receivedBytes;
    sum.ownedBytes += node.ownedBytes;
    sum.foreignBytes += node.foreignBytes;
  }
  return sum;
}

Cost predictCost(const std::function<void(Generator &)> &generate, const Distribution &distribution,
                 const CostOptions &options) {
  Protocol protocol(distribution);
  {
    Protocol::LastWrites lastWrites(protocol);
    run(generate, lastWrites);
  }
  InstanceCount count(distribution.nodes());
  {
    CountingPass pass(distribution, protocol, count);
    run(generate, pass);
  }
  return count.result(options.window);
}

Cost predictCost(const Algorithm &algorithm, const Arguments &arguments, const Distribution &distribution,
                 const CostOptions &options) {
  requireFittingShapes(algorithm, arguments);
  if (writesNothing(algorithm, arguments))
    return {std::vector<NodeCost>(distribution.nodes()), 0, 0, 0};
  return predictCost([&](Generator &generator) { algorithm.generate(generator, arguments); }, distribution, options);
}

} // namespace tla::runtime
