// A program whose tasks come in another order than its loops have: block by block of what they write, so that what is
// together in an accelerator's memory is used together.
#pragma once

#include "runtime/core/window/dry_pass.hpp"

#include <tla/runtime/generator.hpp>
#include <tla/runtime/task_blocks.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tla::runtime {

class LoopProgress;

/// Tasks of a program in the order of TaskBlocks. It can be called instead of the program any number of times, by
/// several nodes of one process, too; each call gives the same.
///
/// The tiles of the matrix that most tasks write are dealt to blocks, numbered row by row. A task has the number of the
/// block of its main output, and with TaskBlocks::bySteps, behind that, the number of times that tile has been written
/// before it. A task that depends on another, by what one of the two writes, has at least the other's numbers. Tasks
/// are in the order of these numbers, and those with the same ones in the program's.
///
/// So the order is one of those that the program's dependences allow, whatever the program: each tile's writes, and the
/// reads between two of them, are what they were, and so are the bits of the results.
class BlockedProgram {
public:
  /// Runs `generate` once, and keeps its tasks, of about 90 bytes each. Its parameters, and storages that it does not
  /// give to keep(), must outlive this. `progress`: who is to know how far its loops come, or null.
  BlockedProgram(const std::function<void(Generator &)> &generate, const TaskBlocks &blocks,
                 LoopProgress *progress = nullptr);

  void operator()(Generator &generator) const;

  /// Whether the order is another one than the program's.
  bool isReordered() const { return isReordered_; }

private:
  class Recorder;
  class Ordering;

  /// One task, or release() of a tile.
  struct Step {
    std::uint32_t firstAccess, firstIndex;
    int accessCount, priority;
    std::uint16_t taskClass, parameters, indexCount;
    bool isRelease;
  };
  struct TileUse {
    int row, column;
    std::uint16_t matrix;
    Access access;
    Region region;
  };
  /// A matrix as the program names it. It may come several times, as several parameters.
  struct Naming {
    Storage *storage;
    const char *name;
    bool workspace, regions;
    const TileTable *table;
  };

  void order(const TaskBlocks &blocks);

  DryTables tables_{nullptr};
  std::vector<StorageRef> kept_;
  std::vector<Naming> namings_;
  std::vector<const TaskClass *> classes_;
  std::vector<const void *> parameters_;
  std::vector<Step> steps_;
  std::vector<TileUse> uses_;
  std::vector<int> indices_;
  std::vector<std::uint32_t> order_; ///< positions in steps_
  bool isReordered_ = false;
};

/// The program with its tasks in this order; for the program's own order `generate` itself.
std::function<void(Generator &)> inOrder(const std::function<void(Generator &)> &generate, const TaskBlocks &blocks,
                                         LoopProgress *progress = nullptr);

} // namespace tla::runtime
