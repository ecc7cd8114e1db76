// Idle threads help with long kernels: what Crew (kernels/crew.hpp) is in a run.
#pragma once

#include "dsl/base/floating_point.hpp"
#include "kernels/crew.hpp"
#include "runtime/threads/park.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace tla::runtime {

class HostDevice;

/// The kernels of an executor that may be helped with at one time. Slots are there as long as the executor: who comes
/// to one that has been closed meanwhile finds it so, and goes.
///
/// A kernel's work comes in rounds of parts (Crew::run). One word, the ticket, says which round it is, how many parts
/// it has and which is next; a part belongs to whoever has raised the ticket by it. What the parts are stands beside:
/// it is written before the ticket of a round, and not again until all its parts are done, so that who has got one may
/// read it.
class CrewSlots {
public:
  static constexpr int count = 4; ///< more panels than that are hardly under way at one time

  class Slot {
  public:
    /// The kernel's thread.
    bool take() { return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire); }
    void open() { open_.store(true, std::memory_order_seq_cst); }
    /// Waits for those who are there; they leave as soon as they see it, or have done their part.
    void close();
    bool hasHelpers() const { return helpers_.load(std::memory_order_relaxed) > 0; }
    void run(int count, kernels::Crew::Part part, void *context);

    /// Any other thread: does parts until the slot is closed, or there is something better to do. False: it is closed.
    template <typename Better> bool help(Better better);

  private:
    static constexpr int nextBits = 20, countBits = 20;
    static constexpr std::uint64_t mask = (1 << nextBits) - 1;
    static bool hasPart(std::uint64_t ticket) { return (ticket & mask) < (ticket >> nextBits & mask); }
    bool doPart();

    // `helpers_` is raised before `open_` is read, and `open_` is cleared before `helpers_` is read, both in one order
    // (seq_cst): either the helper sees that it is closed, or close() that there is one.
    alignas(64) std::atomic<std::uint64_t> ticket_{0}; ///< round, count and next, from the top
    alignas(64) std::atomic<int> done_{0};             ///< parts of the round
    alignas(64) std::atomic<int> helpers_{0};
    std::atomic<bool> open_{false}, taken_{false};
    kernels::Crew::Part part_ = nullptr;
    void *context_ = nullptr;
    FloatingPointModes modes_; ///< modes of the kernel's thread
  };

  /// Null: all are taken.
  Slot *take();
  /// A hint, but never false for whoever was woken because of a slot that is still open.
  bool anyOpen() const { return open_.load(std::memory_order_acquire) > 0; }
  /// As Slot::help(), whichever is open.
  template <typename Better> void help(Better better) {
    for (Slot &slot : slots_)
      while (anyOpen() && !better() && slot.help(better))
        ;
  }
  void noteOpen() { open_.fetch_add(1, std::memory_order_release); }
  void noteClosed() { open_.fetch_sub(1, std::memory_order_relaxed); }

private:
  Slot slots_[count];
  alignas(64) std::atomic<int> open_{0};
};

/// The crew of one computing thread.
class WorkerCrew final : public kernels::Crew {
public:
  /// `mayOpen`: asked each time.
  WorkerCrew(CrewSlots &slots, HostDevice &host, std::function<bool()> mayOpen)
      : slots_(slots), host_(host), mayOpen_(std::move(mayOpen)) {}

  bool open() override;
  void close() override;
  bool hasHelpers() const override { return slot_->hasHelpers(); }
  void run(int count, Part part, void *context) override { slot_->run(count, part, context); }

private:
  CrewSlots &slots_;
  HostDevice &host_;
  const std::function<bool()> mayOpen_;
  CrewSlots::Slot *slot_ = nullptr;
};

/// Kernels of the calling thread find this crew, for the length of a scope.
class CrewOfThread {
public:
  explicit CrewOfThread(kernels::Crew &crew) : before_(kernels::setThreadCrew(&crew)) {}
  CrewOfThread(const CrewOfThread &) = delete;
  CrewOfThread &operator=(const CrewOfThread &) = delete;
  ~CrewOfThread() { kernels::setThreadCrew(before_); }

private:
  kernels::Crew *const before_;
};

template <typename Better> bool CrewSlots::Slot::help(Better better) {
  if (!open_.load(std::memory_order_relaxed))
    return false;
  helpers_.fetch_add(1, std::memory_order_seq_cst);
  while (open_.load(std::memory_order_seq_cst) && !better())
    if (!doPart())
      spinHint();
  helpers_.fetch_sub(1, std::memory_order_release);
  return open_.load(std::memory_order_relaxed);
}

} // namespace tla::runtime
