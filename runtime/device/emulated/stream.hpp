// An in-order queue of work with a thread of its own, and a clock that says how long the work shall take.
#pragma once

#include "dsl/base/floating_point.hpp"
#include "dsl/base/thread.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tla::runtime {

/// Does one piece of work after the other, in the floating-point modes of the thread that submitted it. A piece that is
/// done before its time is held back until then. The time of one piece begins when that of the piece before it ended,
/// or when it was submitted, if that was later: so threads that wake up late do not add up to a slower stream.
class Stream {
public:
  using Clock = std::chrono::steady_clock;
  /// Does it, and returns how many seconds it shall take at least.
  using Work = std::function<double()>;
  /// A function that is called on the stream's thread when the time is over; `seconds`: the time that the operation
  /// took.
  using Report = std::function<void(double seconds)>;

  Stream() : thread_([this] { loop(); }) {}
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  /// Nothing may be on the way.
  ~Stream();

  void submit(Work work, Report report);

private:
  struct Item {
    Work work;
    Report report;
    Clock::time_point submitted;
    FloatingPointModes modes; ///< modes of the thread that submitted it
  };
  void loop();
  bool take(Item &item);

  std::mutex mutex_; // guards queue_ and quit_
  std::condition_variable filled_;
  std::deque<Item> queue_;
  bool quit_ = false;
  Thread thread_; // last: uses the others
};

} // namespace tla::runtime
