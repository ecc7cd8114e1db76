// Threads as all of hetc starts them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <pthread.h>

namespace tla {

/// A thread that is joined at the latest when this goes. Its stack is at least `leastStack` bytes, whatever the process
/// has as its limit: a new thread's default is the limit of the main thread's stack (ulimit -s), which may be too small
/// for a kernel.
///
/// It begins with the floating-point modes of the thread that starts it; a thread that outlives a run takes those of
/// each run's caller (floating_point.hpp).
class Thread {
public:
  static constexpr std::size_t leastStack = 8 << 20;

  Thread() noexcept = default;
  /// Runs body() on a new thread. Throws std::system_error where the system starts none. What the body throws ends the
  /// process.
  template <typename Body>
  requires(!std::is_same_v<std::remove_cvref_t<Body>, Thread>) explicit Thread(Body &&body) {
    start(std::make_unique<WorkOf<std::decay_t<Body>>>(std::forward<Body>(body)));
  }
  Thread(Thread &&other) noexcept : thread_(other.thread_), joinable_(std::exchange(other.joinable_, false)) {}
  Thread &operator=(Thread &&other) noexcept {
    if (this != &other) {
      if (joinable_)
        join();
      thread_ = other.thread_;
      joinable_ = std::exchange(other.joinable_, false);
    }
    return *this;
  }
  ~Thread() {
    if (joinable_)
      join();
  }

  bool joinable() const { return joinable_; }
  void join();

private:
  struct Work {
    virtual ~Work() = default;
    virtual void run() = 0;
  };
  template <typename Body> struct WorkOf final : Work {
    template <typename Given> explicit WorkOf(Given &&given) : body(std::forward<Given>(given)) {}
    void run() override { body(); }
    Body body;
  };
  void start(std::unique_ptr<Work> work);
  static void *run(void *work) noexcept;

  pthread_t thread_{};
  bool joinable_ = false;
};

} // namespace tla
