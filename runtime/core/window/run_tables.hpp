// The task lists of all matrices of a run.
#pragma once

#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/generator.hpp>

#include <memory>
#include <vector>

namespace tla::runtime {

/// Invariants: there is one table for each matrix, whatever number of parameters name it, and one for each place that
/// has copies of it; all of one matrix have its number, which is the same on all nodes, and the same halves. What the
/// tables borrow from lives as long. Tables stay where they are until the run is over. The generating thread's.
class RunTables {
public:
  /// `distribution`: null on one node.
  RunTables(const Distribution *distribution, int rank, HeldWorkspaces &held)
      : distribution_(distribution), rank_(rank), held_(held) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions);
  /// A new one, for an accelerator's copies of the matrix's tiles. `homes`: TileTable::setHomes().
  TileTable &replica(TileTable &matrix, int place, const MatrixHomes *homes);
  /// `storage` lives until the run is over.
  void keep(const StorageRef &storage) { kept_.push_back(storage); }

  /// The bytes of Options::lookaheadBytes for a run with these matrices, of whose tiles so many bytes have been open at
  /// one time so far.
  std::int64_t lookahead(std::size_t given, std::uint64_t open) const;

  /// All versions that are current at this moment.
  template <typename Visit> void forEachCurrent(Visit visit) const {
    for (const auto *tables : {&tables_, &replicas_})
      for (const auto &table : *tables)
        table->forEachCurrent(visit);
  }

private:
  void addRegions(TileTable &table);

  const Distribution *const distribution_;
  const int rank_;
  HeldWorkspaces &held_;
  std::vector<StorageRef> kept_; // before the tables, which borrow from it
  std::vector<std::unique_ptr<TileTable>> tables_, replicas_;
};

} // namespace tla::runtime
