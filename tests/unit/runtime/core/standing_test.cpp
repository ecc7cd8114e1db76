// How critical kernels are said to be beside those in flight, and which of them one launch takes, by an accelerator on
// which each launch ends when the test wants.
#include "runtime/device/accelerator.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <set>
#include <utility>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

constexpr int inFlight = 3, kernels = 6;

/// Memory of the host; what is launched is done at once, and ends, the oldest first, when three are in flight or all
/// have been launched, and not before all tasks have been generated and their tiles have come in: the last of those
/// that are ready at once leave the generating thread after its last task.
class Recorder final : public Accelerator {
public:
  const AcceleratorProperties &properties() const override { return properties_; }
  void *allocate(std::size_t bytes) override { return ::operator new(bytes, std::align_val_t(64), std::nothrow); }
  void release(void *memory, std::size_t) override { ::operator delete(memory, std::align_val_t(64)); }
  bool has(const TaskClass &) const override { return true; }
  bool reaches(const Accelerator &) const override { return false; }

  void copyIn(const TileCopy &copy, void *token) override {
    ++arrived;
    doCopy(copy, token);
  }
  void copyOut(const TileCopy &copy, void *token) override { doCopy(copy, token); }
  void copyFrom(Accelerator &, const TileCopy &copy, void *token) override { doCopy(copy, token); }
  void launch(const TaskClass &taskClass, const Task &task, Standing standing, void *token) override {
    launchTogether(taskClass, std::array{&task}, standing, token);
  }
  bool joins(const TaskClass &taskClass, const TaskSize &size) const override {
    return taskClass.kernel == std::string_view("gemm") && size.operations < 11;
  }
  void launchTogether(const TaskClass &taskClass, std::span<const Task *const> tasks, Standing standing,
                      void *token) override {
    std::string error;
    int number = -1;
    launches.emplace_back();
    for (const Task *task : tasks) {
      const TaskView view(*task);
      standings.push_back({view.index(0), standing});
      launches.back().push_back(view.index(0));
      taskClass.run(view);
      if (view.index(0) == failing) {
        error = "it was to fail";
        number = static_cast<int>(launches.back().size()) - 1;
      }
    }
    most = std::max(most, static_cast<int>(held_.size()) + 1);
    held_.push_back({token, 0, 0, error, number});
  }

  int finished(Finished *list, int room) override {
    const int count = std::min(room, static_cast<int>(ended_.size()));
    std::move(ended_.begin(), ended_.begin() + count, list);
    ended_.erase(ended_.begin(), ended_.begin() + count);
    return count;
  }
  void wait(std::int64_t) override {
    std::unique_lock lock(mutex_);
    const auto ends = [this] {
      return isGenerated_ && arrived >= tiles && !held_.empty() &&
             (static_cast<int>(held_.size()) >= held || static_cast<int>(launches.size()) <= atOnce ||
              static_cast<int>(standings.size()) == kernels || failing >= 0);
    };
    woken_.wait(lock, [&] { return isAwake_ || ends(); });
    if (std::exchange(isAwake_, false)) // by what was submitted, which is to be begun before anything ends
      return;
    ended_.push_back(std::move(held_.front()));
    held_.pop_front();
  }
  void wake() override { change(isAwake_, true); }
  void setGenerated(bool value) { change(isGenerated_, value); }

  // Between runs.
  std::vector<std::pair<int, Standing>> standings; ///< standing of each task as launched, by its index
  std::vector<std::vector<int>> launches;          ///< the tasks of each
  int atOnce = 0;                                  ///< the first launches that end at once
  int held = 1, kernels = 0;                       ///< in flight when the oldest ends; in all
  int tiles = 0, arrived = 0;                      ///< tiles that the tasks touch, and tiles that came in
  int failing = -1;                                ///< the task that does, or none
  int most = 0;                                    ///< the most that were in flight

private:
  void change(bool &what, bool value) {
    {
      const std::lock_guard guard(mutex_);
      what = value;
    }
    woken_.notify_one();
  }
  void doCopy(const TileCopy &copy, void *token) {
    copy.forEachColumn([&](std::size_t from, std::size_t to, std::size_t bytes) {
      std::memcpy(static_cast<char *>(copy.destination) + to, static_cast<const char *>(copy.source) + from, bytes);
    });
    ended_.push_back({token, 0, 0, ""});
  }

public:
  AcceleratorProperties properties_{.name = "recorder:0",
                                    .model = "recorder",
                                    .memoryBytes = std::size_t(1) << 20,
                                    .runs = [](const TaskClass &) { return true; },
                                    .kernelsInFlight = 8, // and three more
                                    .copiesInFlight = 1};

private:
  std::deque<Finished> held_, ended_; // the worker's
  std::mutex mutex_;                  // of the following
  std::condition_variable woken_;
  bool isAwake_ = false, isGenerated_ = false;
};

