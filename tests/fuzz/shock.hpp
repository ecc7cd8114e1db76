// A run under mpirun of which one process is stopped or killed.
#pragma once

#include "tests/fuzz/random.hpp"

#include <string>

namespace fuzz {

/// The end or stop of one of the ranks' processes, and its time.
struct Shock {
  bool kills = false;       ///< whether it ends the process, or stops it
  double at = 0;            ///< seconds after mpirun has been started
  double stopped = 0;       ///< seconds for which it is stopped
  double watchdog = 0;      ///< the run's watchdog, in seconds
  unsigned choice = 0;      ///< number that chooses the process
  std::string text() const; ///< "a rank is killed after 0.8 s"
};

/// For a run that takes about so many seconds.
Shock drawShock(double seconds, Random &random);

/// How it went.
struct Ending {
  int victim = -1; ///< rank; -1: the run was over before
  int exitCode = 0;
  double seconds = 0;         ///< from the shock to the end of the last rank
  bool launcherHangs = false; ///< all ranks have ended, and it has not noticed
  bool ranksAreLeft = false;
};

/// Runs the command, mpirun's, whose ranks are known by `mark` in their environment, and leaves no process behind.
Ending runWithShock(const std::string &command, const std::string &mark, const Shock &shock);

} // namespace fuzz
