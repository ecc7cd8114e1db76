// The generating thread's side of a run ([Song12] 4 and 5.2).
#pragma once

#include "runtime/core/places/homes.hpp"
#include "runtime/core/places/places.hpp"
#include "runtime/core/run/class_numbers.hpp"
#include "runtime/core/run/ready_batch.hpp"
#include "runtime/core/run/throttle.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/window/appender.hpp"
#include "runtime/core/window/node_tasks.hpp"
#include "runtime/core/window/run_tables.hpp"

#include <tla/runtime/generator.hpp>

#include <vector>

namespace tla::runtime {

/// Appends the tasks of one run. Lives on the generating thread's stack for the length of the run; nothing in it is
/// shared. Its parts, each with the rules of its data, from the bottom up:
///
///   NewTask        the task that is being appended
///   RunTables      the task lists of all matrices
///   ClassNumbers   the task classes
///   Versions       the beginning and the end of versions
///   Appender       APPEND: what a new task depends on
///   ReadyBatch     tasks that are ready at once, on the way to their units
///   Throttle       waiting for room, and for the end
class GeneratorImpl final : public PlacedSink {
public:
  /// `homes`: of resident matrices. `lookaheadBytes`: Options'.
  GeneratorImpl(NodeTasks &tasks, RunTables &tables, const Homes &homes, HostDevice &workers, LoopProgress &loops,
                Helper &helper, std::size_t lookaheadBytes)
      : tasks_(tasks), workers_(workers), tables_(tables), homes_(homes), task_(tasks.state, tasks.buffers),
        appender_(tasks.window, tasks.buffers, task_), ready_(tasks, workers), throttle_(tasks, loops, helper, ready_),
        lookaheadBytes_(lookaheadBytes) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return tables_.table(storage, name, workspace, regions);
  }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *parameters) override { parameters_ = parameters; }
  void append(const TaskCall &call) override;
  void release(const TileRef &tile) override;
  void send(const TileRef &tile, int destination, int priority) override;
  void receive(const TileRef &tile, int source, int priority) override;
  // With accelerators.
  TileTable &replica(TileTable &matrix, int place) override {
    return tables_.replica(matrix, place, homes_.find(matrix.storage()));
  }
  void appendAt(int place, const TaskCall &call) override;
  void copy(const TileRef &from, TileTable &to, int priority) override;
  void reserve(int place, std::size_t bytes) override;

  void failBetweenTasks(std::string message);
  bool stopped() const override { return tasks_.state.stopped(); }

  /// Helps until all tasks are complete. Always returns: a stopped run's tasks complete without their kernels.
  void finish();
  /// After finish(): brings renamed tiles home and frees what is left of the workspaces.
  void settle();
  void addTo(Statistics &statistics, double secondsPerTick) const;
  const std::vector<const TaskClass *> &classes() const { return classes_.list(); }
  /// When the first task was appended.
  Ticks begin() const { return begin_; }

private:
  void start();
  void appendTask(const TaskCall &call, std::uint8_t unit);
  Task *newTask(const TaskCall &call);
  void waitForBacklog();
  void appendTransfer(const TaskClass &taskClass, const TileAccess &access, int peer, int priority,
                      std::vector<std::uint32_t> &ordinals);

  NodeTasks &tasks_;
  HostDevice &workers_;
  RunTables &tables_;
  const Homes &homes_;
  NewTask task_;
  ClassNumbers classes_;
  Appender appender_;
  ReadyBatch ready_;
  Throttle throttle_;

  const std::size_t lookaheadBytes_; // Options'
  std::int64_t lookahead_ = -1;      // what Backlog::behind() is held to, as last asked; -1: not yet
  const void *parameters_ = nullptr;
  std::size_t appended_ = 0;                   // tasks
  std::vector<std::uint32_t> sent_, received_; // messages so far, by peer
  Ticks begin_ = 0, end_ = 0;
  std::int64_t startedAt_ = 0; // Statistics::startedAt
};

} // namespace tla::runtime
