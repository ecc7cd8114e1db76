// The communication thread of a node ([Song12] 5.4): executes the transfers among the tasks, keeps many in flight, and
// speaks with the other nodes' couriers about the end of a run.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/core/network/agreement.hpp"
#include "runtime/core/network/control.hpp"
#include "runtime/core/network/flights.hpp"
#include "runtime/core/network/forwarding.hpp"
#include "runtime/core/network/polling_policy.hpp"
#include "runtime/core/network/rank_watch.hpp"
#include "runtime/core/network/transfer_ends.hpp"
#include "runtime/core/network/transfers.hpp"
#include "runtime/core/network/turns.hpp"
#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/window/node_tasks.hpp"

#include <atomic>
#include <chrono>
#include <functional>

namespace tla::runtime {

/// One per executor on several ranks. The thread sleeps between runs; during a run it polls as often as the node has
/// nothing better to do (PollingPolicy). Workers look at the network in its place, between tasks, and first of all one
/// that runs out of work, for some time without pause: to wake a thread on a core that computes costs more than most
/// looks do, and where it has to wait for its turn, milliseconds. So whoever holds the lock of Turns is the courier at
/// that moment.
///
/// Its parts, each with the rules of its data, from the bottom up; none knows those behind it:
///
///   ControlMessages   what couriers say to each other beside the data
///   Agreement         one outcome for all ranks, and the stop before it
///   TransferEnds      what a completed transfer sets free
///   Outbox            the order in which messages leave
///   Flights           data messages the transport has been given, or is going to get
///   Forwarding        broadcasts: what others send for this rank, and this rank for them
///   Transfers         sends and receives that are ready, until their messages have gone or come
///   RankWatch         the end of a run that does not end
///   Turns             who looks, and that nothing is left lying when nobody does
///   PollingPolicy     how often the courier's own thread looks
///
/// No deadlock, and no more memory than the window asks for. A send holds a place in its node's window until the
/// receiver has taken the message, and a receiver takes it when its own generator has come to the place: so a fast node
/// stops when its window is full, and holds the data itself. Let s be the first place in program order at which
/// anything on any node is not complete. All windows then hold only tasks from s on, so each node's generator either
/// has come to s or has room to; what s needs comes from before s and is complete; so the sends at s are started, are
/// not held back (Outbox), and their receives at s are known to the receivers. A send that was delegated was so to a
/// rank that receives the same version at a place before s: it has the content, and forwards it without need of a place
/// in its window; or it has no room for a copy and says so, and the origin, which still holds the version, sends once
/// more. So s itself can run. Whatever the order of everything behind s, s completes, and so do all.
/// tests/unit/runtime/core/protocol_model_test.cpp tries all interleavings of small cases.
class Courier final : public UnitSink {
public:
  /// `threads`: of this executor, those that compute.
  Courier(NodeTasks &tasks, HostDevice &workers, const LoopProgress &loops, const Options &options,
          Transport &transport, int threads, RankWatch::Computing computing);
  ~Courier();
  Courier(const Courier &) = delete;
  Courier &operator=(const Courier &) = delete;

  // The generating thread.
  void begin();
  /// After the last task of this node: waits for all others and makes `outcome` that of the whole run, the same on all
  /// ranks. `cutShort`: tasks were skipped, so that others may wait for what will not come. `pass`: lets virtual time
  /// pass until the function holds; null in a run that takes place.
  using PassTime = std::function<void(const std::function<bool()> &)>;
  void agree(Outcome &outcome, bool cutShort, const PassTime &pass);

  // During a run: the generating thread, or a thread that holds a task which it has not returned to the window.

  /// Takes transfers that are ready, emptying the chain, and starts them, unless another thread is looking at the
  /// network and will.
  void submit(Chain<Task> &transfers) override;
  /// At a task's end, `now`: looks at the network if nobody has for about 50 us. Returns whether it did.
  bool glance(Ticks now);

  /// A computing thread that has no work, also between runs: looks at the network until come(), or until nothing has
  /// happened for some time; then the courier's thread does. Does nothing if another thread attends. Returns whether
  /// come() held.
  bool attend(const std::function<bool()> &come);

  /// In virtual time, where it has no thread: looks at the network. Returns whether something has happened.
  bool step();

  /// The messages that this rank sent and received in the run; valid after agree().
  TransferCounts counts() const { return transfers_.counts(); }

private:
  void loop();
  std::int64_t turn();
  bool lookInPlace() noexcept;
  bool lookUntil(const std::function<bool()> &come);
  bool look();
  bool takeSubmitted();
  void passOn();
  bool leave();
  void obey(int source, Control kind, const std::string &text);
  void rest(std::int64_t nanoseconds, bool othersLook);
  PollingPolicy::Sight sight() const;
  void handOver();

  NodeTasks &tasks_;
  const HostDevice &workers_;
  Transport &transport_;
  const int threads_;

  ControlMessages controls_;
  Agreement agreement_;
  TransferEnds ends_;
  Flights flights_;
  Forwarding forwarding_;
  Transfers transfers_;
  RankWatch watch_;
  Turns turns_;
  PollingPolicy policy_;                               ///< the courier's thread's
  std::chrono::steady_clock::time_point lastActivity_; ///< guarded by the lock of Turns

  /// A run is on: set by the generating thread in begin(); cleared by the courier's thread alone, holding the lock of
  /// Turns, as its last act in the run. All else is the generating thread's while it is not set. seq_cst.
  std::atomic<bool> running_{false};
  std::atomic<bool> quit_{false};
  Parker host_; ///< the generating thread's, in agree()
  Thread thread_;
};

} // namespace tla::runtime
