#include "runtime/core/passes/in_parallel.hpp"

#include "dsl/base/thread.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <vector>

namespace tla::runtime {

void drawInParallel(int count, const std::function<void(const std::function<int()> &next)> &work) {
  std::atomic<int> drawn{0};
  std::exception_ptr thrown;
  int thrownAt = count;
  std::mutex mutex; // for these two
  const auto run = [&] {
    int number = -1;
    try {
      work([&] {
        number = drawn++;
        return number < count ? number : -1;
      });
    } catch (...) {
      drawn = count;
      const std::lock_guard guard(mutex);
      if (number < thrownAt) {
        thrownAt = number;
        thrown = std::current_exception();
      }
    }
  };
  {
    std::vector<Thread> threads;
    try {
      for (int thread = 1; thread < std::min(defaultThreads(), count); ++thread)
        threads.emplace_back(run);
    } catch (const std::system_error &) { // those that there are draw all numbers
    }
    run();
  }
  if (thrown)
    std::rethrow_exception(thrown);
}

} // namespace tla::runtime
