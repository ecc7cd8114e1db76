// The task window ([Song12] 5.1): a bounded number of tasks, generated but not finished, and the versions they use.
#pragma once

#include "runtime/core/window/task.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tla::runtime {

/// Finished objects on their way back from the workers to the generating thread: a stack onto which chains are pushed
/// and which is taken as a whole, so that it knows no ABA problem.
template <typename T> class alignas(64) ReturnStack {
public:
  /// Any thread. Release: the taker sees all that was written to the objects.
  void push(const Chain<T> &chain) {
    T *top = top_.load(std::memory_order_relaxed);
    do
      chain.tail->link = top;
    while (!top_.compare_exchange_weak(top, chain.head, std::memory_order_release, std::memory_order_relaxed));
  }
  bool empty() const { return !top_.load(std::memory_order_relaxed); }
  T *takeAll() {
    return top_.load(std::memory_order_relaxed) ? top_.exchange(nullptr, std::memory_order_acquire) : nullptr;
  }

private:
  std::atomic<T *> top_{nullptr};
};

/// Objects in slabs that are kept for the next run: the first `used` of them are in use or in a free list.
template <typename T> class Slabs {
public:
  static constexpr std::size_t perSlab = 16384 / sizeof(T);

  bool full() const { return used_ == slabs_.size() * perSlab; }
  /// Throws std::bad_alloc.
  void grow() { slabs_.emplace_back(new Slab); }
  T &operator[](std::size_t i) { return slabs_[i / perSlab]->objects[i % perSlab]; }
  T *next() { return &(*this)[used_++]; }
  std::size_t used() const { return used_; }
  void reset() { used_ = 0; }

private:
  struct Slab {
    T objects[perSlab];
  };
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::size_t used_ = 0;
};

/// The generating thread's side of the window, and the way back for the workers. "No free task, and as many in use as
/// the window allows" is what full means: there is no counter of tasks in flight to fight about.
class Window {
public:
  explicit Window(std::size_t limit) : limit_(limit), sweepAt_(limit) {}

  /// A task to fill in, or null when the window is full. Throws std::bad_alloc when it had to grow and could not.
  Task *takeTask();
  /// Before the window grows beyond about two versions per task, `forget` is asked for each version whether it can go.
  /// Throws std::bad_alloc.
  template <typename F> Version *takeVersion(F forget) {
    if (!freeVersions_ && !(freeVersions_ = returnedVersions_.takeAll())) {
      if (versions_.used() >= sweepAt_)
        sweep(forget);
      if (!freeVersions_)
        return newVersion();
    }
    return popFree(freeVersions_);
  }
  /// The generating thread's own finished objects.
  void giveBack(Chain<Task> &tasks, Chain<Version> &versions);
  void giveBack(Task &task) { pushFree(freeTasks_, task); }
  void giveBack(Version &version) { pushFree(freeVersions_, version); }

  /// Any worker: hands over finished tasks and retired versions and empties the chains. True when the generating thread
  /// waits for just that; it has been woken then (onWanted()).
  bool returnFrom(Chain<Task> &tasks, Chain<Version> &versions);
  /// Tasks returned in this run through returnFrom(). All effects of these tasks are visible.
  std::size_t returned() const { return returned_.load(std::memory_order_seq_cst); }

  /// The generating thread is about to sleep until returned() reaches `count`. It looks at returned() after this;
  /// workers add to returned() and look at the wish after that; all in the single order of seq_cst operations, so that
  /// at least one of the two sees the other.
  void want(std::size_t count) { wanted_.store(count, std::memory_order_seq_cst); }
  void wantNothing() { wanted_.store(nothing, std::memory_order_relaxed); }
  /// A hint for workers that hold finished tasks back.
  bool wanted() const { return wanted_.load(std::memory_order_relaxed) != nothing; }

  /// Tasks in use and others: for a report while nothing moves.
  template <typename F> void forEachTask(F visit) {
    for (std::size_t i = 0; i < tasks_.used(); ++i)
      visit(tasks_[i]);
  }

  std::size_t limit() const { return limit_; }
  std::size_t peakTasks() const { return tasks_.used(); }
  std::size_t bytes() const { return tasks_.used() * sizeof(Task) + versions_.used() * sizeof(Version); }
  /// Called by the generating thread whenever the number of tasks that can exist grows to `tasks`.
  template <typename F> void onGrowth(F reserve) { reserve_ = reserve; }
  /// `wake` is called, on any thread, when the generating thread waits for what was just returned. Set before the first
  /// run.
  template <typename F> void onWanted(F wake) { wake_ = wake; }
  /// Forgets all objects: none may be in use.
  void reset();

private:
  template <typename T> static void pushFree(T *&list, T &object) {
    object.link = list;
    list = &object;
  }
  template <typename T> static T *popFree(T *&list) {
    T *object = list;
    list = object->link;
    __builtin_prefetch(list, 1); // it was last written by another core
    return object;
  }
  template <typename F> void sweep(F &forget);
  Version *newVersion();

  const std::size_t limit_;
  Task *freeTasks_ = nullptr;
  Version *freeVersions_ = nullptr;
  Slabs<Task> tasks_;
  Slabs<Version> versions_;
  std::function<void(std::size_t)> reserve_ = [](std::size_t) {};
  std::function<void()> wake_ = [] {};
  std::size_t reserved_ = 0;
  std::size_t sweepAt_; // versions

  ReturnStack<Task> returnedTasks_;
  ReturnStack<Version> returnedVersions_;
  alignas(64) std::atomic<std::size_t> returned_{0};
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  std::atomic<std::size_t> wanted_{nothing};
};

/// Costs a look at every version; so that this stays small beside the work that used them up, the next sweep waits for
/// as many versions again unless this one freed half.
template <typename F> void Window::sweep(F &forget) {
  std::size_t freed = 0;
  for (std::size_t i = 0; i < versions_.used(); ++i)
    if (forget(versions_[i])) {
      giveBack(versions_[i]);
      ++freed;
    }
  if (freed < versions_.used() / 2)
    sweepAt_ = 2 * versions_.used();
}

} // namespace tla::runtime
