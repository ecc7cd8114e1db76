// What a rank says of forwarded messages that no courier would send.
#include "runtime/core/network/broadcast.hpp"
#include "runtime/core/network/message_tag.hpp"
#include "tests/unit/runtime/core/network/broadcast_tasks.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

/// Ranks 0 and 1, and others that are this test's own hand: rank 2 forwards to rank 1, and says what no courier would.
/// The content is that of `origin`, one of these others.
class Rogue : public testing::Test {
protected:
  explicit Rogue(int ranks = 3, int origin = 2) : ranks_(ranks), origin_(origin), network_(ranks) {}

  static constexpr std::size_t bytes = nb * nb * sizeof(double);
  enum : std::uint32_t {
    End = 1,
    Done = 2,
    Idle = 3,
    Delegate = 6,
    Taken = 7,
    Declined = 8,
    Forwards = 9
  }; ///< Control

  /// A message that is forwarded as number 10 + ordinal.
  void forward(std::uint32_t ordinal, std::size_t size, bool delegates = false) {
    say(ordinal);
    send(ordinal, size, delegates);
  }
  void say(std::uint32_t ordinal) {
    tell(1, Forwards, ForwardedMessage{10 + ordinal, static_cast<std::uint32_t>(origin_), ordinal}.text());
  }
  void send(std::uint32_t ordinal, std::size_t size, bool delegates = false) {
    MessageTag tag = MessageTag::ofForwarded(10 + ordinal, delegates);
    tag.odd = true;
    rogue_.send(1, tag.encode(), content_.data(), size, nullptr);
  }
  void delegate(std::uint32_t ordinal) {
    for (const std::string &text : Delegation::texts(origin_, ordinal, {{0, 7}}))
      tell(1, Delegate, text);
  }
  void tell(int rank, std::uint32_t kind, const std::string &text = "") { tell(rogue_, rank, kind, text); }
  void tell(Transport &from, int rank, std::uint32_t kind, const std::string &text = "") {
    const std::uint32_t header[] = {1, kind}; // run 1
    const std::string data = std::string(reinterpret_cast<const char *>(header), sizeof header) + text;
    from.sendControl(rank, data.data(), data.size());
  }

  /// Rank 1 waits for message 0 of the origin, in view of what rank 2 has sent and told already. The outcome of all.
  std::string outcome() {
    testing::internal::CaptureStderr(); // the watchdog's
    for (int rank = 2; rank < ranks_; ++rank)
      for (const std::uint32_t kind : {End, Idle})
        tell(network_.endpoint(rank), 0, kind);
    std::vector<std::string> messages(2);
    std::vector<std::thread> ranks;
    for (const int rank : {0, 1})
      ranks.emplace_back([&, rank] { messages[rank] = outcomeOf(rank); });
    awaitDone();
    for (std::thread &thread : ranks)
      thread.join();
    report_ = testing::internal::GetCapturedStderr();
    EXPECT_EQ(messages[0], messages[1]);
    return messages[1];
  }

  const int ranks_, origin_;
  std::size_t forwardBytes_ = 1 << 20;
  std::string report_;
  std::vector<Delegation> declined_; ///< refusals that rank 1 has told the origin

private:
  std::string outcomeOf(int rank) {
    Executor executor({.threads = 1,
                       .pin = false,
                       .transport = &network_.endpoint(rank),
                       .watchdogSeconds = 0.25,
                       .forwardBytes = forwardBytes_});
    executor.distribute(Distribution::blockCyclic(ranks_, 1));
    Storage storage(ranks_ * nb, nb, nb, nb, sizeof(double), Shape::General);
    storage.allocate([&](int i, int) { return i == rank; });
    return executor
        .run([&](Generator &generator) {
          TileTable &table = generator.matrix(storage, "A");
          const TileAccess accesses[] = {{&table, 1, 0, Access::ReadWrite}, {&table, origin_, 0, Access::Read}};
          const int what = Add;
          generator.append({add, 0, &what, 1, accesses, 2});
        })
        .message;
  }
  void awaitDone() {
    Transport &origin = network_.endpoint(origin_);
    for (std::uint32_t header[2] = {}; header[1] != Done; std::this_thread::yield()) {
      int source;
      std::vector<std::byte> data;
      if (!origin.receiveControl(source, data))
        continue;
      std::memcpy(header, data.data(), sizeof header);
      if (header[1] == Declined)
        declined_.push_back(Delegation::read({reinterpret_cast<const char *>(&data[sizeof header]), data.size() - 8}));
    }
  }

