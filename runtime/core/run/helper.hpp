// Who computes while the generating thread waits.
#pragma once

#include <cstddef>

namespace tla::runtime {

/// In a run the generating thread's own worker; in virtual time (virtual_host.hpp) the whole machine, whose clock goes
/// on only then. Called by the generating thread alone.
class Helper {
public:
  /// Executes ready tasks until there are none, or `enough` are done; with `yielding` also as soon as another worker
  /// has nothing to do. Returns the number of tasks executed. Finished tasks may stay here until flush().
  virtual int work(int enough, bool yielding) = 0;
  /// The finished tasks go back to the window.
  virtual void flush() = 0;
  /// After work() had nothing to do: until Window::returned() is `count`, or a task may be ready.
  virtual void sleepUntilReturned(std::size_t count) = 0;
  /// Tasks that it has completed in this run and that Window::returned() does not count.
  virtual std::size_t ownCompleted() const = 0;

protected:
  ~Helper() = default;
};

} // namespace tla::runtime
