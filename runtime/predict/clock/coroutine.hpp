// A function that waits in the middle, and goes on when its owner says so.
#pragma once

#include "dsl/base/thread.hpp"

#include <exception>
#include <functional>
#include <semaphore>

namespace tla::runtime {

/// Has a thread, for its stack; but of the owner and the body one runs at a time, and each sees what the other has
/// done: nothing that they share needs to be atomic.
class Coroutine {
public:
  explicit Coroutine(std::function<void()> body) : body_(std::move(body)) {}
  Coroutine(const Coroutine &) = delete;
  Coroutine &operator=(const Coroutine &) = delete;
  /// The body has ended, or has not begun.
  ~Coroutine();

  /// The body runs until it pauses or ends; what it throws is thrown here. Returns whether it has ended, which it must
  /// not have before.
  bool resume();
  /// Pauses the body, which calls it, until the next resume().
  void pause();

private:
  void run();

  const std::function<void()> body_;
  std::binary_semaphore mayRun_{0}, hasPaused_{0}; ///< the turns of the two: release and acquire order them
  bool ended_ = false;
  std::exception_ptr thrown_;
  Thread thread_;
};

} // namespace tla::runtime
