// A time by which MPI must have come back.
#pragma once

#include "dsl/base/text.hpp"
#include "dsl/base/thread.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <unistd.h>

namespace tla::runtime {

/// Ends this process with exit code 4, by which the launcher ends all, when it lives for longer than `seconds`. For
/// functions of MPI during which no other thread may call it, so that no rank can show that it lives: those that
/// connect the ranks, and the one that ends MPI.
class Deadline {
public:
  Deadline(double seconds, std::string what)
      : thread_([this, seconds, what = std::move(what)] { watch(seconds, what); }) {}
  ~Deadline() {
    {
      const std::lock_guard hold(mutex_);
      isMet_ = true;
    }
    met_.notify_all();
    thread_.join();
  }
  Deadline(const Deadline &) = delete;
  Deadline &operator=(const Deadline &) = delete;

private:
  void watch(double seconds, const std::string &what) {
    std::unique_lock hold(mutex_);
    if (met_.wait_for(hold, std::chrono::duration<double>(seconds), [this] { return isMet_; }))
      return;
    std::fprintf(stderr, "hetc: %s for %s s: one of them stands still, or its machine cannot be reached\n",
                 what.c_str(), format("%.3g", seconds).c_str());
    std::fflush(stderr);
    ::_exit(4);
  }

  std::mutex mutex_; // guards isMet_
  std::condition_variable met_;
  bool isMet_ = false;
  Thread thread_; // last: it uses the others
};

} // namespace tla::runtime
