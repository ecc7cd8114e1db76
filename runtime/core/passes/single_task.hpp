// One kernel on tiles that lie anywhere, outside of any run: to time it, or to try it.
#pragma once

#include "runtime/core/window/tile_table.hpp"

#include <memory>
#include <span>

namespace tla::runtime {

struct NodeBlock;

/// Where the tile of an argument belongs, which says its shape, and whether the kernel writes it.
struct SingleArgument {
  TileTable *table;
  bool written;
};

/// A task as the runtime would run it, with one access for each argument. It has no parameters and no indices: a kernel
/// that asks for them must not be given. The tables must outlive it.
class SingleTask {
public:
  SingleTask(const TaskClass &taskClass, std::span<const SingleArgument> arguments);
  SingleTask(SingleTask &&) noexcept;
  ~SingleTask();

  /// Sets, before the task runs, the first element of each argument's tile, on the host or where the accelerator has
  /// it. The rows of the table's tile are its leading dimension.
  void setTile(int argument, void *data);

  /// Runs the kernel on this thread.
  void run() const;
  /// The task, for Accelerator::launch().
  const Task &task() const { return *task_; }

private:
  std::unique_ptr<Task> task_;
  std::unique_ptr<Version[]> versions_;
  std::unique_ptr<NodeBlock[]> overflow_; ///< further blocks for a panel of many tiles
};

} // namespace tla::runtime
