// Dynamic scheduling in virtual time: small programs whose times and copies are known.
#include "runtime/predict/plan/rivals.hpp"

#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

namespace tla::host {
namespace {

using runtime::Access;
using runtime::Arguments;
using runtime::Generator;
using runtime::TaskClass;
using runtime::TileAccess;
using runtime::TileTable;

constexpr double tileBytes = 10 * 10 * sizeof(double);
const TaskClass anywhere{"gemm", "rivals_test.cpp:1", [](const runtime::TaskView &) { return 0; }, nullptr};
const TaskClass onHost{"potrf", "rivals_test.cpp:2", [](const runtime::TaskView &) { return 0; }, nullptr};

void append(Generator &tasks, const TaskClass &taskClass, std::initializer_list<TileAccess> accesses) {
  tasks.append({taskClass, 0, nullptr, 0, accesses.begin(), static_cast<int>(accesses.size())});
}

/// Three updates of one tile.
void chain(Generator &tasks, const Arguments &arguments) {
  TileTable &A = tasks.matrix(*arguments.matrices[0], "A");
  for (int k = 0; k < 3; ++k)
    append(tasks, anywhere, {{&A, 0, 0, Access::ReadWrite}});
}

/// The second one where devices have no body.
void thereAndBack(Generator &tasks, const Arguments &arguments) {
  TileTable &A = tasks.matrix(*arguments.matrices[0], "A");
  for (const TaskClass *each : {&anywhere, &onHost, &anywhere})
    append(tasks, *each, {{&A, 0, 0, Access::ReadWrite}});
}

/// Two tasks read what the first one has made.
void fork(Generator &tasks, const Arguments &arguments) {
  TileTable &A = tasks.matrix(*arguments.matrices[0], "A");
  append(tasks, anywhere, {{&A, 0, 0, Access::ReadWrite}});
  for (int j : {1, 2})
    append(tasks, anywhere, {{&A, 0, 0, Access::Read}, {&A, 0, j, Access::Write}});
}

class Rivals : public ::testing::Test {
protected:
  /// A core takes 100 s for what devices do in one, and 4 for its own; a tile is copied in one.
  runtime::Statistics run(void (*generate)(Generator &, const Arguments &), Rival rival, int devices) const {
    return runOn(Distribution(), generate, rival, devices).at(0);
  }
  /// A tile takes half a second to another node, and latencies a quarter of one in all.
  std::vector<runtime::Statistics> runOn(const Distribution &distribution,
                                         void (*generate)(Generator &, const Arguments &), Rival rival,
                                         int devices) const {
    runtime::Algorithm algorithm = test::cholesky<double>();
    static constexpr runtime::MatrixParameter matrices[] = {
        {"A", Shape::General, runtime::ElementType::D, [](const runtime::Values &values) { return values.n; },
         [](const runtime::Values &values) { return values.n; }, "n x n", "", nullptr, 0, true}};
    algorithm.matrices = matrices;
    algorithm.generate = generate;
    runtime::VirtualHardware machine;
    machine.coreSeconds = [](const TaskClass &taskClass, const runtime::TaskView &) {
      return &taskClass == &onHost ? 4.0 : 100.0;
    };
    runtime::VirtualDevice device;
    device.has = [](const TaskClass &taskClass) { return &taskClass == &anywhere; };
    device.kernel = [](const TaskClass &, const runtime::TaskView &view) {
      EXPECT_EQ(view.mainTile<double>().n(), 10);
      return runtime::KernelDemand{.latency = 0.25, .work = 0.25, .share = 0.5, .host = 0.25};
    };
    device.in = device.out = {tileBytes, 0};
    machine.devices.assign(devices, device);
    machine.busBytesPerSecond = bus_;
    const runtime::Values values{0, 30, 0, nullptr};
    const runtime::DeviceShares shares;
    return runAsRival({.algorithm = algorithm,
                       .values = values,
                       .scalars = {},
                       .nb = 10,
                       .cut = {},
                       .shares = shares,
                       .machine = machine,
                       .threads = 1},
                      rival, distribution, {.model = "", .bandwidth = 2 * tileBytes, .latency = 0.25 / 3});
  }
  double bus_ = 0; ///< bytes a second; 0: no bound
};

TEST_F(Rivals, ResultsGoHomeAtOnceOrWhenTheyAreWanted) {
  const runtime::Statistics through = run(chain, Rival::WriteThrough, 1), back = run(chain, Rival::WriteBack, 1);
  EXPECT_DOUBLE_EQ(through.seconds, 1 + 3 * 2);
  EXPECT_EQ(through.devices[0].in.copies, 1u);
  EXPECT_EQ(through.devices[0].out.copies, 3u);
  EXPECT_EQ(through.devices[0].out.bytes, 3 * tileBytes);
  EXPECT_DOUBLE_EQ(back.seconds, 1 + 3 + 1);
  EXPECT_EQ(back.devices[0].out.copies, 1u);
  EXPECT_DOUBLE_EQ(back.devices[0].busy, 3);
  EXPECT_EQ(back.devices[0].tasks, 3u);
  EXPECT_EQ(back.tasks, 3u);
  EXPECT_DOUBLE_EQ(run(chain, Rival::EarliestFinish, 1).seconds, 5);
}

TEST_F(Rivals, TilesFollowTheTasks) {
  const runtime::Statistics back = run(thereAndBack, Rival::WriteBack, 1);
  EXPECT_DOUBLE_EQ(back.seconds, 1 + 1 + 1 + 4 + 1 + 1 + 1);
  EXPECT_EQ(back.devices[0].in.copies, 2u);
  EXPECT_EQ(back.devices[0].out.copies, 2u);
  EXPECT_DOUBLE_EQ(back.busy.at(0), 4);
  EXPECT_DOUBLE_EQ(run(thereAndBack, Rival::EarliestFinish, 1).seconds, back.seconds);
}

/// Two tiles that two nodes have; each node updates its own, and then one reads both.
void twoNodes(Generator &tasks, const Arguments &arguments) {
  TileTable &A = tasks.matrix(*arguments.matrices[0], "A");
  for (int j : {0, 1})
    append(tasks, onHost, {{&A, 0, j, Access::ReadWrite}});
  append(tasks, onHost, {{&A, 0, 1, Access::Read}, {&A, 0, 0, Access::ReadWrite}});
}

TEST_F(Rivals, TilesGoFromNodeToNode) {
  const Distribution two = Distribution::blockCyclic(1, 2);
  // Whoever is free takes a task, the last node's core first: each has the other's tile sent to it, 0.75 s.
  const auto back = runOn(two, twoNodes, Rival::WriteBack, 0);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].tasks + back[1].tasks, 3u);
  // By earliest finish each stays at home; the third has one tile sent to it.
  const auto first = runOn(two, twoNodes, Rival::EarliestFinish, 0);
  EXPECT_DOUBLE_EQ(first[0].seconds, 4 + 0.75 + 4);
  EXPECT_EQ(first[1].transfers.messages, 1u);
  EXPECT_EQ(first[1].transfers.bytes, tileBytes);
  EXPECT_EQ(first[0].transfers.received, 1u);
  EXPECT_EQ(first[0].transfers.messages, 0u);
  EXPECT_DOUBLE_EQ(first[0].busy.at(0) + first[1].busy.at(0), 12);
  // Written through, what is away from home goes back at once, and the next begins later.
  const auto through = runOn(two, twoNodes, Rival::WriteThrough, 0);
  EXPECT_GE(through[0].seconds, back[0].seconds);
  EXPECT_GE(through[0].transfers.messages + through[1].transfers.messages,
            back[0].transfers.messages + back[1].transfers.messages);
}

