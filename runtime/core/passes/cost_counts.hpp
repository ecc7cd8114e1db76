// What a program costs, counted task by task: on one node, and as a whole.
#pragma once

#include "runtime/core/passes/device_counts.hpp"
#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/passes/inputs_outputs.hpp"
#include "runtime/core/passes/last_uses.hpp"
#include "runtime/core/passes/longest_path.hpp"
#include "runtime/core/passes/temporary_tiles.hpp"
#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/interfaces/cost.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Throws tla::Error when the matrix has no such tile.
inline void requireTile(const TileAccess &access) {
  if (!access.matrix->has(access.row, access.column))
    throw Error(access.matrix->outsideText(access.row, access.column));
}

/// Counts the instances of one node; without the memory that temporary tiles take there, where nobody asks for it.
class NodeCount {
public:
  /// `released`: whether a run releases such tiles behind their last use, as on several nodes (generateInstances).
  NodeCount(int node, bool released, bool withMemory = true)
      : node_(node), released_(released), withMemory_(withMemory) {}
  /// Starts to count another node, in the same memory.
  void start(int node) {
    node_ = node;
    cost_ = {};
    tiles_.clear();
  }

  void task(double flops, const TaskCall &call) {
    ++cost_.tasks;
    cost_.flops += flops;
    cost_.updateFlops += isUpdate(call.taskClass) ? flops : 0;
    if (!withMemory_)
      return;
    TemporaryTiles::Bytes bytes;
    for (int i = 0; i < call.accessCount; ++i)
      use(call.accesses[i].tile(), false, call.accesses[i].access == Access::Write, bytes);
    if (bytes.all)
      tiles_.endInstance(bytes.foreign, bytes.all);
  }
  void send(const TileRef &tile) {
    ++cost_.transfers.messages;
    cost_.transfers.bytes += packedBytes(tile);
    transfer(tile, false);
  }
  void receive(const TileRef &tile) {
    ++cost_.transfers.received;
    cost_.transfers.receivedBytes += packedBytes(tile);
    transfer(tile, true);
  }
  /// The program releases a tile; of another node's that node's release says nothing here.
  void release(const TileRef &tile) {
    if (withMemory_ && tile.matrix->workspace() && tile.matrix->has(tile.row, tile.column) &&
        tile.matrix->node(tile.row, tile.column) == node_)
      forEachHalf(tile, [&](int half) { tiles_.release(tile, half); });
  }
  /// The cost of the node, without the tiles that it owns; boundTemporary() is still to be called.
  NodeCost result(int window) {
    const TemporaryTiles::Peaks peaks = withMemory_ ? tiles_.peaks(window, released_) : TemporaryTiles::Peaks();
    cost_.leastTemporaryBytes = peaks.open.all;
    cost_.temporaryBytes = peaks.held.all;
    cost_.foreignBytes = peaks.held.foreign;
    cost_.renamedBytes = std::min<std::uint64_t>(cost_.renamedBytes, Options{}.renameBytes);
    return cost_;
  }

private:
  void transfer(const TileRef &tile, bool fresh) {
    TemporaryTiles::Bytes bytes;
    if (withMemory_) {
      use(tile, fresh, false, bytes);
      if (bytes.all)
        tiles_.endInstance(bytes.foreign, bytes.all);
    }
  }
  /// Adds the bytes of the tile if it is temporary, and what may be renamed where content takes another's place.
  void use(const TileRef &tile, bool fresh, bool written, TemporaryTiles::Bytes &bytes) {
    const TileTable &table = *tile.matrix;
    if (!table.has(tile.row, tile.column))
      return;
    const bool rewritten = written && !table.regions(), foreign = table.node(tile.row, tile.column) != node_;
    bool isFirst = false;
    if (isTemporary(tile, node_)) {
      forEachHalf(tile, [&](int half) { isFirst |= tiles_.use(tile, half, {foreign, fresh, rewritten}); });
      bytes.all += TemporaryTiles::bytesOf(tile);
      bytes.foreign += foreign ? TemporaryTiles::bytesOf(tile) : 0;
    }
    if ((rewritten || fresh) && !isFirst && table.renamable()) // a message that brings content writes it
      cost_.renamedBytes += table.tileBytes(tile.row, tile.column);
  }

  int node_;
  const bool released_, withMemory_;
  NodeCost cost_;
  TemporaryTiles tiles_;
};

/// Bounds what tiles take behind the program by Options::lookaheadBytes, of a run with callers' matrices of so many
/// bytes.
inline void boundTemporary(NodeCost &node, std::size_t given, std::uint64_t matrices, int nodes) {
  const std::uint64_t behind =
      given == Options::usualLookahead ? usualLookahead(matrices, nodes, node.leastTemporaryBytes) : given;
  const std::uint64_t most = node.leastTemporaryBytes + std::min<std::uint64_t>(behind, INT64_MAX / 2);
  node.temporaryBytes = std::min(node.temporaryBytes, most);
  node.foreignBytes = std::min(node.foreignBytes, most + node.renamedBytes);
}

/// Counts with a look at the whole program: its matrices, and the longest path through its tasks. In a brief count, for
/// somebody who compares distributions, it counts flops alone.
class ProgramCount {
public:
  explicit ProgramCount(int nodes, bool isBrief = false) : isBrief_(isBrief), ownedBytes_(nodes) {}

  void add(const TileTable &table) {
    if (table.number() < tables_ || isBrief_)
      return;
    ++tables_;
    callersBytes_ += table.callersBytes();
    if (table.workspace())
      return;
    const Storage &storage = table.storage();
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j)) {
          const auto bytes =
              static_cast<std::uint64_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes();
          ownedBytes_[table.node(i, j * storage.slices())] += bytes;
          ++storedTiles_;
          storedBytes_ += bytes;
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
  /// Completes the nodes' costs, too.
  void addTo(Cost &cost, std::size_t lookaheadBytes) const {
    for (std::size_t node = 0; node < ownedBytes_.size(); ++node) {
      cost.nodes[node].ownedBytes = ownedBytes_[node];
      boundTemporary(cost.nodes[node], lookaheadBytes, callersBytes_, static_cast<int>(ownedBytes_.size()));
    }
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
  std::uint64_t storedTiles_ = 0, storedBytes_ = 0, callersBytes_ = 0;
  std::vector<std::uint64_t> ownedBytes_; // by node
  double userFlops_ = 0;
  LongestPath path_;
  InputsOutputs matrices_;
  FlopCount flops_;
};

} // namespace tla::runtime
