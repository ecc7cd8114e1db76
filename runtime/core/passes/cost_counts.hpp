// What a program costs, counted task by task: on one node, and as a whole.
#pragma once

#include "runtime/core/passes/device_counts.hpp"
#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/passes/temporary_tiles.hpp"
#include "runtime/core/passes/last_uses.hpp"
#include "runtime/core/passes/inputs_outputs.hpp"
#include "runtime/core/passes/longest_path.hpp"
#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/interfaces/cost.hpp"

#include <tla/runtime/error.hpp>

#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Throws tla::Error when the matrix has no such tile.
inline void requireTile(const TileAccess &access) {
  if (!access.matrix->has(access.row, access.column))
    throw Error(access.matrix->outsideText(access.row, access.column));
}

/// Counts the instances of one node; without the memory that other nodes' tiles take there, where nobody asks for it.
class NodeCount {
public:
  explicit NodeCount(int node, bool withMemory = true) : node_(node), withMemory_(withMemory) {}
  /// Starts to count another node, in the same memory.
  void start(int node) {
    node_ = node;
    cost_ = {};
    copies_.clear();
  }

  void task(double flops, const TaskCall &call) {
    ++cost_.tasks;
    cost_.flops += flops;
    cost_.updateFlops += isUpdate(call.taskClass) ? flops : 0;
    if (!withMemory_)
      return;
    std::uint64_t foreign = 0;
    for (int i = 0; i < call.accessCount; ++i)
      foreign += useIfForeign(call.accesses[i].tile(), false, call.accesses[i].access == Access::Write);
    copies_.endInstance(foreign);
  }
  void send(const TileRef &tile) {
    ++cost_.transfers.messages;
    cost_.transfers.bytes += packedBytes(tile);
    if (withMemory_)
      copies_.endInstance(useIfForeign(tile, false, false));
  }
  void receive(const TileRef &tile) {
    ++cost_.transfers.received;
    cost_.transfers.receivedBytes += packedBytes(tile);
    if (withMemory_)
      copies_.endInstance(useIfForeign(tile, true, false));
  }
  /// The cost of the node, without the tiles that it owns.
  NodeCost result(int window) {
    cost_.foreignBytes = withMemory_ ? copies_.peak(window) : 0;
    return cost_;
  }

private:
  /// The bytes of the tile on a node that does not own it.
  std::uint64_t useIfForeign(const TileRef &tile, bool fresh, bool written) {
    const TileTable &table = *tile.matrix;
    if (table.node(tile.row, tile.column) == node_)
      return 0;
    const bool rewritten = written && !table.regions();
    forEachHalf(tile, [&](int half) { copies_.use(tile, half, fresh, rewritten); });
    return ForeignCopies::bytesOf(tile);
  }

  int node_;
  bool withMemory_;
  NodeCost cost_;
  ForeignCopies copies_;
};

/// Counts with a look at the whole program: its matrices, and the longest path through its tasks. In a brief count, for
/// somebody who compares distributions, it counts flops alone.
class ProgramCount {
public:
  explicit ProgramCount(int nodes, bool isBrief = false) : isBrief_(isBrief), ownedBytes_(nodes) {}

  void add(const TileTable &table) {
    if (table.number() < tables_ || isBrief_)
      return;
    ++tables_;
    const Storage &storage = table.storage();
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j)) {
          const auto bytes =
              static_cast<std::uint64_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes();
          ownedBytes_[table.node(i, j * storage.slices())] += bytes;
          storedTiles_ += !table.workspace();
          storedBytes_ += table.workspace() ? 0 : bytes;
        }
  }
  void setParameters(const void *parameters) { flops_.setParameters(parameters); }
  /// Counts a task and returns its flops.
  double task(const TaskCall &call) {
    for (int i = 0; i < call.accessCount; ++i)
      requireTile(call.accesses[i]);
    const double flops = flops_.of(call);
    if (isBrief_)
      return flops;
    path_.append(flops, call.accesses, call.accessCount);
    matrices_.append(call.accesses, call.accessCount);
    userFlops_ += call.taskClass.userKernel ? flops : 0;
    return flops;
  }
  void addTo(Cost &cost) const {
    for (std::size_t node = 0; node < ownedBytes_.size(); ++node)
      cost.nodes[node].ownedBytes = ownedBytes_[node];
    cost.storedTiles = storedTiles_;
    cost.storedBytes = storedBytes_;
    cost.inputBytes = matrices_.inputBytes();
    cost.outputBytes = matrices_.outputBytes();
    cost.userFlops = userFlops_;
    cost.criticalPathTasks = path_.tasks();
    cost.criticalPathFlops = path_.flops();
  }

private:
  const bool isBrief_;
  int tables_ = 0;
  std::uint64_t storedTiles_ = 0, storedBytes_ = 0;
  std::vector<std::uint64_t> ownedBytes_; // by node
  double userFlops_ = 0;
  LongestPath path_;
  InputsOutputs matrices_;
  FlopCount flops_;
};

} // namespace tla::runtime
