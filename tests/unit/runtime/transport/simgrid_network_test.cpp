// A platform of SimGrid by hand: what flows share a link get half of it each. All tests use one file, as a process may.
#include "runtime/predict/network/platform_network.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace tla;
using namespace tla::runtime;

namespace {

constexpr double bandwidth = 1e6, latency = 2e-3;

/// Four hosts, each on a link of its own of 1 MB/s and 1 ms, host-10 of 5 ms; whatever goes from the first two to the
/// last two also takes the link "narrow". Names are out of order, and host-10 comes after host-9.
const std::string &platform() {
  static const std::string file = [] {
    std::string name = ::testing::TempDir() + "simgrid_network_test_" + std::to_string(getpid()) + ".xml";
    std::ofstream out(name);
    out << R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="host-10" speed="1Gf"/><host id="host-9" speed="1Gf"/><host id="host-2" speed="1Gf"/><host id="host-1" speed="1Gf"/>
)";
    for (const char *host : {"1", "2", "9", "10"})
      out << "<link id=\"l" << host << "\" bandwidth=\"1MBps\" latency=\"" << (host == std::string("10") ? 5 : 1)
          << "ms\"/>\n";
    out << "<link id=\"narrow\" bandwidth=\"1.2MBps\" latency=\"0\"/>\n";
    const char *const names[] = {"1", "2", "9", "10"};
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        out << "<route src=\"host-" << names[i] << "\" dst=\"host-" << names[j] << "\"><link_ctn id=\"l" << names[i]
            << "\"/>" << (i < 2 && j >= 2 ? "<link_ctn id=\"narrow\"/>" : "") << "<link_ctn id=\"l" << names[j]
            << "\"/></route>\n";
    out << "</zone></platform>\n";
    return name;
  }();
  return file;
}

struct Ends final : VirtualTime::Listener {
  explicit Ends(VirtualTime &time) : time(time) {}
  void at(std::uint64_t token) override {
    if (when.size() <= token)
      when.resize(token + 1);
    when[token] = time.now();
    owners.push_back(time.owner());
  }
  VirtualTime &time;
  std::vector<double> when;
  std::vector<int> owners;
};

struct Platform {
  explicit Platform(int nodes = 4) : network(platformNetwork(time, platform(), nodes)) {}
  void run() {
    while (time.advance())
      time.takeOwners();
  }
  VirtualTime time;
  std::unique_ptr<NetworkModel> network;
  Ends ends{time};
};

TEST(SimGridNetwork, AMessageTakesItsRoute) {
  Platform four;
  EXPECT_NEAR(four.network->latency(0, 1), latency, 1e-12);
  EXPECT_NEAR(four.network->latency(0, 3), latency + 4e-3, 1e-12);
  EXPECT_EQ(four.network->latency(2, 2), 0);
  four.time.setOwner(5);
  four.network->carry(0, 1, 1e6, four.ends, 0);
  four.time.setOwner(0);
  four.run();
  EXPECT_NEAR(four.ends.when[0], latency + 1e6 / bandwidth, 1e-8);
  EXPECT_EQ(four.ends.owners, std::vector<int>{5});
}

TEST(SimGridNetwork, HostsAreNodesInTheOrderOfTheirNumbers) {
  Platform four;
  four.network->carry(0, 1, 1e6, four.ends, 0); // host-1 to host-2: not by the narrow link
  four.network->carry(2, 3, 1e6, four.ends, 1); // host-9 to host-10
  four.run();
  EXPECT_NEAR(four.ends.when[0], latency + 1, 1e-8);
  EXPECT_NEAR(four.ends.when[1], latency + 4e-3 + 1, 1e-8);
}

TEST(SimGridNetwork, FlowsShareTheirLinks) {
  Platform four;
  four.network->carry(0, 2, 6e5, four.ends, 0);
  four.network->carry(1, 3, 1.2e6, four.ends, 1);
  four.run();
  // 0.6 MB/s each through the narrow link; then the second alone, by its own links of 1 MB/s.
  // However far it is: the second's latency is three times the first's.
  EXPECT_NEAR(four.ends.when[0], latency + 1, 1e-6);
  EXPECT_NEAR(four.ends.when[1], latency + 4e-3 + 1 + 0.6, 1e-6);
}

TEST(SimGridNetwork, WhatComesInTheMiddleOfAFlowSlowsIt) {
  Platform four;
  struct Starter final : VirtualTime::Listener {
    explicit Starter(Platform &platform) : platform(platform) {}
    void at(std::uint64_t) override { platform.network->carry(1, 0, 2.5e5, platform.ends, 1); }
    Platform &platform;
  } starter(four);
  four.network->carry(0, 1, 1e6, four.ends, 0);
  four.time.in(0.25, starter, 0);
  four.run();
  // Both directions share a link.
  EXPECT_NEAR(four.ends.when[1], latency + 0.25 + 0.5, 1e-6);
  EXPECT_NEAR(four.ends.when[0], latency + 1 + 0.25, 1e-6);
}

TEST(SimGridNetwork, WhatIsFarDoesNotHoldUpWhatIsNear) {
  Platform four;
  four.network->carry(2, 3, 1e6, four.ends, 0);     // has passed after 1 s, and is there 6 ms later
  four.network->carry(0, 1, 1.001e6, four.ends, 1); // has passed meanwhile, and is there before
  four.run();
  EXPECT_NEAR(four.ends.when[0], latency + 4e-3 + 1, 1e-6);
  EXPECT_NEAR(four.ends.when[1], latency + 1.001, 1e-6);
}

TEST(SimGridNetwork, ARunThatIsGivenUpLeavesNothingToTheNext) {
  {
    Platform four;
    four.network->carry(0, 1, 1e9, four.ends, 0);
    four.time.in(0.5, four.ends, 1);
    EXPECT_TRUE(four.time.advance());
    EXPECT_NEAR(four.time.now(), 0.5, 1e-12);
  }
  Platform again;
  again.network->carry(0, 1, 1e6, again.ends, 0);
  again.run();
  EXPECT_NEAR(again.ends.when[0], latency + 1, 1e-6);
}

TEST(SimGridNetwork, AProcessMayEndWhileAFlowIsUnderWay) {
  EXPECT_EXIT(
      {
        {
          Platform four;
          four.network->carry(0, 1, 1e9, four.ends, 0);
          four.time.in(0.5, four.ends, 1);
          four.time.advance();
        }
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(SimGridNetwork, ToItselfAndOfNothing) {
  Platform four;
  four.network->carry(1, 1, 1e6, four.ends, 0);
  four.network->carry(0, 1, 0, four.ends, 1);
  four.run();
  EXPECT_EQ(four.ends.when[0], 0);
  EXPECT_NEAR(four.ends.when[1], latency, 1e-5);
}

TEST(SimGridNetwork, RefusesWhatItCannotUse) {
  VirtualTime time;
  const auto message = [&](const std::string &file, int nodes) -> std::string {
    try {
      platformNetwork(time, file, nodes);
    } catch (const UsageError &error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message(platform(), 5), platform() + " has 4 hosts, too few for 5 nodes");
  EXPECT_EQ(message("another.xml", 2),
            "one platform of SimGrid at a time: " + platform() + " has been read, and not another.xml");
}

} // namespace
