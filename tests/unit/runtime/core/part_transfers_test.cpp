// Which messages between parts of nodes are messages between nodes.
#include "runtime/core/window/dry_pass.hpp"

#include <tla/generated/part_transfers.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tla::runtime {
namespace {

class Recorder final : public DryPass {
public:
  std::vector<std::string> messages;

  void send(const TileRef &tile, int destination, int) override { note("to", tile, destination); }
  void receive(const TileRef &tile, int source, int) override { note("from", tile, source); }

private:
  void note(const char *way, const TileRef &tile, int node) {
    static const char *const regions[] = {"", "lower ", "upper "};
    messages.push_back(regions[static_cast<int>(tile.region)] + std::to_string(tile.row) + "," +
                       std::to_string(tile.column) + " " + way + " " + std::to_string(node));
  }
};

class PartTransfersTest : public testing::Test {
protected:
  using Version = PartTransfers<2>::Version;
  Storage storage_{8, 8, 4, 4, 8, Shape::General};
  Recorder recorder_;
  Generator tasks_{recorder_};
  TileTable &A_ = tasks_.matrix(storage_, "A", true);
  PartTransfers<2> transfers_{tasks_, 1};
};

TEST_F(PartTransfersTest, NoneBetweenPartsOfOneNode) {
  transfers_.send(A_, 0, 0, Region::Full, 1, 0, {0, 0});
  transfers_.receive(A_, 0, 0, Region::Full, 1, 0, {0, 0});
  EXPECT_TRUE(recorder_.messages.empty());
}

TEST_F(PartTransfersTest, OfAVersionOneToEachNode) {
  for (const int destination : {2, 0, 2})
    transfers_.send(A_, 0, 1, Region::Full, destination, 0, {0, 3});
  transfers_.send(A_, 1, 0, Region::Full, 2, 0, {0, 3}); // another tile
  transfers_.send(A_, 0, 1, Region::Full, 2, 0, {0, 4});
  EXPECT_EQ(recorder_.messages, (std::vector<std::string>{"0,1 to 2", "0,1 to 0", "1,0 to 2", "0,1 to 2"}));
}

TEST_F(PartTransfersTest, WhatAPartHasGotItsNodeHas) {
  transfers_.receive(A_, 0, 1, Region::Full, 0, 0, {-1, -1});
  transfers_.receive(A_, 0, 1, Region::Full, 0, 0, {-1, -1});
  transfers_.receive(A_, 0, 1, Region::Full, 2, 0, {0, 0}); // written elsewhere since
  EXPECT_EQ(recorder_.messages, (std::vector<std::string>{"0,1 from 0", "0,1 from 2"}));
}

TEST_F(PartTransfersTest, HalvesTravelAlone) {
  transfers_.receive(A_, 0, 0, Region::Lower, 0, 0, {0, 0});
  transfers_.receive(A_, 0, 0, Region::Full, 0, 0, {0, 0}); // what is lacking of it
  transfers_.receive(A_, 0, 0, Region::Upper, 0, 0, {0, 0});
  transfers_.receive(A_, 0, 0, Region::Upper, 2, 0, {1, 0});
  transfers_.receive(A_, 0, 0, Region::Full, 2, 0, {2, 0});
  EXPECT_EQ(recorder_.messages,
            (std::vector<std::string>{"lower 0,0 from 0", "upper 0,0 from 0", "upper 0,0 from 2", "0,0 from 2"}));
}

} // namespace
} // namespace tla::runtime
