// A core for threads of which one runs at a time.
#pragma once

#include <memory>

namespace tla::runtime {

/// Keeps the calling thread, and those that it starts meanwhile, on one core: where they hand the turn to each other,
/// the next one need not be woken on another core, which takes 5 us where that core sleeps and as long as a time slice
/// where others have it. Each of several such groups in a process has a core of its own; when there are no more, or the
/// system does not tell, a group goes where it likes. Groups of other processes on this machine (in one network
/// namespace) have others as long as there are some.
class OneCore {
public:
  OneCore();
  ~OneCore(); ///< runs on the same thread as the constructor
  OneCore(const OneCore &) = delete;
  OneCore &operator=(const OneCore &) = delete;

private:
  struct Mask;
  std::unique_ptr<Mask> before_; ///< null: was not bound
  int core_ = -1, claim_ = -1;
};

} // namespace tla::runtime
