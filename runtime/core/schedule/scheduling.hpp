// Which ready task of the host runs next, and on which core: the policy, in one place.
#pragma once

#include "runtime/core/schedule/hand.hpp"
#include "runtime/core/schedule/ready_queue.hpp"
#include "runtime/core/window/task.hpp"
#include "runtime/threads/clock.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tla::runtime {

/// By priority, then by column, then in program order. A task of the highest priority goes first, whoever takes it.
/// Among those of one priority a worker that takes a single task, as long ones are taken, prefers one on the columns of
/// tiles that are its own, whose data may still be in its caches; columns, because panels, and tasks that interchange
/// rows, touch all tiles of one. Short tasks are taken several at a time, so that the queue's lock is cheap beside
/// them. What a task has made ready stays with its worker, the best of it at least, unless the queue has something more
/// urgent or somebody has nothing to do. Nobody steals: a worker whose task turns out long gives back what it holds.
///
/// Which task runs when changes no result: a run gives the same in any order of ready tasks, and ends. What holds:
///  1. Task::key and Task::affinity are set here, once, before anybody else knows the task; the lower half of the key
///  is
///     the place in program order (Task::sequence()).
///  2. share() is 1 at least when there is a ready task. place() puts each task into the hand or into what it returns.
///  3. Nothing here waits, allocates or takes a lock. `place` and `Pace` are a worker's own.
class Scheduling {
public:
  explicit Scheduling(int workers) : workers_(workers), affinities_(std::min(workers, 1 << CHAR_BIT)) {}

  // A new task: the generating thread.

  static std::uint64_t keyOf(int priority, std::uint64_t sequence) { return Task::makeKey(priority, sequence); }
  std::uint8_t affinityOfColumn(int column) const { return static_cast<std::uint8_t>(unsigned(column) % affinities_); }
  std::uint8_t affinityOfWorker(int worker) const { return static_cast<std::uint8_t>(unsigned(worker) % affinities_); }
  /// How many tasks are appended before those among them that are ready are submitted.
  static int appendedAtOnce(int idleWorkers) { return idleWorkers > 0 ? 8 : 32; }

  // The queue: whoever holds HostDevice::lock_.

  /// How many of the ready tasks go to a worker that asks for `limit` >= 1: no more than its fair share.
  int share(std::size_t ready, int limit) const {
    return static_cast<int>(std::min((ready + workers_ - 1) / workers_, static_cast<std::size_t>(limit)));
  }
  /// The next one for it. The queue is not empty.
  static Task *next(ReadyQueue &queue, int limit, std::uint8_t affinity) {
    return limit == 1 ? queue.pop(affinity) : queue.pop();
  }
  /// How many of the sleeping workers to wake for the ready tasks, `mostWakes` at most: woken ones wake others in turn,
  /// a tree, so that no one pays for all. A spinning thread checks the queue under the lock before it sleeps.
  static int wakes(std::size_t ready, int spinning, std::size_t sleeping) {
    return static_cast<int>(
        std::clamp<long>(static_cast<long>(ready) - spinning, 0, std::min<long>(mostWakes, sleeping)));
  }
  static constexpr int mostWakes = 2;

  // A worker: each has one of these.

  /// How long its tasks take, and so how many it takes at once: enough to make the queue's lock cheap, little enough to
  /// balance. Rises at once, falls slowly: one long task is reason enough to take no more than one.
  class Pace {
  public:
    Pace() : batch_(Clock::ticks(batchSeconds)), average_(2 * batch_) {}
    /// A task has taken so long.
    void measure(Ticks ticks) {
      last_ = ticks;
      average_ = last_ > average_ ? last_ : average_ - (average_ - last_) / 8;
    }
    int limit() const { return static_cast<int>(std::clamp<Ticks>(batch_ / (average_ + 1), 1, Hand::capacity)); }
    /// What else is in the hand would wait too long there.
    bool lastWasLong() const { return last_ > batch_; }
    /// Finished tasks are returned after each one: few are short enough to gather them.
    bool returnsEach() const { return average_ > batch_ / Hand::capacity; }

  private:
    static constexpr double batchSeconds = 20e-6;
    const Ticks batch_;
    Ticks last_ = 0, average_; // ticks per task: of the last one, of the recent ones
  };

  /// What a worker sees when a task of its has made others ready.
  struct Sight {
    std::uint8_t affinity; ///< the worker's
    std::uint64_t topKey;  ///< of the ready queue; a hint
    int idleWorkers;       ///< a hint
    int limit;             ///< Pace::limit()
  };
  /// Of `ready`, not empty, puts into the hand what is to stay. Returns the others.
  static Chain<Task> place(Chain<Task> ready, Hand &hand, const Sight &sight);

private:
  static bool suitsMore(const Task &task, const Task &best, std::uint8_t affinity);

  const std::size_t workers_;
  const unsigned affinities_; // of very many workers some share one
};

/// Among tasks of one priority one whose tile may still be in the caches here.
inline bool Scheduling::suitsMore(const Task &task, const Task &best, std::uint8_t affinity) {
  const bool isHere = task.affinity == affinity;
  if (isHere == (best.affinity == affinity) || Task::priorityOf(task.key) != Task::priorityOf(best.key))
    return task.key > best.key;
  return isHere;
}

/// The best stays with this worker, whose caches know its data, unless the queue has something more urgent; more may
/// stay while tasks are short and nobody else is idle. Inline: it follows each task that makes others ready, and those
/// may take less than 100 ns.
inline Chain<Task> Scheduling::place(Chain<Task> ready, Hand &hand, const Sight &sight) {
  const int room = sight.idleWorkers > 0 ? 1 : sight.limit;
  const std::uint32_t topPriority = Task::priorityOf(sight.topKey);
  const auto keep = [&](Task *task) {
    if (hand.size() >= room || Task::priorityOf(task->key) < topPriority)
      return false;
    hand.insert(task);
    return true;
  };
  Chain<Task> rest;
  Task *best = ready.head, *task = best->link;
  for (int i = 1; i < ready.count; ++i) {
    Task *next = task->link;
    if (suitsMore(*task, *best, sight.affinity))
      std::swap(task, best);
    rest.push(*task);
    task = next;
  }
  if (!keep(best))
    rest.push(*best);
  Chain<Task> others;
  task = rest.head;
  for (int i = 0; i < rest.count; ++i) {
    Task *next = task->link;
    if (task == best || !keep(task))
      others.push(*task);
    task = next;
  }
  return others;
}

} // namespace tla::runtime
