// Which ranks deal which devices among themselves.
#include "runtime/host/ranks/device_dealing.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::host;

namespace {
TEST(DeviceDealing, IsAmongThoseWhoHaveChosenTheSame) {
  const std::vector<ChosenDevices> ranks = {{0, {"a", "b"}}, {1, {"a", "b"}}, {0, {"a", "b"}}, {0, {"c"}},
                                            {0, {"d"}},      {0, {}},         {0, {"a", "b"}}, {0, {}}};
  const auto dealt = [&](int rank) {
    const RankOfDevices place = dealDevices(ranks, rank);
    return std::pair(place.part, place.parts);
  };
  EXPECT_EQ(dealt(0), std::pair(0, 3));
  EXPECT_EQ(dealt(1), std::pair(0, 1)) << "another machine";
  EXPECT_EQ(dealt(2), std::pair(1, 3));
  EXPECT_EQ(dealt(6), std::pair(2, 3));
  EXPECT_EQ(dealt(3), std::pair(0, 1)) << "its own, whatever number it has there";
  EXPECT_EQ(dealt(4), std::pair(0, 1));
  EXPECT_EQ(dealt(7).second, 2) << "of nothing";
}

TEST(DeviceDealing, RefusesWhatOverlaps) {
  const std::vector<ChosenDevices> ranks = {{0, {"a", "b"}}, {0, {"b"}}};
  EXPECT_THROW(dealDevices(ranks, 0), UsageError);
  EXPECT_THROW(dealDevices(ranks, 1), UsageError);
}
} // namespace