/// A tile goes from a device to one of another node: out, over the network, in.
TEST_F(Rivals, DevicesOfTwoNodesReachEachOtherByTheirHosts) {
  const auto back = runOn(Distribution::blockCyclic(1, 2), fork, Rival::WriteBack, 1);
  std::uint64_t in = 0, out = 0, sent = 0, received = 0, tasks = 0;
  for (const runtime::Statistics &node : back) {
    in += node.devices.at(0).in.copies;
    out += node.devices.at(0).out.copies;
    sent += node.transfers.messages;
    received += node.transfers.received;
    tasks += node.devices.at(0).tasks;
  }
  EXPECT_EQ(tasks, 3u);
  EXPECT_EQ(sent, received);
  EXPECT_GE(sent, 1u);
  EXPECT_GE(in, 2u);
  EXPECT_GE(out, 1u);
  EXPECT_EQ(back[0].seconds, back[1].seconds);
}

/// Whoever is free takes a task, wherever its tiles are; by earliest finish it stays where they are.
TEST_F(Rivals, CopiesAreCountedOrNot) {
  const runtime::Statistics back = run(fork, Rival::WriteBack, 2), first = run(fork, Rival::EarliestFinish, 2);
  EXPECT_EQ(back.devices[0].tasks + back.devices[1].tasks, 3u);
  EXPECT_EQ(back.devices[0].in.copies + back.devices[1].in.copies, 2u);
  EXPECT_DOUBLE_EQ(back.seconds, 2 + 2 + 1 + 1); // to the other device by the host; then home
  EXPECT_EQ(first.devices[0].in.copies + first.devices[1].in.copies, 1u);
  EXPECT_DOUBLE_EQ(first.seconds, 2 + 2 + 3);
}

TEST_F(Rivals, DevicesShareTheBus) {
  bus_ = tileBytes / 2;
  EXPECT_DOUBLE_EQ(run(chain, Rival::WriteThrough, 1).seconds, 2 + 3 * 3);
}

TEST_F(Rivals, CoresAloneAndNothingToDo) {
  EXPECT_DOUBLE_EQ(run(chain, Rival::WriteBack, 0).seconds, 300);
  EXPECT_DOUBLE_EQ(run([](Generator &, const Arguments &) {}, Rival::EarliestFinish, 1).seconds, 0);
}

TEST_F(Rivals, NamesAndSlices) {
  for (const Rival rival : {Rival::WriteThrough, Rival::WriteBack, Rival::EarliestFinish})
    EXPECT_EQ(rivalNamed(rivalName(rival)), rival);
  EXPECT_FALSE(rivalNamed("static").has_value());
  const runtime::Algorithm sliced = test::slicedCholesky<double>(2);
  const runtime::Values values{0, 30, 0, nullptr};
  const runtime::DeviceShares shares;
  const runtime::VirtualHardware machine;
  EXPECT_NE(test::usageError([&] {
              runAsRival({.algorithm = sliced,
                          .values = values,
                          .scalars = {},
                          .nb = 10,
                          .cut = {},
                          .shares = shares,
                          .machine = machine},
                         Rival::WriteBack, Distribution(), {});
            }).find("compile cholesky without --split"),
            std::string::npos);
}

} // namespace
} // namespace tla::host
