// The conformance suite over LocalNetwork, one thread a rank, with and without faults, and what these have on top.
#include "tests/support/transport/faulty_transport.hpp"
#include "tests/support/transport/local_network.hpp"
#include "tests/unit/runtime/transport/conformance.hpp"
#include "tests/unit/runtime/transport/port.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

namespace tla::runtime {

namespace {
using namespace std::chrono_literals;

/// Runs `body` on each rank's thread. The first rank that throws ends the others; its message comes back.
template <typename Body> std::string runRanks(LocalNetwork &network, int ranks, Body body) {
  std::mutex lock;
  std::string failure;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        body(network.endpoint(rank));
      } catch (const LocalNetwork::Aborted &) {
      } catch (const std::exception &error) {
        {
          const std::lock_guard hold(lock);
          if (failure.empty())
            failure = "rank " + std::to_string(rank) + ": " + error.what();
        }
        try {
          network.endpoint(rank).abort(1);
        } catch (const LocalNetwork::Aborted &) {
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return failure;
}

struct Setting {
  int ranks;
  std::chrono::microseconds delay;
  int holdBack = 0;
};

class LocalConformance : public testing::TestWithParam<std::tuple<ConformanceCase, Setting>> {};

TEST_P(LocalConformance, Holds) {
  const auto [conformanceCase, setting] = GetParam();
  LocalNetwork network(setting.ranks, {.delay = setting.delay});
  EXPECT_EQ(runRanks(network, setting.ranks,
                     [&](Transport &endpoint) {
                       if (setting.holdBack == 0)
                         return conformanceCase.run(endpoint);
                       FaultyTransport faulty(endpoint, {.holdBack = setting.holdBack});
                       conformanceCase.run(faulty);
                     }),
            "");
}

std::string nameOf(const testing::TestParamInfo<LocalConformance::ParamType> &info) {
  const auto &[conformanceCase, setting] = info.param;
  return conformanceCase.name + ("_" + std::to_string(setting.ranks)) + (setting.delay > 0us ? "_delayed" : "") +
         (setting.holdBack > 0 ? "_heldBack" : "");
}

INSTANTIATE_TEST_SUITE_P(Local, LocalConformance,
                         testing::Combine(testing::ValuesIn(conformanceCases().begin(), conformanceCases().end()),
                                          testing::Values(Setting{2, 0us}, Setting{4, 0us}, Setting{3, 300us},
                                                          Setting{3, 0us, 9})),
                         nameOf);

TEST(LocalNetwork, WakesWhoSleeps) {
  LocalNetwork network(2, {.delay = 2000us});
  std::mutex lock;
  std::condition_variable changed;
  bool woken = false;
  Transport &receiver = network.endpoint(1);
  receiver.onActivity([&] {
    const std::lock_guard hold(lock);
    woken = true;
    changed.notify_one();
  });
  const auto waitForWake = [&] {
    std::unique_lock hold(lock);
    const bool seen = changed.wait_for(hold, 10s, [&] { return woken; });
    woken = false;
    return seen;
  };

  int value = 17, copy = 0;
  network.endpoint(0).send(1, 3, &value, sizeof value, &value);
  ASSERT_TRUE(waitForWake());
  Announcement message;
  ASSERT_TRUE(receiver.announced(message));
  receiver.receive(message, &copy, &copy);
  ASSERT_TRUE(waitForWake());
  void *token = nullptr;
  EXPECT_EQ(receiver.finished(&token, 1), 1);
  EXPECT_EQ(token, &copy);
  EXPECT_EQ(copy, 17);

  network.endpoint(0).sendControl(1, "x", 1);
  ASSERT_TRUE(waitForWake());
  receiver.onActivity({});
}

TEST(LocalNetwork, DelaysReorderData) {
  LocalNetwork network(2, {.delay = 1000us});
  Port sender(network.endpoint(0)), receiver(network.endpoint(1));
  for (int i = 0; i < 100; ++i)
    sender.send(1, i, {});
  receiver.pollUntil("messages", [&] { return receiver.receivesComplete() == 100; });
  bool inOrder = true;
  std::uint32_t next = 0;
  for (const Port::Received &message : receiver.received())
    inOrder = inOrder && message.tag == next++;
  EXPECT_FALSE(inOrder);
}

/// The arrivals that rank 1 sees of 100 messages of rank 0, look by look: 'a' an announcement, 'c' a control message,
/// '.' neither.
std::string traceOf(const Faults &faults) {
  LocalNetwork network(2);
  Transport &sender = network.endpoint(0);
  FaultyTransport receiver(network.endpoint(1), faults);
  for (int i = 0; i < 100; ++i) {
    sender.send(1, i, nullptr, 0, nullptr);
    sender.sendControl(1, &i, sizeof i);
  }
  std::string trace;
  for (int look = 0; look < 20; ++look, trace += '.') {
    Announcement message;
    while (receiver.announced(message))
      trace += 'a' + std::to_string(message.tag);
    int source = 0;
    for (Bytes data; receiver.receiveControl(source, data);)
      trace += 'c' + std::to_string(std::to_integer<int>(data[0]));
  }
  return trace;
}

TEST(FaultyTransport, DoesTheSameForTheSameSeed) {
  const std::string inOrder = traceOf({});
  EXPECT_EQ(inOrder.find("a0a1a2a3"), 0u) << inOrder;
  const std::string heldBack = traceOf({.seed = 1, .holdBack = 8});
  EXPECT_EQ(heldBack, traceOf({.seed = 1, .holdBack = 8}));
  EXPECT_NE(heldBack, traceOf({.seed = 2, .holdBack = 8}));
  EXPECT_NE(heldBack, inOrder);
  EXPECT_EQ(heldBack.size(), inOrder.size()) << "all came in: " << heldBack;
}

TEST(FaultyTransport, SaysThatTheRankHasStoodStill) {
  LocalNetwork network(2);
  FaultyTransport sender(network.endpoint(0), {.freezeAt = 1, .freezeFor = std::chrono::milliseconds(1)});
  sender.send(1, 0, nullptr, 0, nullptr);
  EXPECT_FALSE(sender.struck());
  sender.send(1, 1, nullptr, 0, nullptr);
  EXPECT_TRUE(sender.struck());
}

TEST(LocalNetwork, LostRanksAreSilent) {
  LocalNetwork network(3);
  Port lost(network.endpoint(0)), left(network.endpoint(1));
  lost.send(1, 1, pattern(10, 1));
  left.send(0, 2, pattern(10, 2));
  network.kill(0);
  lost.send(1, 3, pattern(10, 3));
  lost.sendControl(1, "nothing");
  for (int i = 0; i < 10; ++i) {
    lost.poll();
    left.poll();
  }
  EXPECT_EQ(left.sendsOutstanding(), 1);
  EXPECT_EQ(left.receivesComplete(), 0);
  EXPECT_EQ(lost.sendsOutstanding(), 2);
  int source;
  Bytes text;
  EXPECT_FALSE(network.endpoint(1).receiveControl(source, text));
  // Those who are left still talk.
  left.sendControl(2, "still here");
  EXPECT_EQ(Port(network.endpoint(2)).waitForControl(), std::pair(1, std::string("still here")));
}

TEST(LocalNetwork, AbortEndsEveryRank) {
  std::pair<int, int> seen;
  LocalNetwork network(2, {.onAbort = [&](int rank, int exitCode) { seen = {rank, exitCode}; }});
  bool woken = false;
  network.endpoint(0).onActivity([&] { woken = true; });
  std::thread waiting([&] { EXPECT_THROW(network.endpoint(0).barrier(), LocalNetwork::Aborted); });
  try {
    network.endpoint(1).abort(4);
    FAIL() << "abort() returned";
  } catch (const LocalNetwork::Aborted &aborted) {
    EXPECT_EQ(aborted.exitCode, 4);
  }
  waiting.join();
  EXPECT_EQ(seen, std::pair(1, 4));
  EXPECT_TRUE(woken);
  Announcement message;
  EXPECT_THROW(network.endpoint(0).announced(message), LocalNetwork::Aborted);
}
} // namespace

} // namespace tla::runtime
