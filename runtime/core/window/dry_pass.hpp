// A look at a program: its tasks without a window.
#pragma once

#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/generator.hpp>

#include <deque>
#include <vector>

namespace tla::runtime {

/// The tables of a program that is looked at: one for each matrix, whatever number of parameters name it, numbered as
/// they come, and without task lists.
class DryTables {
public:
  /// `distribution`: who owns the tiles, borrowed; null: one node has all. `rank`: TileTable::foreign() is asked for
  /// this one; -1: for none.
  explicit DryTables(const Distribution *distribution, int rank = -1) : distribution_(distribution), rank_(rank) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions);
  /// `storage` lives as long as this.
  void keep(const StorageRef &storage) { kept_.push_back(storage); }

private:
  const Distribution *const distribution_;
  const int rank_;
  std::vector<StorageRef> kept_; // before the tables, which borrow from it
  std::deque<TileTable> tables_;
};

/// A sink that runs nothing and never stops. Passes over a program are derived from it, and override what they want to
/// see; without that a call has no effect.
class DryPass : public TaskSink {
public:
  /// Takes the same arguments as DryTables.
  explicit DryPass(const Distribution *distribution = nullptr, int rank = -1) : tables_(distribution, rank) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return tables_.table(storage, name, workspace, regions);
  }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *) override {}
  void append(const TaskCall &) override {}
  void release(const TileRef &) override {}
  void send(const TileRef &, int, int) override {}
  void receive(const TileRef &, int, int) override {}
  bool stopped() const override { return false; }

protected:
  ~DryPass() = default;

private:
  DryTables tables_;
};

} // namespace tla::runtime
