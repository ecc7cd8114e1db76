// Virtual time: the order of events, and what several share.
#include "runtime/predict/clock/shared_throughput.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;

namespace {

/// Tells the time of what it is told.
struct Witness final : VirtualTime::Listener {
  explicit Witness(VirtualTime &time) : time(time) {}
  void at(std::uint64_t token) override { seen.emplace_back(token, time.now()); }
  VirtualTime &time;
  std::vector<std::pair<std::uint64_t, double>> seen;
};

void runOut(VirtualTime &time) {
  while (time.advance())
    ;
}

using Seen = std::vector<std::pair<std::uint64_t, double>>;

TEST(VirtualTime, EventsComeInOrderAndThoseOfOneTimeAsEntered) {
  VirtualTime time;
  Witness witness(time);
  time.in(2, witness, 1);
  time.in(1, witness, 2);
  time.in(2, witness, 3);
  EXPECT_TRUE(time.advance());
  EXPECT_EQ(witness.seen, (Seen{{2, 1}}));
  time.in(1, witness, 4);
  runOut(time);
  EXPECT_EQ(witness.seen, (Seen{{2, 1}, {1, 2}, {3, 2}, {4, 2}}));
}

TEST(SharedThroughput, IsSharedByRatesWhereTheyAreMoreThanThereIs) {
  VirtualTime time;
  SharedThroughput device(time, 1);
  Witness witness(time);
  device.use(1, 0.5, witness, 1); // alone 2 s
  device.use(1, 0.5, witness, 2); // beside it, without loss
  runOut(time);
  EXPECT_EQ(witness.seen, (Seen{{1, 2}, {2, 2}}));
  witness.seen.clear();
  device.use(1, 1, witness, 3);
  device.use(2, 1, witness, 4); // each at half of its rate for 2 s, then one alone for 1 s
  runOut(time);
  ASSERT_EQ(witness.seen.size(), 2u);
  EXPECT_DOUBLE_EQ(witness.seen[0].second, 4);
  EXPECT_DOUBLE_EQ(witness.seen[1].second, 5);
  EXPECT_DOUBLE_EQ(device.delivered(), 5);
}

TEST(SharedThroughput, WhoComesLaterSlowsWhatIsUnderWay) {
  VirtualTime time;
  SharedThroughput link(time, 10);
  Witness witness(time);
  struct Late final : VirtualTime::Listener {
    Late(SharedThroughput &link, Witness &witness) : link(link), witness(witness) {}
    void at(std::uint64_t) override { link.use(10, 10, witness, 2); }
    SharedThroughput &link;
    Witness &witness;
  } late(link, witness);
  link.use(20, 10, witness, 1); // 1 s alone, the other 10 in 2 s
  time.in(1, late, 0);
  runOut(time);
  EXPECT_EQ(witness.seen, (Seen{{1, 3}, {2, 3}}));
}

/// The more urgent one as if it were alone; what it leaves the others share, and there may be nothing.
TEST(SharedThroughput, TheMoreUrgentGetsWhatItCanUse) {
  VirtualTime time;
  SharedThroughput device(time, 1);
  Witness witness(time);
  device.use(1, 1, witness, 1);
  device.use(1, 1, witness, 2);
  device.use(1.5, 0.5, witness, 3, 1); // 3 s at 0.5, the others at 0.25 each until then, 0.5 afterwards
  EXPECT_EQ(device.occupied(), 1);
  runOut(time);
  EXPECT_EQ(witness.seen.front(), (std::pair<std::uint64_t, double>(3, 3)));
  ASSERT_EQ(witness.seen.size(), 3u);
  EXPECT_DOUBLE_EQ(witness.seen[1].second, 3.5);
  EXPECT_DOUBLE_EQ(witness.seen[2].second, 3.5);
  EXPECT_EQ(device.occupied(), 0);
  witness.seen.clear();
  device.use(1, 1, witness, 1);
  device.use(2, 1, witness, 2, 2);
  runOut(time);
  EXPECT_EQ(witness.seen.front().first, 2u);
  EXPECT_DOUBLE_EQ(witness.seen[0].second, 5.5);
  EXPECT_DOUBLE_EQ(witness.seen[1].second, 6.5);
}

} // namespace