int add(const TaskView &view) {
  view.tile<double>(0)(0, 0) += 1;
  return 0;
}
int alone = -1; ///< the task that has more to do, and does not join others; or none
double ten(const TaskView &view) { return view.index(0) == alone ? 11 : 10; }
const TaskClass adding{"gemm", "standing_test.cpp:1", add, ten}, other{"gemm", "standing_test.cpp:2", add, ten},
    panel{"getrf", "standing_test.cpp", add, [](const TaskView &) { return 1000.0; }};
constexpr int ofPanels = 20; ///< priority of panels

/// Reads column `from`, unless that is `column`, and writes that one.
struct Step {
  int from, column, priority;
  bool isOther = false; ///< whether it is of another statement
};

using Standings = std::vector<std::pair<int, Standing>>;
constexpr int columns = 20;

Outcome run(Executor &executor, Recorder &recorder, const std::vector<Step> &steps) {
  std::vector<double> data(columns);
  Storage storage(1, columns, 1, 1, sizeof(double), Shape::General);
  for (int j = 0; j < columns; ++j)
    storage.setTile(0, j, &data[j]);
  recorder.standings.clear();
  recorder.launches.clear();
  recorder.kernels = static_cast<int>(steps.size());
  std::set<int> touched;
  for (const Step &step : steps)
    touched.insert({step.from, step.column});
  recorder.tiles = static_cast<int>(touched.size());
  recorder.arrived = 0;
  recorder.setGenerated(false);
  return executor.run([&](Generator &generator) {
    TileTable &A = generator.matrix(storage, "A");
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
      const auto &[from, column, priority, isOther] = steps[i];
      AccessList accesses;
      accesses.add(TileAccess{&A, 0, column, Access::ReadWrite});
      if (from != column)
        accesses.add(TileAccess{&A, 0, from, Access::Read});
      generator.append({priority == ofPanels ? panel
                        : isOther            ? other
                                             : adding,
                        priority, &i, 1, accesses.data(), accesses.size()});
    }
    recorder.setGenerated(true);
  });
}

class StandingTest : public testing::Test {
protected:
  Recorder recorder_;
  Executor executor_{{.threads = 1, .pin = false, .accelerators = {&recorder_}, .deviceWeights = {1}, .hostWeight = 0}};
};
using enum Standing;

/// Three begin; the second on a column when the first there has ended: 3 beside 1 and 2, 4 beside 2 (and 3, which does
/// not count), 5 beside 4.
TEST_F(StandingTest, IsThatBesideWhatIsNotBeforeOthers) {
  const std::vector<Step> steps = {{0, 0, 5}, {1, 1, 5}, {2, 2, 5}, {0, 0, 9}, {1, 1, 1}, {2, 2, 1}};
  const Standings expected = {{0, Among}, {1, Among}, {2, Among}, {3, Before}, {4, Behind}, {5, Among}};
  recorder_.held = 3;
  for (int times = 0; times < 2; ++times) { // nothing is left of a run
    ASSERT_EQ(run(executor_, recorder_, steps).kind, Outcome::Kind::Finished);
    EXPECT_EQ(recorder_.standings, expected);
  }
  recorder_.failing = 1;
  EXPECT_EQ(run(executor_, recorder_, steps).kind, Outcome::Kind::Fault);
  recorder_.failing = -1;
  ASSERT_EQ(run(executor_, recorder_, steps).kind, Outcome::Kind::Finished);
  EXPECT_EQ(recorder_.standings, expected);
}

