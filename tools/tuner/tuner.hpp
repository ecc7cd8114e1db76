// The search itself: candidates are compiled in parallel, then checked and timed one at a time, each in a process of
// its own; at the end the best are timed against each other.
#pragma once

#include "tools/tuner/family.hpp"
#include "tools/tuner/isolate.hpp"
#include "tools/tuner/strategy.hpp"
#include "tools/tuner/timing.hpp"

#include <chrono>

namespace hetc::tuning {

struct TuneRules {
  std::string strategy = "local";
  unsigned seed = 1;
  double budget = 600;     ///< seconds; the final comparison comes after
  long maxCandidates = -1; ///< the most candidates to evaluate; -1: any number
  int compilers = 1;       ///< compilers that run at once
  int finalists = 5;
  int finalRounds = 15;
  Limits compilation{60, 4L << 30}, evaluation{20, 4L << 30};
  TimingRules timing;
};

/// The progress of the search, told as it goes on, so that somebody can watch.
struct Progress {
  double part = 0;    ///< part of the budget that is spent
  double seconds = 0; ///< since the start
  int evaluated = 0;  ///< in this run
  double best = 0;    ///< Gflop/s
  std::string doing;  ///< "compiling", "measuring", "comparing the best"
};

struct TuneOutcome {
  int evaluated = 0; ///< in this run
  bool interrupted = false;
  std::optional<Final> final; ///< missing after an early end; an earlier one where nothing was new
  std::string failure;        ///< why the comparison gave nothing; else empty
  std::string winnerFile;     ///< code of the winner, in the working folder; empty: it is no candidate
  double seconds = 0;
};

class Tuner {
public:
  /// `constants` of a candidate; `folder` exists and is the tuner's own, for what it compiles. All must outlive it.
  Tuner(const Family &family, const Candidates &candidates, std::function<Constants(int)> constants, Database &database,
        std::string folder, TuneRules rules);

  /// Evaluates `first` (-1: none), then what the strategy proposes, until the budget is spent, nothing is left or
  /// Ctrl-C; then compares. What the database knows is not evaluated again.
  TuneOutcome run(int first, const std::function<void(const Progress &)> &watch);

private:
  struct Compiled {
    int candidate;
    std::string file; ///< empty: it was not compiled
  };
  void evaluate(const std::vector<int> &batch);
  std::vector<Compiled> compile(const std::vector<int> &batch);
  void measure(const Compiled &compiled);
  void add(int candidate, Result result);
  std::vector<int> bestCandidates() const;
  void compare();
  std::string timeFinalists(const std::vector<Compiled> &best) const;
  bool isOver() const;
  double seconds() const;
  void tell(const std::string &doing) const;

  const Family &family_;
  const Candidates &candidates_;
  std::function<Constants(int)> constants_;
  Database &database_;
  std::string folder_;
  TuneRules rules_;
  std::function<void(const Progress &)> watch_;
  std::chrono::steady_clock::time_point begin_;
  Known known_;
  TuneOutcome outcome_;
};

/// The rates in a database, by candidate.
Known knownRates(const Candidates &candidates, const Database &database);

} // namespace hetc::tuning
