// How several ranks come to one outcome of a run.
#pragma once

#include "runtime/core/network/control.hpp"
#include "runtime/core/window/run_state.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/runtime/executor.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace tla::runtime {

/// Packs what other ranks need to know of an outcome into at most 480 bytes: everything except the statistics. A long
/// message is cut.
std::string outcomeText(const Outcome &outcome);
/// Unpacks the text into an outcome; leaves the statistics.
void readOutcome(const std::string &text, Outcome &outcome);
/// The one that the run reports: a fault before an info, of several infos the smallest, which LAPACK would have met
/// first; then an interrupt; else that all is fine. Among equals that of the lowest rank.
std::string firstOutcome(const std::vector<std::string> &byRank);

/// One rank's part in the end of a run. Each tells rank 0 when its node is through and has nothing left to forward
/// (Control::End); when all are, rank 0 tells all what the outcome is (Done). So no data message of a run is on the way
/// when it ends. A node that fails tells all others to stop at once (Stop); from then on couriers start and forward
/// nothing, and take and throw away what others had begun to send, so that every send completes.
///
/// Invariants: the stages of a run come in their order. A rank's outcome is RunState's while it computes, mine_ while
/// it leaves, and the others' once it is through: nobody can change it then. Who is told to stop, or has told all,
/// remembers it until the next run.
///
/// Guarded by Turns::lock_, except begin() and propose(): before the first task of a run, and after the last one.
class Agreement {
public:
  enum class Stage {
    Computing,
    Leaving, ///< this rank's tasks are complete
    Through, ///< tasks are complete, and nothing is left to forward
  };

  Agreement(RunState &state, const Transport &transport, ControlMessages &controls)
      : state_(state), controls_(controls), rank_(transport.rank()), ranks_(transport.size()) {}
  void begin();
  Stage stage() const { return stage_; }

  // The stop.

  /// Whether messages are thrown away from now on. RunState alone does not know: it may have ended the run, all of this
  /// rank's tasks being complete, when another rank fails.
  bool stopping() const { return stopping_ || state_.cutShort(); }
  /// True the first time in a run that stopping() is: the others have been told, what waits here is to end.
  bool noticeStop();
  /// Control::Stop.
  void onStop();
  /// The run has failed, and no task is at fault. Throws tla::Error if this rank has told its outcome already.
  void fail(std::string message);

  // The end.

  /// The generating thread, once per run: this rank's outcome. `cutShort`: tasks were skipped, so that others may wait
  /// for what will not come.
  void propose(std::string outcome, bool cutShort);
  /// Whether that has just happened. Then all tasks of this rank are complete: it may still forward, but expects no
  /// messages any more.
  bool leave();
  /// Nobody waits for what this rank forwards: if it is leaving, it is through.
  void sayEnd();
  /// Control::End, to rank 0: one more rank is through. Returns whether that was the last one; then all have been told.
  bool onEnd(int source, const std::string &outcome);
  /// Control::Done: the run is over on all ranks. All their sends are complete, so all messages have been received.
  void conclude(const std::string &outcome);
  bool concluded() const { return concluded_; }
  /// The run's, once it is concluded.
  const std::string &outcome() const { return agreed_; }
  /// How many stages this rank has come to, over all runs.
  std::uint64_t count() const { return count_; }

private:
  RunState &state_;
  ControlMessages &controls_;
  const int rank_, ranks_;

  Stage stage_ = Stage::Computing;
  bool stopping_ = false;    ///< this rank is stopping; stays true when RunState has forgotten it
  bool stopTold_ = false;    ///< all others know
  bool stopNoticed_ = false; ///< this rank has ended what waited
  /// Release, acquire: hands mine_ and cutShort_ from the generating thread to who holds the lock.
  std::atomic<bool> proposed_{false};
  std::string mine_;
  bool cutShort_ = false;
  std::string failed_; ///< by fail() while computing: RunState, which may just have ended the run, need not know it
  std::vector<std::string> ended_; ///< rank 0: outcomes by rank
  int endedCount_ = 0;
  bool concluded_ = false;
  std::string agreed_;
  std::uint64_t count_ = 0;
};

} // namespace tla::runtime
