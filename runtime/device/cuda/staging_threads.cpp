#include "runtime/device/cuda/staging_threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <sched.h>
#include <system_error>

namespace tla::runtime {
namespace {

constexpr std::size_t leastPart = 128 << 10; // bytes: some microseconds, as it takes to wake a thread
constexpr int partsPerThread = 2;            // that a thread which comes late leaves some to the others

void copyColumns(const TileCopy &copy, int first, int end) {
  copy.forEachColumn(
      [&](std::size_t source, std::size_t destination, std::size_t bytes) {
        std::memcpy(static_cast<char *>(copy.destination) + destination,
                    static_cast<const char *>(copy.source) + source, bytes);
      },
      first, end);
}

/// Who comes takes a part, until there is none. Kept by each helper that was asked, which may come when all is done and
/// the copy's memory somebody else's: it finds no part then.
class Job {
public:
  Job(const TileCopy &copy, int parts) : copy_(copy), parts_(parts) {}

  void work() {
    for (int part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts_;) {
      copyColumns(copy_, begin(part), begin(part + 1));
      // Release: who waits sees what was copied.
      if (done_.fetch_add(1, std::memory_order_release) + 1 == parts_)
        done_.notify_one();
    }
  }
  /// Parts that somebody has taken end.
  void wait() const {
    for (int done; (done = done_.load(std::memory_order_acquire)) != parts_;)
      done_.wait(done, std::memory_order_acquire);
  }

private:
  int begin(int part) const { return static_cast<int>(static_cast<long>(copy_.columns) * part / parts_); }

  const TileCopy copy_;
  const int parts_;
  std::atomic<int> next_{0}, done_{0};
};

int helpersOfThisProcess() {
  constexpr int most = 3, coresPerThread = 4;
  cpu_set_t cores;
  const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
  return std::clamp(count / coresPerThread - 1, 0, most);
}

} // namespace

void StagingThreads::copy(const TileCopy &copy) {
  const std::size_t bytes = copy.elementBytes * copy.rows * copy.columns;
  const auto parts = static_cast<int>(std::min({bytes / leastPart, static_cast<std::size_t>(copy.columns),
                                                static_cast<std::size_t>(count_ + 1) * partsPerThread}));
  if (parts < 2 || count_ == 0)
    return copyColumns(copy, 0, copy.columns);
  const auto job = std::make_shared<Job>(copy, parts);
  for (int helper = 0; helper < std::min(count_, parts - 1); ++helper)
    helpers_.submit([job] { job->work(); }, false);
  job->work();
  job->wait();
}

/// The end of a process waits for nobody.
StagingThreads &StagingThreads::ofThisProcess() {
  static StagingThreads &threads = *[] {
    try {
      return new StagingThreads(helpersOfThisProcess());
    } catch (const std::system_error &) { // no threads can be had
      return new StagingThreads(0);
    }
  }();
  return threads;
}

} // namespace tla::runtime
