// What a traced run remembers of its tasks besides when they ran: since when each was in the window, what made it ready
// and when; its messages; and when the generating thread waited.
#pragma once

#include "runtime/core/window/task.hpp"
#include "runtime/threads/clock.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// The log of the first Options::traceTasks tasks in program order: tasks that compute, copies and transfers. Between
/// runs, or before the first task of one, everything may be called; during a run each function says by whom.
class TaskLog {
public:
  struct Entry {
    Ticks appended = 0, ready = 0;
    std::uint32_t cause = 0; ///< the task whose end made it ready; 0: it was ready when it was appended
  };
  struct Message {
    std::uint32_t task;
    const TileTable *table;
    int row, column;
    int peer, number; ///< the other rank, and the number among the messages of the two
    bool received;
    int via; ///< the rank that forwarded it; else -1
    std::uint64_t bytes;
    Ticks begin, end;
  };
  struct Wait {
    WaitEvent::Reason reason;
    Ticks begin, end;
  };
  /// The arrivals that one thread which completes tasks has noted: each thread writes into its own.
  struct alignas(64) Arrivals {
    struct Arrival {
      std::uint32_t task, cause;
      Ticks time;
    };
    std::vector<Arrival> list;
  };

  explicit TaskLog(const Options &options) : limit_(options.trace ? options.traceTasks : 0), on_(options.trace) {}

  bool on() const { return on_; }
  /// Any thread.
  bool records(std::uint32_t task) const { return task <= limit_; }
  Arrivals &newArrivals() { return arrivals_.emplace_back(); }
  void reset();

  /// The generating thread, before it appends a task. Throws std::bad_alloc.
  void makeRoom() {
    if (entries_.size() < limit_ && entries_.size() == entries_.capacity()) [[unlikely]]
      entries_.reserve(std::min(limit_, std::max<std::size_t>(1024, 2 * entries_.size())));
  }
  /// The generating thread, after makeRoom(): tasks in the order of their numbers.
  void append(Ticks now) noexcept {
    if (entries_.size() < limit_)
      entries_.push_back({now, now, 0});
  }
  void wait(WaitEvent::Reason reason, Ticks begin, Ticks end) {
    if (entries_.size() < limit_)
      waits_.push_back({reason, begin, end});
  }
  /// Whoever holds Turns::lock_: a transfer goes into flight, and ends.
  void begin(const Message &message);
  void end(std::uint32_t task, Ticks now);

  /// After the run, once: what the threads have written is joined.
  void join();
  const Entry &entry(std::uint32_t task) const;
  const std::vector<Message> &messages() const { return messages_; }
  const std::vector<Wait> &waits() const { return waits_; }
  /// When the first message began that is not recorded.
  Ticks leftOut() const { return leftOut_; }
  static constexpr Ticks never = ~Ticks(0);

private:
  const std::size_t limit_;
  const bool on_;
  std::vector<Entry> entries_;    // by number - 1
  std::deque<Arrivals> arrivals_; // they stay where they are
  std::vector<Message> messages_;
  std::unordered_map<std::uint32_t, std::size_t> inFlight_; // of them
  std::vector<Wait> waits_;
  Ticks leftOut_ = never; // as messages_, guarded by Turns::lock_ during a run
};

} // namespace tla::runtime
