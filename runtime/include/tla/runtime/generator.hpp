// The task-generation side of the runtime ([Song12] sections 4 and 5): generated code runs the sequential program and
// appends its tasks; the runtime finds the dependences and fires the tasks as data arrives.
#pragma once

#include <tla/runtime/task.hpp>

#include <cstdint>

namespace tla::runtime {

/// The priority of a message whose content no task reads where it goes.
inline constexpr int leastPriority = -INT32_MAX;

/// Takes the tasks that a program appends: the core's window, or a recorder that only looks at them (simulation.hpp).
/// The functions do what Generator says of them.
class TaskSink {
public:
  virtual TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) = 0;
  virtual void keep(const StorageRef &storage) = 0;
  virtual void setParameters(const void *parameters) = 0;
  virtual void append(const TaskCall &call) = 0;
  virtual void release(const TileRef &tile) = 0;
  virtual void send(const TileRef &tile, int destination, int priority) = 0;
  virtual void receive(const TileRef &tile, int source, int priority) = 0;
  virtual bool stopped() const = 0;

protected:
  ~TaskSink() = default;
};

/// Hands a program's tasks to a sink; used by one thread, for one run. After a failure or an interrupt append() does
/// nothing, so that loops run out.
class Generator {
public:
  explicit Generator(TaskSink &sink) : sink_(sink) {}

  /// Makes the tiles of a matrix known. `regions`: the program uses lower() or upper() of this matrix somewhere.
  /// The storage must outlive the run.
  TileTable &matrix(Storage &storage, const char *name, bool regions = false) {
    return sink_.table(storage, name, false, regions);
  }
  /// A matrix whose tiles the runtime allocates when they are first written and frees after the last use.
  TileTable &workspace(Storage &storage, const char *name, bool regions = false) {
    return sink_.table(storage, name, true, regions);
  }
  /// Shares the ownership of a workspace's storage whose maker will not live to the end of the run.
  void keep(const StorageRef &storage) { sink_.keep(storage); }
  /// The scalar parameters that tasks find in TaskView::parameters(); must outlive the run.
  void setParameters(const void *parameters) { sink_.setParameters(parameters); }

  /// APPEND ([Song12] 5.2): one more task, after all earlier ones in program order, with any
  /// number of indices. A tile that the matrix does not have or not store is a fault of the run. When the window is
  /// full the calling thread helps to compute until there is room.
  void append(const TaskCall &call) { sink_.append(call); }
  /// No later task of this node uses the tile's present content: the memory of a workspace tile, or of another node's
  /// tile, may go ([Song12] 5.5). With `region` Lower or Upper: of this part; the memory is that of both.
  void release(TileTable &matrix, int row, int column, Region region = Region::Full) {
    sink_.release({&matrix, row, column, region});
  }
  /// The instances that a task on another node has on this one ([Song12] section 6, rules 4, 6 and 8). Every node names
  /// them at the place in program order of the task that first needs the content on the receiving node, so that both
  /// ends of a pair of nodes have the same messages in the same order. The tile's present content goes to, comes from,
  /// that node; with `region` Lower or Upper only this part of it. `priority`: of the task that needs it there;
  /// messages leave in that order, which changes no result.
  void send(TileTable &matrix, int row, int column, Region region, int destination, int priority = 0) {
    sink_.send({&matrix, row, column, region}, destination, priority);
  }
  void receive(TileTable &matrix, int row, int column, Region region, int source, int priority = 0) {
    sink_.receive({&matrix, row, column, region}, source, priority);
  }
  /// True once the run has failed or was interrupted; generated outer loops end early.
  bool stopped() const { return sink_.stopped(); }

private:
  TaskSink &sink_;
};

/// Collects the accesses of one task, panels included. Fixed room for the common case, heap beyond it.
class AccessList {
public:
  AccessList() = default;
  AccessList(const AccessList &) = delete;
  AccessList &operator=(const AccessList &) = delete;
  [[gnu::noinline]] ~AccessList() {
    if (list_ != inline_)
      ::operator delete(list_);
  }
  void add(const TileAccess &access) {
    if (size_ == capacity_)
      grow(size_ + 1);
    list_[size_++] = access;
  }
  [[gnu::noinline]] void add(const PanelAccess &panel) {
    for (int row = panel.row; row < panel.rowEnd; row += panel.step)
      add(TileAccess{panel.matrix, row, panel.column, panel.access});
  }
  [[gnu::noinline]] void add(const BlockAccess &block) {
    for (int row = block.row; row < block.rowEnd; row += block.step)
      for (int column = block.column; column < block.columnEnd; ++column)
        add(TileAccess{block.matrix, row, column, block.access});
  }
  const TileAccess *data() const { return list_; }
  int size() const { return size_; }

private:
  void grow(int needed);
  static constexpr int inlineCapacity = 8;
  alignas(TileAccess) unsigned char room_[inlineCapacity * sizeof(TileAccess)];
  TileAccess *inline_ = reinterpret_cast<TileAccess *>(room_);
  TileAccess *list_ = inline_;
  int size_ = 0, capacity_ = inlineCapacity;
};

} // namespace tla::runtime