/// Several tasks become ready at once, and nothing runs: the look-ahead of a factorization.
TEST_F(StandingTest, OfTheFirstOfManyIsBefore) {
  ASSERT_EQ(run(executor_, recorder_, {{0, 0, 5}, {0, 1, 4}, {0, 2, 4}, {0, 3, 3}, {0, 4, 2}, {0, 5, 2}}).kind,
            Outcome::Kind::Finished);
  EXPECT_EQ(recorder_.standings,
            (Standings{{0, Among}, {1, Before}, {2, Before}, {3, Among}, {4, Behind}, {5, Behind}}));
}

TEST_F(StandingTest, PanelsAreNotCounted) {
  ASSERT_EQ(run(executor_, recorder_, {{0, 0, 5}, {0, 1, ofPanels}, {0, 2, 5}, {0, 3, 5}, {0, 4, 3}}).kind,
            Outcome::Kind::Finished);
  EXPECT_EQ(recorder_.standings, (Standings{{0, Among}, {1, Before}, {2, Before}, {3, Before}, {4, Among}}));
}

/// Seven are in flight when two more critical ones have become ready, and another that is not.
TEST_F(StandingTest, WhatIsBeforeDoesNotWaitForRoom) {
  std::vector<Step> steps;
  for (int i = 0; i < 9; ++i)
    steps.push_back({i, i, 5}); // 0 .. 7 begin
  steps.push_back({0, 10, 9});
  steps.push_back({0, 11, 9});
  recorder_.held = 8;
  ASSERT_EQ(run(executor_, recorder_, steps).kind, Outcome::Kind::Finished);
  ASSERT_EQ(recorder_.standings.size(), 11u);
  EXPECT_EQ(recorder_.standings[8], std::pair(9, Before));
  EXPECT_EQ(recorder_.standings[9], std::pair(10, Before)); // the ninth in flight
  EXPECT_EQ(recorder_.standings[10], std::pair(8, Among));
  EXPECT_EQ(recorder_.most, 9);
}

class TogetherTest : public StandingTest {
protected:
  TogetherTest() { alone = -1; }
  using Launches = std::vector<std::vector<int>>;
  /// The launches of tasks that become ready at once when task 0 has ended.
  Launches launchesOf(std::vector<Step> steps, Together most) {
    recorder_.properties_.together = most;
    steps.insert(steps.begin(), {0, 0, 1});
    const Outcome outcome = run(executor_, recorder_, steps);
    EXPECT_EQ(outcome.kind, expected_) << outcome.message;
    failed_ = {outcome.message, outcome.column};
    if (expected_ == Outcome::Kind::Finished) {
      EXPECT_EQ(outcome.statistics.devices.at(0).launches, recorder_.launches.size());
      EXPECT_EQ(outcome.statistics.devices.at(0).tasks, steps.size());
      EXPECT_EQ(outcome.statistics.devices.at(0).flops, flopsOf(steps) + (alone >= 0));
    }
    Launches launches = recorder_.launches;
    EXPECT_EQ(launches.front(), std::vector{0});
    launches.erase(launches.begin());
    return launches;
  }
  static double flopsOf(const std::vector<Step> &steps) {
    double flops = 0;
    for (const Step &step : steps)
      flops += step.priority == ofPanels ? 1000 : 10;
    return flops;
  }
  Outcome::Kind expected_ = Outcome::Kind::Finished;
  std::pair<std::string, int> failed_; ///< why, and the column
};

/// Steps with these priorities on columns 1, 2, ... behind task 0.
std::vector<Step> stepsOf(const std::vector<int> &priorities) {
  std::vector<Step> steps;
  for (const int priority : priorities)
    steps.push_back({0, static_cast<int>(steps.size()) + 1, priority});
  return steps;
}

