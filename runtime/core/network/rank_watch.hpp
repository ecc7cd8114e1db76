// What a rank does as its watchdog advises, and what it says then.
#pragma once

#include "runtime/core/network/agreement.hpp"
#include "runtime/core/network/watchdog.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/window.hpp"
#include "runtime/threads/clock.hpp"

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace tla::runtime {

/// Ends a run that does not end by itself, within the times of Watchdog, which has the rules. Whoever makes progress
/// looks at it now and then. A rank that is blocked tells rank 0 (Control::Idle, Active), also one that is through;
/// when all are, rank 0 tells all (Blocked), each says what it does and waits for, and fails: the run ends as others do
/// (Agreement). A rank that stands still, as a process that was stopped or a machine that hangs, has no part in any
/// such end. So each rank asks the next one in a ring, the last the first, one question at a time (Ask, Answer), until
/// that has left the run (Left); who gets no answer, and who finds that ranks do not end although they were told to,
/// ends all processes (Transport::abort). Answers wait for no thread that computes or generates: they are the courier's
/// thread's, if nobody else's. Ask, Answer and Left say nothing of the run, so they come and go without being counted
/// as progress, and one that nobody reads any more is forgotten.
///
/// Invariant: idleRanks_ holds the ranks whose last word to rank 0 in this run was Idle.
///
/// Guarded by Turns::lock_, except begin(): before the first task of a run.
class RankWatch {
public:
  /// The questions of the watchdog to the executor. Any thread calls these.
  struct Computing {
    std::function<std::uint64_t()> tasksDone;
    std::function<std::vector<std::string>()> running; ///< a line for each kernel that runs at this moment
  };
  /// `transfers`: those that wait, a line each.
  RankWatch(Window &window, const LoopProgress &loops, double watchdogSeconds, Transport &transport,
            ControlMessages &controls, Agreement &agreement, Computing computing,
            std::function<std::vector<std::string>()> transfers);
  void begin();

  /// Looks, if it is time. `progress`: grows with whatever the courier gets done.
  void look(Ticks now, std::uint64_t progress);
  /// This rank knows that the run is over on all: the rank before it asks no more.
  void leave();
  /// The network itself has failed, or a rank: says why, and ends all processes. Throws where there are none to end.
  [[noreturn]] void giveUp(const std::string &why);

  // Control messages.
  void onIdle(int source, bool idle); ///< Idle, Active; on rank 0
  void onBlocked();
  void onAsk(int source) { controls_.tell(source, Control::Answer); }
  void onAnswer() { watchdog_.answered(); }
  void onLeft() { watchdog_.left(); }

private:
  void obey(const Watchdog::Advice &advice);
  int nextRank() const { return (rank_ + 1) % ranks_; }
  int previousRank() const { return (rank_ + ranks_ - 1) % ranks_; }
  void say(const std::string &what) const;
  std::vector<std::string> doings() const;
  std::vector<std::string> blockedTasks() const;

  Window &window_;
  const LoopProgress &loops_;
  const double watchdogSeconds_;
  Transport &transport_;
  ControlMessages &controls_;
  Agreement &agreement_;
  const Computing computing_;
  const std::function<std::vector<std::string>()> transfers_;
  const int rank_, ranks_;
  const Ticks interval_;

  Watchdog watchdog_;
  Ticks nextLook_ = 0;
  std::unordered_set<int> idleRanks_; ///< rank 0
};

} // namespace tla::runtime
