// When a rank has waited too long, and for whom: rules that are told the time and have no means of their own. The
// courier looks at the clock, asks and tells (rank_watch.hpp).
#pragma once

#include <chrono>
#include <cstdint>

namespace tla::runtime {

/// The watchdog of one rank of several, for one run after the other. Three things end a run before its tasks do; T is
/// Options::watchdogSeconds.
///
/// All are blocked: no rank has made progress for T. Each finds out for itself, and tells rank 0. A rank on which a
/// kernel runs is not blocked: kernels may take long, and others wait for what they make. It says after T what runs,
/// and counts as blocked after 10 T.
///
/// A rank is silent: it has not answered for T + 4 s. Each rank asks the next one, the last rank the first: whichever
/// ranks are silent, and however many, one before them is not, and notices. Nobody has a part in it that others have
/// not, rank 0 neither, and while all is well a rank gets one question a second. A rank that computes answers, by its
/// courier's thread. One that has said nothing in this run may have something else to do before it comes to it, and
/// gets 10 T; one that knows that the run is over says so and is not asked any more.
///
/// A rank does not end: 4 s after all were told that they are blocked, a loop of the program or a kernel has not come
/// back. Nobody can interrupt these.
///
/// Time is what this rank has seen of it: of what lies between two looks, two intervals count at most. So a rank that
/// was itself stopped, or had no core, takes nobody for silent, nor itself for blocked, on waking.
class Watchdog {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds grace{4};  ///< for ranks that are slow to answer, or to end
  static constexpr int patience = 10; ///< times T

  /// `seconds`: T; 0: nothing ever ends a run.
  explicit Watchdog(double seconds) : limit_(seconds) {}
  bool on() const { return limit_.count() > 0; }
  /// Between two looks, about: short enough for T, and no more often than it takes.
  Seconds interval() const;

  void begin(Time now);

  /// The rank's view of itself.
  struct State {
    std::uint64_t progress = 0; ///< grows with whatever happens
    bool kernels = false;       ///< some are running
    bool computing = true;      ///< whether the rank's own tasks, or its loops, are not over
  };
  enum class End { None, Silent, Absent, Stuck };
  struct Advice {
    bool ask = false;                  ///< the next rank
    bool idle = false, active = false; ///< tell rank 0 that this rank is blocked, or no longer
    bool slow = false;                 ///< say what runs for so long; once
    End end = End::None;
  };
  Advice look(Time now, const State &state);

  void answered();                   ///< the next rank has answered
  void left() { watching_ = false; } ///< the next rank has left the run
  void blocked();                    ///< all ranks are blocked, and this one has been told to end

  /// How long the next rank has not answered, how long nothing has happened here.
  Seconds silence() const { return asked_ ? seen_ - askedAt_ : Seconds(0); }
  Seconds stillness() const { return seen_ - progressAt_; }

private:
  void advance(Time now);
  void judgeProgress(const State &state, Advice &advice);
  void judgeNext(Advice &advice);
  End end(const State &state) const;

  Seconds limit_;
  Time last_;                                               // look
  Seconds seen_{}, askedAt_{}, progressAt_{}, blockedAt_{}; // of the run, as far as this rank has seen it
  std::uint64_t progress_ = 0;
  bool asked_ = false, heard_ = false, watching_ = true; // the next rank
  bool idle_ = false, slow_ = false, blocked_ = false;   // said so
};

} // namespace tla::runtime