TEST_F(TogetherTest, AsManyAsOneLaunchTakes) {
  const std::vector<Step> five = stepsOf({5, 5, 5, 5, 5});
  EXPECT_EQ(launchesOf(five, {}), (Launches{{1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(launchesOf(five, {.tasks = 3, .operations = 1e9}), (Launches{{1, 2, 3}, {4, 5}}));
  EXPECT_EQ(launchesOf(five, {.tasks = 9, .operations = 1e9}), (Launches{{1, 2, 3, 4, 5}}));
  EXPECT_EQ(launchesOf(five, {.tasks = 9, .operations = 20}), (Launches{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(launchesOf(five, {.tasks = 9, .operations = 15}), (Launches{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(launchesOf(five, {.tasks = 9, .operations = 10}), (Launches{{1}, {2}, {3}, {4}, {5}}));
}

/// By priority, and only of one statement: a panel, and what does not join, end a launch.
TEST_F(TogetherTest, OnlyWhatJoins) {
  const Together many{.tasks = 9, .operations = 1e9};
  EXPECT_EQ(launchesOf(stepsOf({ofPanels, 5, 5, 5}), many), (Launches{{1}, {2, 3, 4}}));
  EXPECT_EQ(launchesOf({{0, 1, 5}, {0, 2, 5}, {0, 3, 5, true}, {0, 4, 5, true}}, many), (Launches{{1, 2}, {3, 4}}));
  alone = 3;
  EXPECT_EQ(launchesOf(stepsOf({5, 5, 5, 5, 5}), many), (Launches{{1, 2}, {3}, {4, 5}}));
}

/// The look-ahead is not to end with the rest, which is one launch whatever its priorities.
TEST_F(TogetherTest, WhatIsBeforeOthersOnlyWithItsLike) {
  const Together many{.tasks = 9, .operations = 1e9};
  EXPECT_EQ(launchesOf(stepsOf({4, 5, 3, 5, 2}), many), (Launches{{2, 4}, {1, 3, 5}}));
  EXPECT_EQ(recorder_.standings, (Standings{{0, Among}, {2, Before}, {4, Before}, {1, Among}, {3, Among}, {5, Among}}));
}

/// A launch of priorities 4 and 2 is in flight when the panel has ended: what is behind that is Behind it only if none
/// of the two is less critical.
TEST_F(TogetherTest, AreAsCriticalAsTheMostAndTheLeastOfThem) {
  alone = 2;
  for (const auto &[priority, standing] : {std::pair(3, Among), {2, Behind}, {10, Before}}) {
    const std::vector<Step> steps = {{0, 1, ofPanels}, {0, 2, 9}, {0, 3, 4}, {0, 4, 2}, {1, 5, priority}};
    EXPECT_EQ(launchesOf(steps, {.tasks = 9, .operations = 1e9}), (Launches{{1}, {2}, {3, 4}, {5}}));
    EXPECT_EQ(recorder_.standings.back(), std::pair(5, standing));
  }
}

/// Four full launches are in flight: the ninth task waits for the tenth, which is ready when the first launch has
/// ended.
TEST_F(TogetherTest, WaitForOthersWhileThereIsEnoughToDo) {
  std::vector<Step> steps = stepsOf({5, 5, 5, 5, 5, 5, 5, 5, 5});
  steps.push_back({1, 10, 5});
  recorder_.atOnce = 1;
  recorder_.held = 4;
  EXPECT_EQ(launchesOf(steps, {.tasks = 3, .operations = 20}), (Launches{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}));
  steps.pop_back(); // and does not wait for ever
  EXPECT_EQ(launchesOf(steps, {.tasks = 3, .operations = 20}), (Launches{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9}}));
}

/// The 13th waits for others of its kind, and the 14th, which does not join, not behind it.
TEST_F(TogetherTest, DoNotHoldUpWhatIsBehindThem) {
  alone = 14;
  recorder_.atOnce = 1;
  recorder_.held = 5;
  EXPECT_EQ(launchesOf(stepsOf(std::vector<int>(14, 5)), {.tasks = 4, .operations = 30}),
            (Launches{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, {14}, {13}}));
}

/// A panel has many operations, and leaves most of the accelerator idle.
TEST_F(TogetherTest, DoNotWaitBesideAPanel) {
  recorder_.atOnce = 1;
  recorder_.held = 2;
  EXPECT_EQ(launchesOf(stepsOf({ofPanels, 5}), {.tasks = 3, .operations = 20}), (Launches{{1}, {2}}));
}

/// The task that fails is named, and none is lost.
TEST_F(TogetherTest, FailTogether) {
  expected_ = Outcome::Kind::Fault;
  recorder_.failing = 2;
  launchesOf(stepsOf({5, 5, 5}), {.tasks = 9, .operations = 1e9});
  EXPECT_NE(failed_.first.find("it was to fail"), std::string::npos);
  EXPECT_EQ(failed_.second, 2);
  expected_ = Outcome::Kind::Finished;
  recorder_.failing = -1;
  EXPECT_EQ(launchesOf(stepsOf({5, 5, 5}), {.tasks = 9, .operations = 1e9}), (Launches{{1, 2, 3}}));
}

} // namespace
