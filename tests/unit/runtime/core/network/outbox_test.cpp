// The order in which messages leave: the most urgent first, within bounds, and nothing waits for what cannot be taken.
#include "runtime/core/network/outbox.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace tla::runtime;

namespace {

Outgoing message(std::uint32_t origin, std::uint32_t ordinal, int destination, std::uint32_t priority) {
  Outgoing result;
  result.origin = origin;
  result.ordinal = ordinal;
  result.destination = destination;
  result.priority = priority;
  result.bytes = 10;
  return result;
}

/// The ordinals of what leaves now.
std::string leaving(Outbox &outbox) {
  std::string ordinals;
  while (const Outgoing *const next = outbox.next())
    ordinals += (ordinals.empty() ? "" : " ") + std::to_string(next->ordinal);
  return ordinals;
}

TEST(Outbox, LetsAllLeaveThatThereIsRoomFor) {
  Outbox outbox(40);
  Outgoing all[] = {message(0, 0, 1, 5), message(0, 1, 1, 5), message(0, 2, 1, 5), message(0, 3, 1, 5)};
  for (Outgoing &each : all)
    outbox.add(each);
  EXPECT_EQ(leaving(outbox), "0 1 2 3");
  EXPECT_EQ(outbox.bytes(), 40u);
}

TEST(Outbox, TheMostUrgentLeavesFirst) {
  Outbox outbox(20);
  Outgoing all[] = {message(0, 0, 1, 1), message(0, 1, 1, 2), message(0, 2, 1, 7), message(0, 3, 1, 7)};
  for (Outgoing &each : all)
    outbox.add(each);
  EXPECT_EQ(leaving(outbox), "0 2"); // the first of its pair, whatever its priority
  outbox.remove(all[2]);
  EXPECT_EQ(leaving(outbox), "3");
  outbox.remove(all[3]);
  EXPECT_EQ(leaving(outbox), "1");
}

TEST(Outbox, TheFirstOfEachPairLeavesWhateverIsUnderWay) {
  Outbox outbox(10);
  Outgoing first = message(0, 4, 1, 1), second = message(0, 5, 1, 9), elsewhere = message(0, 0, 2, 0),
           forwarded = message(3, 8, 1, 0);
  outbox.add(first);
  EXPECT_EQ(leaving(outbox), "4");
  for (Outgoing *const each : {&second, &elsewhere, &forwarded})
    outbox.add(*each);
  std::string left = leaving(outbox);
  EXPECT_TRUE(left == "8 0" || left == "0 8") << left;
  outbox.remove(first);
  EXPECT_EQ(leaving(outbox), "5");
}

TEST(Outbox, WhatBecomesReadyLateOvertakesWhatItsReceiverCannotTakeBefore) {
  Outbox outbox(10);
  Outgoing late = message(0, 3, 1, 0), early = message(0, 7, 1, 9);
  outbox.add(early);
  EXPECT_EQ(leaving(outbox), "7");
  outbox.add(late);
  EXPECT_EQ(leaving(outbox), "3");
}

TEST(Outbox, OrdinalsBeginAnew) {
  Outbox outbox(0);
  Outgoing last = message(0, MessageTag::ordinals - 1, 1, 0), next = message(0, 0, 1, 9);
  outbox.add(last);
  EXPECT_EQ(leaving(outbox), std::to_string(MessageTag::ordinals - 1));
  outbox.add(next);
  EXPECT_EQ(leaving(outbox), "");
  outbox.remove(last);
  EXPECT_EQ(leaving(outbox), "0");
}

TEST(Outbox, WhatIsTooLargeLeavesAlone) {
  Outbox outbox(5);
  Outgoing first = message(0, 0, 1, 0), second = message(0, 1, 1, 0);
  outbox.add(first);
  outbox.add(second);
  EXPECT_EQ(leaving(outbox), "0");
  outbox.remove(first);
  EXPECT_EQ(leaving(outbox), "1");
  outbox.remove(second);
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(Outbox, WhatWaitsCanBeTakenOut) {
  Outbox outbox(10);
  Outgoing all[] = {message(0, 0, 1, 0), message(0, 1, 1, 0), message(0, 2, 1, 0)};
  for (Outgoing &each : all)
    outbox.add(each);
  EXPECT_EQ(leaving(outbox), "0");
  outbox.remove(all[1]);
  outbox.remove(all[0]);
  EXPECT_EQ(leaving(outbox), "2");
  outbox.remove(all[2]);
  EXPECT_EQ(leaving(outbox), "");
}

} // namespace
