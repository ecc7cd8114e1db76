// Messages between nodes in virtual time, by hand: two nodes, one link.
#include "runtime/predict/network/virtual_network.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <functional>

using namespace tla;
using namespace tla::runtime;

namespace {

constexpr double latency = 1e-3, bandwidth = 1e6;

/// A node that waits for something of its endpoint.
struct Waiter final : VirtualTurns::Node {
  explicit Waiter(std::function<bool()> come) : come(std::move(come)) {}
  void begin() override { has = has || come(); }
  VirtualTurns::Progress progress() const override {
    return has ? VirtualTurns::Progress::Enough : VirtualTurns::Progress::None;
  }
  const std::function<bool()> come;
  bool has = false;
};

struct Cluster {
  explicit Cluster(int nodes) : ports(time, nodes, latency, bandwidth), network(time, cluster, ports, nodes) {}
  void await(int rank, std::function<bool()> come) {
    Waiter waiter(std::move(come));
    waiter.begin();
    if (!waiter.has)
      cluster.wait(rank, waiter);
  }
  void awaitEnd(int rank) {
    void *token = nullptr;
    await(rank, [&] { return network.endpoint(rank).finished(&token, 1) == 1; });
  }
  void receiveOne(int rank) {
    Announcement message{};
    await(rank, [&] { return network.endpoint(rank).announced(message); });
    network.endpoint(rank).receive(message, nullptr, this);
    awaitEnd(rank);
  }
  VirtualTime time;
  VirtualCluster cluster{time};
  PortModel ports;
  VirtualNetwork network;
};

TEST(VirtualNetwork, AMessageIsAnnouncedAskedForAndCarried) {
  Cluster two(2);
  double sent = 0, received = 0;
  two.cluster.run(2, [&](int rank) {
    if (rank == 0) {
      two.network.endpoint(0).send(1, 7, nullptr, 5000, &two);
      two.awaitEnd(0);
      sent = two.time.now();
    } else {
      two.receiveOne(1);
      received = two.time.now();
    }
  });
  EXPECT_NEAR(received, 3 * latency + 5000 / bandwidth, 1e-12);
  EXPECT_NEAR(sent, 4 * latency + 5000 / bandwidth, 1e-12);
}

TEST(VirtualNetwork, APortCarriesOneMessageAtATime) {
  Cluster three(3);
  double end = 0;
  three.cluster.run(3, [&](int rank) {
    if (rank != 2) {
      three.network.endpoint(rank).send(2, 7, nullptr, 5000, &three);
      three.awaitEnd(rank);
      return;
    }
    Announcement first{}, second{};
    three.await(2, [&] { return three.network.endpoint(2).announced(first); });
    three.await(2, [&] { return three.network.endpoint(2).announced(second); });
    three.network.endpoint(2).receive(first, nullptr, &three);
    three.network.endpoint(2).receive(second, nullptr, &three);
    three.awaitEnd(2);
    three.awaitEnd(2);
    end = three.time.now();
  });
  EXPECT_NEAR(end, 3 * latency + 2 * 5000 / bandwidth, 1e-12);
}

TEST(VirtualNetwork, ControlKeepsItsOrderAndCollectivesMeet) {
  Cluster three(3);
  std::vector<int> heard;
  three.cluster.run(3, [&](int rank) {
    Transport &mine = three.network.endpoint(rank);
    for (int i = 0; rank == 1 && i < 5; ++i)
      mine.sendControl(0, &i, sizeof(i));
    int source = 0;
    std::vector<std::byte> data;
    while (rank == 0 && heard.size() < 5) {
      three.await(0, [&] { return mine.receiveControl(source, data); });
      heard.push_back(static_cast<int>(data[0]));
    }
    double value = rank + 1.0;
    mine.sum(&value, 1);
    EXPECT_EQ(value, 6);
    value = rank;
    mine.max(&value, 1);
    EXPECT_EQ(value, 2);
  });
  EXPECT_EQ(heard, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(VirtualCluster, NodesThatWaitForNothingAreToldSo) {
  Cluster two(2);
  int ended = 0;
  EXPECT_THROW(two.cluster.run(2,
                               [&](int rank) {
                                 struct Count {
                                   int &ended;
                                   ~Count() { ++ended; }
                                 } count{ended};
                                 two.receiveOne(rank);
                               }),
               Error);
  EXPECT_EQ(ended, 2);
}

TEST(VirtualCluster, AFailureOfOneNodeIsTheRuns) {
  Cluster two(2);
  try {
    two.cluster.run(2, [&](int rank) {
      if (rank == 1)
        throw UsageError("mine");
      two.receiveOne(rank);
    });
    FAIL();
  } catch (const std::exception &error) {
    EXPECT_STREQ(error.what(), "mine");
  }
}

} // namespace
