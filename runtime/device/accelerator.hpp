// What the core asks of an accelerator: memory of its own, copies into and out of it, kernels on what lies there. All
// of it is asynchronous. What is done where and when, and what it means, is the core's affair (core/places/places.hpp).
#pragma once

#include "runtime/device/tile_copy.hpp"

#include <tla/runtime/task.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace tla::runtime {

/// The limits of one launch that takes several ready tasks of a class.
struct Together {
  int tasks = 1;         ///< the most tasks
  double operations = 0; ///< real ones; a launch that has so many takes no more
  double seconds = 0;    ///< time of the thread that begins kernels, for each task but the first; where it is known
  /// Where it is known without an accelerator: the products C = A B of tiles of a type (LAPACK's letter), C m x n, the
  /// inner dimension k, that it joins(). Null: none.
  std::function<bool(char type, int m, int n, int k)> products = {};
};

struct AcceleratorProperties {
  std::string name = {};       ///< "emulated:0", "cuda:1 NVIDIA H200"
  std::string model = {};      ///< equal for equal ones: "NVIDIA H200"
  std::string library = {};    ///< where its kernels come from, with version: with the model the key of measured rates
  std::string advice = {};     ///< where its kernels do not compute what they should, what may help; a clause, or none
  std::size_t memoryBytes = 0; ///< memory for tiles
  std::size_t granularity = 1; ///< an allocation takes its bytes rounded up to a multiple of this, at least one
  /// Whether a task is worth running there, apart from has(); null: all that are neither bound by memory nor panels.
  std::function<bool(const TaskClass &)> runs = {};
  /// has(), where it is known without an accelerator; null: all that generated code has bodies for.
  std::function<bool(const TaskClass &)> has = {};
  bool peers = true;       ///< reaches() the others of its node, where it is known without an accelerator
  bool usesHost = false;   ///< whether memory, and the cores that run kernels, are the host's: an emulated one
  bool pins = false;       ///< copies are faster from and to memory of the host that pin() has been told of
  int kernelsInFlight = 1; ///< worth having launched and not finished at one time; 3/8 more of those that stand Before
  int copiesInFlight = 1;  ///< the most copies in flight, in each direction
  Together together = {};
};

/// The work of a task.
struct TaskSize {
  double operations = 0;     ///< real ones; 0: the kernel does not say
  int rows = 0, columns = 0; ///< size of the main output
};
inline TaskSize sizeOf(const TaskClass &taskClass, const TaskView &view) {
  const Tile<char> main = view.mainTile<char>();
  return {taskClass.flops ? taskClass.flops(view) : 0, main.m(), main.n()};
}

/// How critical a kernel is beside those in flight that were launched as Among or Behind, panels apart, and those that
/// are ready: not more than any, and less than some; neither; more than all.
enum class Standing { Behind, Among, Before };

/// The end of an operation.
struct Finished {
  void *token;
  int info;          ///< a kernel's return value
  double seconds;    ///< time that the operation took the accelerator
  std::string error; ///< empty, or why it failed: lower case, no full stop
  int task = -1;     ///< number of the task that failed in a launch of several, whose others are done; -1: all failed
};

/// Obligations of a back-end:
///  1. Addresses that allocate() hands out are the accelerator's. The host passes them on, computes with them, and
///  never
///     reads or writes what is there.
///  2. allocate() returns null when there is no memory, never throws. As long as all that is allocated, rounded up as
///     Properties::granularity says, is within memoryBytes there is memory, whatever the sizes. Alignment is 64 bytes
///     at least. allocate(), release(), has() and reaches() may be called by any thread, at any time.
///  3. copyIn(), copyOut(), copyFrom(), launch(), launchTogether(), joins(), finished() and wait() are called by one
///     thread, the accelerator's worker. None but wait() blocks for longer than it takes to enter an operation in a
///     queue, or to stage a tile.
///  4. Each operation begun is reported by finished() exactly once, failed or not, with its token. After a failure the
///     back-end goes on reporting; operations begun later may fail, too.
///  5. Operations may be done in any order, also at the same time: the core begins one when all that it needs has been
///     reported. What an operation has written, all that are begun after its report see; what copyOut() has written,
///     the host sees after the report.
///  6. The memory that an operation names, and its Task, stay as they are until it is reported. TileCopy is copied.
///  7. Tiles in an accelerator's memory have the leading dimension max(1, rows). Host memory is whatever there is, a
///     window on the caller's array too; not pinned.
///  8. copyFrom() reads the memory of another accelerator of the same back-end, for which reaches() said true;
///  reaches()
///     is constant.
///  9. launch() runs taskClass.run() with a view whose tiles lie in this accelerator's memory; has(taskClass) was true.
///     An exception of the kernel is an error of the operation. Kernels that have bodies of their own there are called
///     after setThreadTables() (tla/kernels/table.hpp), so that generated code is the same for all places. The
///     back-end may prefer what stands Before. launchTogether() does the same for each task; what it computes is what
///     launch() of each would, to the bit, and kernels that give an info are not among those that it takes.
/// 10. wait() returns when there is something to report, after wake(), or when the time is over, whichever comes
///     first; it takes no core. A wake() or an end of an operation between two wait()s makes the second return at once.
/// 11. pin() makes memory of the host page-locked, for all accelerators of its back-end, until unpin(), by any thread;
///     before that nobody gives it back. It may fail, and says why then: lower case, no full stop.
/// 12. An idle accelerator takes no core. The destructor is called when nothing is in flight.
class Accelerator {
public:
  virtual ~Accelerator() = default;
  virtual const AcceleratorProperties &properties() const = 0;

  virtual void *allocate(std::size_t bytes) = 0;
  virtual void release(void *memory, std::size_t bytes) = 0;

  /// Whether it has a body for the kernel of this task statement, which is not a user's own.
  virtual bool has(const TaskClass &taskClass) const = 0;
  /// Whether it can read the other's memory.
  virtual bool reaches(const Accelerator &peer) const = 0;

  virtual void copyIn(const TileCopy &copy, void *token) = 0;
  virtual void copyOut(const TileCopy &copy, void *token) = 0;
  virtual void copyFrom(Accelerator &peer, const TileCopy &copy, void *token) = 0;
  virtual void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) = 0;

  /// Whether launchTogether() takes a task of this size, with others that do not depend on it. The worker's thread.
  virtual bool joins(const TaskClass &, const TaskSize &) const { return false; }
  /// launch() of several tasks of one class as one operation, which ends when all have; each of them joins(). The list
  /// itself is not needed after the call.
  virtual void launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                              void *token);

  /// Page-locks memory so that copies from and to it are faster; returns the reason where it cannot, empty: done.
  virtual std::string pin(void *, std::size_t) { return "there is no such memory"; }
  /// Undoes pin() for memory that it has page-locked.
  virtual void unpin(void *) {}

  /// Reports up to `room` operations that have ended since the last call; returns their number.
  virtual int finished(Finished *list, int room) = 0;
  virtual void wait(std::int64_t nanoseconds) = 0;
  /// Any thread.
  virtual void wake() = 0;
};

/// Launches the only task, in a back-end whose joins() is never true.
inline void Accelerator::launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks,
                                        Standing standing, void *token) {
  launch(taskClass, *tasks.front(), standing, token);
}

} // namespace tla::runtime
