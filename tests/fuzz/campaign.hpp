// Programs after programs, several at a time, until the time is over.
#pragma once

#include "tests/fuzz/trial.hpp"

#include <chrono>
#include <set>

namespace fuzz {

/// The options of the command line, and the loop over all programs.
class Campaign {
public:
  double minutes = 0;
  std::uint64_t cases = 0, programs = 0; ///< 0: as many as there is time for
  std::uint64_t seed = 1;
  Bounds bounds;
  int jobs = 0;
  int mpiEvery = 25;
  int misfits = 10;           ///< percent of the programs
  int unwritten = 5;          ///< percent of the programs
  int wide = 4;               ///< percent of the programs
  bool onlyPrint = false;     ///< the programs and their command lines
  double shrinkSeconds = 240; ///< time for shrinking each failure
  std::string directory;

  /// True when nothing failed.
  bool run();

private:
  void prepare();
  /// Every so many programs from one on. Says what it did, program by program, to the pipe.
  void work(int first, int pipe);
  void runProgram(std::uint64_t number, Counts &counts);
  void report(Program program, TrialPlan plan, const Trial &trial, Counts &counts);
  bool over(const Counts &counts) const;

  std::chrono::steady_clock::time_point start_;
  std::map<std::string, int> seen_; ///< failures of each kind
};

/// Counts the features of a program that others may not have: "loops that count down".
void countFeatures(const Program &program, Counts &counts);
/// Counts the features of the configuration: "ranks 4", "distributions sbc".
void countFeatures(const TrialPlan &plan, Counts &counts);

/// The case under mpirun and hetc run, against the serial elision; nothing where there is no mpirun. `shocks`: some
/// times more, while a rank is stopped or killed; null: not.
std::optional<Failure> launch(const Program &program, const TrialPlan &plan, const Case &one,
                              const std::string &directory, Random *shocks, Counts &counts);

} // namespace fuzz