  LocalNetwork network_;
  Transport &rogue_ = network_.endpoint(2);
  const std::vector<char> content_ = std::vector<char>(bytes);
};

TEST_F(Rogue, WhatIsExpectedIsTaken) {
  forward(0, bytes);
  EXPECT_EQ(outcome(), "");
}
TEST_F(Rogue, AMessageWaitsForWhoseItIs) {
  send(0, bytes);
  say(0);
  EXPECT_EQ(outcome(), "");
}
TEST_F(Rogue, AForwardedMessageWithoutOriginIsNamed) {
  send(3, 8);
  forward(0, bytes);
  EXPECT_EQ(outcome(), "rank 2 forwarded 8 bytes, but did not say of which message");
}
TEST_F(Rogue, TwoForwardedMessagesOfOneNumberAreNamed) {
  send(3, 8);
  send(3, 8);
  EXPECT_EQ(outcome(), "rank 2 forwarded two messages as number 13");
}
TEST_F(Rogue, AForwardedMessageOfWhichIsSaidTwiceWhoseItIsIsNamed) {
  say(3);
  say(3);
  EXPECT_EQ(outcome(), "rank 2 said twice which message it forwards as number 13");
}
TEST_F(Rogue, ARelayWithoutRoomDeclines) {
  forwardBytes_ = bytes - 1;
  forward(0, bytes, /*delegates=*/true);
  delegate(0);
  EXPECT_EQ(outcome(), "");
  ASSERT_EQ(declined_.size(), 1u);
  EXPECT_EQ(declined_[0].origin, 2u);
  EXPECT_EQ(declined_[0].ordinal, 0u);
  EXPECT_EQ(declined_[0].behind, (std::vector<Addressee>{{0, 7}}));
}
TEST_F(Rogue, ARelayThatDeclinesInVainIsNamed) {
  tell(1, Declined, Delegation::texts(1, 0, {{0, 7}}).front());
  EXPECT_EQ(outcome(), "rank 2 does not forward message 7 to rank 0, which nobody was told to forward");
}
TEST_F(Rogue, AForwardedMessageOfAnotherSizeIsNamed) {
  forward(0, 8);
  EXPECT_EQ(outcome(), "rank 2 forwarded 8 bytes as message 0 of rank 2, expected were 72 bytes of tile A(2, 0)");
}
TEST_F(Rogue, AForwardedMessageThatNobodyExpectsIsNamed) {
  forward(5, 8);
  forward(0, bytes);
  EXPECT_EQ(outcome(), "rank 2 forwarded 8 bytes as message 5 of rank 2, which this rank does not expect");
}
TEST_F(Rogue, AForwardedMessageThatComesTwiceIsNamed) {
  for (const std::uint32_t number : {15u, 16u}) {
    tell(1, Forwards, ForwardedMessage{number, 2, 5}.text());
    send(number - 10, bytes);
  }
  EXPECT_EQ(outcome(), "rank 2 forwarded 72 bytes as message 5 of rank 2, which had come before");
}
TEST_F(Rogue, AMessageTakenThatNobodyWasToForwardIsNamed) {
  tell(1, Taken, "3");
  EXPECT_EQ(outcome(), "rank 2 has taken message 3 from another rank, which nobody was told to forward");
}
TEST_F(Rogue, ADelegationThatComesTwiceIsNamed) {
  for (int time = 0; time < 2; ++time)
    delegate(0);
  EXPECT_EQ(outcome(), "rank 2 said twice who is to get message 0 of rank 2");
}
TEST_F(Rogue, ARelayWithoutAddresseesIsReported) {
  forward(0, bytes, /*delegates=*/true);
  EXPECT_EQ(outcome(), "no task has finished and no byte has moved on any rank for 0.25 s");
  EXPECT_NE(report_.find("message 0 of rank 2, to be forwarded: nobody has said to whom"), std::string::npos)
      << report_;
}

/// More ranks than a tag could name.
class OfManyRanks : public Rogue {
protected:
  OfManyRanks() : Rogue(1200, 1100) {}
};

TEST_F(OfManyRanks, AMessageIsForwarded) {
  forward(0, bytes);
  EXPECT_EQ(outcome(), "");
}
TEST_F(OfManyRanks, WhatIsForwardedIsNamed) {
  forward(0, 8);
  EXPECT_EQ(outcome(), "rank 2 forwarded 8 bytes as message 0 of rank 1100, expected were 72 bytes of tile A(1100, 0)");
}
} // namespace
