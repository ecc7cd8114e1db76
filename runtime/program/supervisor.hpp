// A thread beside the run: takes Ctrl-C, draws the progress bar, and ends a program whose loops do not come back.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/core/network/watchdog.hpp"
#include "runtime/host/problem/settings.hpp"

#include <tla/runtime/executor.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <string>

namespace tla::host {

/// Blocks SIGINT and SIGTERM in the calling thread and in all threads it starts from now on; restores at the end. A
/// signal that came and was not taken is dropped, so that it does not strike after the report.
class SignalGuard {
public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  sigset_t before_;
};

/// A phase of the run, as the bar shows it.
struct Phase {
  std::string label;
  double flops = 0; ///< expected; 0: unknown, the bar shows the rate only
  int ranks = 1;    ///< number of ranks that are taken to have done as much as this one
};

/// The first SIGINT or SIGTERM interrupts the executor's current run and all later ones, and whatever polls
/// (interruption.hpp). Another, a second later or more, ends the process at once, and so does `patience` after the
/// first: a kernel may not come back, and a pipe take nothing. Temporary files of outputs go with it. Create under a
/// SignalGuard.
///
/// Loops of the program that have made nothing for `watchdogSeconds` (0: never) end the process with RuntimeFault: no
/// other thread can interrupt them. Ranks of a run on several watch each other instead; what only one of them runs, as
/// a search of the tile size, is watched here.
class Supervisor {
public:
  Supervisor(ProgressMode progress, double watchdogSeconds);
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;
  Supervisor &operator=(const Supervisor &) = delete;

  /// The executor of the run, from now on; it outlives the supervisor.
  void setExecutor(runtime::Executor &executor);

  static constexpr std::chrono::seconds patience{3};

  /// The signal that ended the run, or 0.
  int signal() const { return signal_; }
  /// Throws Interrupted when a signal has come: between phases.
  void checkpoint() const;
  void beginPhase(const Phase &phase);
  void endPhase();
  /// The calling thread computes where no one can interrupt it: a signal ends the process.
  void setUninterruptible(bool value) { uninterruptible_ = value; }

  /// For as long as it lives, a signal interrupts the runs of another executor as well: one that measures, fills or
  /// checks. The last one made counts.
  class Side {
  public:
    Side(Supervisor &supervisor, runtime::Executor &executor)
        : supervisor_(supervisor), before_(supervisor.setSide(&executor)) {}
    ~Side() { supervisor_.setSide(before_); }
    Side(const Side &) = delete;
    Side &operator=(const Side &) = delete;

  private:
    Supervisor &supervisor_;
    runtime::Executor *const before_;
  };

private:
  using Clock = std::chrono::steady_clock;
  void watch();
  int tickMilliseconds() const;
  void watchLoops();
  std::pair<std::uint64_t, std::string> loops();
  void take(int signal);
  [[noreturn]] void endProcess(int signal);
  runtime::Executor *setSide(runtime::Executor *executor);
  void interruptRuns();
  void draw();

  const bool draws_, always_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> uninterruptible_ = false;
  std::mutex sideMutex_; // guards the following two and keeps what they point to; taken last
  runtime::Executor *executor_ = nullptr;
  runtime::Executor *side_ = nullptr;
  std::mutex mutex_; // guards the following three, and the terminal line
  bool active_ = false, drawn_ = false;
  Phase phase_;
  Clock::time_point begin_;
  runtime::Watchdog watchdog_;  // the thread's
  Clock::time_point signalled_; // likewise: when signal_ came
  std::uint64_t outside_ = 0;   // likewise: looks that found nobody in loops
  int signals_, wake_;          // file descriptors
  Thread thread_;
};

/// "cholesky  42% [########------------] 167.3 Gflop/s, 12 s left": one line of fewer characters than the terminal
/// has columns, since a line that fills the last one may wrap; what there is no room for is left out.
std::string progressLine(const Phase &phase, double flopsDone, double seconds, int columns = 80);

} // namespace tla::host
