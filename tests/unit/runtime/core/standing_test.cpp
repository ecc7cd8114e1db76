// How critical kernels are said to be beside those in flight, by an accelerator on which each ends when the test wants.
#include "runtime/device/accelerator.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

constexpr int inFlight = 3, kernels = 6;

/// Memory of the host; what is launched is done at once, and ends, the oldest first, when three are in flight or all
/// have been launched.
class Recorder final : public Accelerator {
public:
  const AcceleratorProperties &properties() const override { return properties_; }
  void *allocate(std::size_t bytes) override { return ::operator new(bytes, std::align_val_t(64), std::nothrow); }
  void release(void *memory, std::size_t) override { ::operator delete(memory, std::align_val_t(64)); }
  bool has(const TaskClass &) const override { return true; }
  bool reaches(const Accelerator &) const override { return false; }

  void copyIn(const TileCopy &copy, void *token) override { doCopy(copy, token); }
  void copyOut(const TileCopy &copy, void *token) override { doCopy(copy, token); }
  void copyFrom(Accelerator &, const TileCopy &copy, void *token) override { doCopy(copy, token); }
  void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) override {
    const TaskView view(task);
    standings.push_back({view.index(0), standing});
    held_.push_back({token, taskClass.run(view), 0, view.index(0) == failing ? "it was to fail" : ""});
  }

  int finished(Finished *list, int room) override {
    const int count = std::min(room, static_cast<int>(ended_.size()));
    std::move(ended_.begin(), ended_.begin() + count, list);
    ended_.erase(ended_.begin(), ended_.begin() + count);
    return count;
  }
  void wait(std::int64_t) override {
    if (!held_.empty() && (held_.size() == inFlight || standings.size() == kernels || failing >= 0)) {
      ended_.push_back(std::move(held_.front()));
      held_.pop_front();
      return;
    }
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return isAwake_; });
    isAwake_ = false;
  }
  void wake() override {
    {
      const std::lock_guard guard(mutex_);
      isAwake_ = true;
    }
    woken_.notify_one();
  }

  std::vector<std::pair<int, Standing>> standings; ///< by the task's index, as launched; between runs
  int failing = -1;                                ///< the task that does, or none

private:
  void doCopy(const TileCopy &copy, void *token) {
    copy.forEachColumn([&](std::size_t from, std::size_t to, std::size_t bytes) {
      std::memcpy(static_cast<char *>(copy.destination) + to, static_cast<const char *>(copy.source) + from, bytes);
    });
    ended_.push_back({token, 0, 0, ""});
  }

  const AcceleratorProperties properties_{.name = "recorder:0",
                                          .model = "recorder",
                                          .memoryBytes = std::size_t(1) << 20,
                                          .kernelsInFlight = inFlight,
                                          .copiesInFlight = 1};
  std::deque<Finished> held_, ended_; // the worker's
  std::mutex mutex_;                  // of isAwake_
  std::condition_variable woken_;
  bool isAwake_ = false;
};

const TaskClass adding{"gemm", "standing_test.cpp",
                       [](const TaskView &view) {
                         view.tile<double>(0)(0, 0) += 1;
                         return 0;
                       },
                       nullptr};

struct Step {
  int column, priority;
};

Outcome run(Executor &executor, const std::vector<Step> &steps) {
  std::vector<double> data(3);
  Storage storage(1, 3, 1, 1, sizeof(double), Shape::General);
  for (int j = 0; j < 3; ++j)
    storage.setTile(0, j, &data[j]);
  return executor.run([&](Generator &generator) {
    TileTable &A = generator.matrix(storage, "A");
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
      const TileAccess access{&A, 0, steps[i].column, Access::ReadWrite};
      AccessList accesses;
      accesses.add(access);
      generator.append({adding, steps[i].priority, &i, 1, accesses.data(), accesses.size()});
    }
  });
}

/// The first three begin; the second on a column when the first there has ended: 3 beside 1 and 2, 4 beside 2 (and 3,
/// which does not count), 5 beside 4.
const std::vector<Step> steps = {{0, 5}, {1, 5}, {2, 5}, {0, 9}, {1, 1}, {2, 1}};

TEST(Standing, IsThatBesideWhatIsNotBeforeOthers) {
  Recorder recorder;
  Executor executor({.threads = 1, .pin = false, .accelerators = {&recorder}, .deviceWeights = {1}, .hostWeight = 0});
  using enum Standing;
  const std::vector<std::pair<int, Standing>> expected = {{0, Among},  {1, Among},  {2, Among},
                                                          {3, Before}, {4, Behind}, {5, Among}};
  for (int times = 0; times < 2; ++times) { // nothing is left of a run
    recorder.standings.clear();
    ASSERT_EQ(run(executor, steps).kind, Outcome::Kind::Finished);
    EXPECT_EQ(recorder.standings, expected);
  }
  recorder.standings.clear();
  recorder.failing = 1;
  EXPECT_EQ(run(executor, steps).kind, Outcome::Kind::Fault);
  recorder.standings.clear();
  recorder.failing = -1;
  ASSERT_EQ(run(executor, steps).kind, Outcome::Kind::Finished);
  EXPECT_EQ(recorder.standings, expected);
}

} // namespace
