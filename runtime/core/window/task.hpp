// A task in the window ([Song12] 5.1).
#pragma once

#include "runtime/core/window/version.hpp"

#include <tla/runtime/task.hpp>

#include <algorithm>

namespace tla::runtime {

/// The place of a node that is its host; the accelerators are 1, 2, ...
inline constexpr int hostPlace = 0;

/// The unit that runs a task when it is ready: a number small enough to stand in every task.
struct Unit {
  enum : std::uint8_t { Host, Courier, FirstAccelerator };
  static constexpr std::uint8_t ofPlace(int place) {
    return static_cast<std::uint8_t>(place == hostPlace ? Host : FirstAccelerator + place - 1);
  }
  static constexpr int placeOf(std::uint8_t unit) {
    return unit < FirstAccelerator ? hostPlace : unit - FirstAccelerator + 1;
  }
};

/// Room for what does not fit into the task itself: more accesses (panels), more indices.
struct alignas(AccessNode::blockBytes) NodeBlock {
  static constexpr int capacity = 15;
  Task *self;
  int *indices; ///< the indices in a task's first block from Task::inlineIndices on, or null where they all fit
  AccessNode nodes[capacity];
};
static_assert(sizeof(NodeBlock) == AccessNode::blockBytes);

/// Four cache lines, of which a common task uses two. Written by the generating thread until it is ready or waits
/// in a list, owned by the executing worker from then on; only `pending` is shared in between.
struct alignas(AccessNode::blockBytes) Task {
  static constexpr int inlineNodes = 10, inlineIndices = 8;

  Task *self; ///< this; see AccessNode::task()
  const TaskClass *taskClass;
  std::uint64_t key; ///< see makeKey() and Scheduling; larger runs sooner
  /// The number of conditions for which the task still waits: one per access that is not satisfied, one for APPEND
  /// itself until it is through. Decrements are acq_rel: the one that reaches 0 sees what all the others published, and
  /// owns the task.
  std::atomic<int> pending;
  std::uint16_t classIndex; ///< in the run's list of classes
  std::uint8_t unit;        ///< who runs it; see Unit
  std::uint8_t affinity;    ///< affinity of the task's main output, see Scheduling
  Task *link;               ///< next in a chain: of ready tasks, of finished tasks
  NodeBlock *overflow;      ///< null: all fits; owned, with the indices behind the blocks
  const void *parameters;
  int nodeCount;   ///< accesses, and one more for each access to both regions of a tile
  int accessCount; ///< number of accesses in the call of append()
  AccessNode nodes[inlineNodes];
  int indices[inlineIndices]; ///< the first ones; see index()

  AccessNode &node(int i) {
    if (i < inlineNodes)
      return nodes[i];
    i -= inlineNodes;
    return overflow[i / NodeBlock::capacity].nodes[i % NodeBlock::capacity];
  }
  const AccessNode &node(int i) const { return const_cast<Task *>(this)->node(i); }

  /// The loop variable at position i, of any number: a program that was transformed has more than its author wrote.
  int index(int i) const { return i < inlineIndices ? indices[i] : overflow->indices[i - inlineIndices]; }

  /// Where there are more than inlineIndices, overflow->indices has room for the rest.
  void setIndices(const int *values, int count) {
    std::copy_n(values, std::min<int>(count, inlineIndices), indices);
    if (count > inlineIndices)
      std::copy_n(values + inlineIndices, count - inlineIndices, overflow->indices);
  }

  /// Place in program order, modulo 2^32: the window is far smaller.
  std::uint32_t sequence() const { return ~static_cast<std::uint32_t>(key); }

  /// The tile that reports name: the access of number TaskClass::mainOutput if the task writes it, else the first that
  /// it writes (the main output is a panel without rows). Null: the task writes nothing.
  const Version *mainOutput() const;
  /// The first tile it writes that belongs to a matrix, not to a workspace; the main output if that does. Null: none.
  const Version *matrixOutput() const;

  /// Priority in the upper half, larger first; program order in the lower, older first.
  static std::uint64_t makeKey(int priority, std::uint64_t sequence) {
    const std::uint32_t biased = static_cast<std::uint32_t>(priority) ^ 0x80000000u;
    return static_cast<std::uint64_t>(biased) << 32 | static_cast<std::uint32_t>(~sequence);
  }
  /// The part of a key that is the priority, for comparisons.
  static std::uint32_t priorityOf(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

private:
  const Version *written(int access) const;
};
static_assert(sizeof(Task) == AccessNode::blockBytes);

/// A chain of objects through their `link`, for handing many over at once.
template <typename T> struct Chain {
  T *head = nullptr, *tail = nullptr;
  int count = 0;

  void push(T &object) {
    object.link = head;
    if (!head)
      tail = &object;
    head = &object;
    ++count;
  }
};

} // namespace tla::runtime
