// Work in a process of its own: what it does wrong, crash, hang or eat memory, costs that work and nothing else.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hetc::tuning {

struct Limits {
  double seconds = 60;    ///< wall-clock time
  long memory = 4L << 30; ///< bytes, beyond what this process has
};

enum class Ending { Done, Crashed, TimedOut, OutOfMemory, Interrupted };

struct Outcome {
  Ending ending = Ending::Done;
  std::string text;   ///< Done: what the work returned; else why it ended: "SIGSEGV", "after 10 s"
  std::string errors; ///< output to standard error, at most some kilobytes
};

/// Returns the text that is the result.
using Work = std::function<std::string()>;

/// Runs each work in a copy of this process, at most `parallel` at once, and calls `done(index, outcome)` as each ends.
/// The calling process must have no other thread that holds a lock. A copy ends when this process does. After Ctrl-C
/// (Interruption) the copies are ended, and what did not finish is Interrupted.
void runIsolated(const std::vector<Work> &works, int parallel, const Limits &limits,
                 const std::function<void(int, Outcome)> &done);

/// One of them.
Outcome runIsolated(const Work &work, const Limits &limits);

/// The first error in the output of a compiler or another program, or its first line.
std::string firstError(const std::string &text);

/// While it lives SIGINT and SIGTERM end nothing but what is isolated; a second one ends the process.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  /// The signal that came while one lives, or 0.
  static int signal();
};

} // namespace hetc::tuning
