// The policy of the host's ready tasks, function by function.
#include "runtime/core/schedule/scheduling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace tla::runtime;

namespace {

/// Ready tasks, by priority and column, and a hand to put them into.
class Placing : public testing::Test {
protected:
  static constexpr std::uint8_t mine = 1, others = 2;

  void make(int priority, std::uint8_t affinity) {
    Task &task = tasks_[count_];
    task.key = Scheduling::keyOf(priority, ++count_);
    task.affinity = affinity;
    ready_.push(task);
  }
  /// The numbers of the tasks that are to be submitted; the others are in the hand.
  std::vector<int> place(int limit, int idleWorkers = 0, int topPriority = -100) {
    const Chain<Task> rest =
        Scheduling::place(ready_, hand_, {mine, Scheduling::keyOf(topPriority, 1), idleWorkers, limit});
    std::vector<int> numbers;
    const Task *task = rest.head;
    for (int i = 0; i < rest.count; ++i, task = task->link)
      numbers.push_back(static_cast<int>(task - tasks_.data()));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  int take() { return static_cast<int>(hand_.take() - tasks_.data()); }

  std::vector<Task> tasks_ = std::vector<Task>(Hand::capacity);
  int count_ = 0;
  Chain<Task> ready_;
  Hand hand_;
};

TEST_F(Placing, TheBestStays) {
  make(0, others);
  make(5, others);
  make(3, mine);
  EXPECT_EQ(place(1), (std::vector<int>{0, 2}));
  EXPECT_EQ(take(), 1);
}

TEST_F(Placing, OfOnePriorityThatOfTheOwnColumnStays) {
  make(5, others);
  make(5, mine);
  EXPECT_EQ(place(1), (std::vector<int>{0}));
  EXPECT_EQ(take(), 1);
}

TEST_F(Placing, MoreStayWhileTasksAreShort) {
  for (int i = 0; i < 4; ++i)
    make(0, others);
  EXPECT_EQ(place(3).size(), 1u);
  EXPECT_EQ(hand_.size(), 3);
  for (int before = take(); !hand_.empty();) {
    const int next = take();
    EXPECT_LT(before, next) << "best first: the older one";
    before = next;
  }
}

TEST_F(Placing, OnlyOneStaysWhileAWorkerHasNoWork) {
  for (int i = 0; i < 4; ++i)
    make(0, others);
  EXPECT_EQ(place(4, 1).size(), 3u);
  EXPECT_EQ(hand_.size(), 1);
}

TEST_F(Placing, NoneStaysWhereTheQueueHasSomethingMoreUrgent) {
  make(5, mine);
  EXPECT_EQ(place(4, 0, 6), (std::vector<int>{0}));
  EXPECT_TRUE(hand_.empty());
}

TEST(Scheduling, AWorkerTakesItsShare) {
  const Scheduling scheduling(4);
  EXPECT_EQ(scheduling.share(20, 16), 5);
  EXPECT_EQ(scheduling.share(20, 2), 2);
  EXPECT_EQ(scheduling.share(1, 16), 1);
  EXPECT_EQ(scheduling.share(0, 16), 0);
}

TEST(Scheduling, WakesFewAndNoneForWhatSpinningThreadsTake) {
  EXPECT_EQ(Scheduling::wakes(9, 0, 8), Scheduling::mostWakes);
  EXPECT_EQ(Scheduling::wakes(9, 0, 1), 1);
  EXPECT_EQ(Scheduling::wakes(2, 1, 8), 1);
  EXPECT_EQ(Scheduling::wakes(1, 2, 8), 0);
}

TEST(Scheduling, OneLongTaskIsReasonToTakeOne) {
  Scheduling::Pace pace;
  for (int i = 0; i < 200; ++i)
    pace.measure(0);
  EXPECT_EQ(pace.limit(), Hand::capacity);
  EXPECT_FALSE(pace.returnsEach());
  pace.measure(Clock::ticks(1e-3));
  EXPECT_EQ(pace.limit(), 1);
  EXPECT_TRUE(pace.lastWasLong());
  EXPECT_TRUE(pace.returnsEach());
}

} // namespace
