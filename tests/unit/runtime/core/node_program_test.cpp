// One node's instances, from the whole program and from loops of its own.
#include "runtime/core/passes/replay.hpp"
#include "tests/unit/runtime/core/ranks.hpp"
#include "tests/unit/runtime/core/recording_sink.hpp"

#include "runtime/interfaces/cost.hpp"

#include <gtest/gtest.h>

#include <atomic>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
using Lines = std::vector<std::string>;

const TaskClass make{"make", "node_program_test.cpp:1", [](const TaskView &) { return 0; }, nullptr},
    use{"use", "node_program_test.cpp:2", [](const TaskView &) { return 0; }, nullptr};

/// Tiles A(0, j) live on node 0, A(1, j) on node 1.
const Distribution rows = Distribution::blockCyclic(2, 1);

Lines instancesOf(const NodeProgram &program, int self) {
  RecordingSink sink(rows);
  generateInstances(program, rows, self, sink);
  return sink.lines;
}

TEST(NodeProgram, ReleasesDirectlyBehindTheLastUse) {
  Storage A(2, 2, 1, 1, 8, Shape::General);
  const auto generate = [&](Generator &generator) {
    TileTable &table = generator.matrix(A, "A");
    const TileAccess made{&table, 0, 0, Access::Write};
    const TileAccess first[] = {{&table, 1, 0, Access::Write}, {&table, 0, 0, Access::Read}};
    const TileAccess both[] = {
        {&table, 1, 1, Access::Write}, {&table, 0, 0, Access::Read}, {&table, 0, 0, Access::Read}};
    const TileAccess none{&table, 1, 1, Access::ReadWrite};
    for (int version = 0; version < 2; ++version) {
      generator.append({make, 0, nullptr, 0, &made, 1});
      generator.append({use, 0, nullptr, 0, first, 2});
      generator.append({use, 0, nullptr, 0, both, 3});
      generator.append({use, 0, nullptr, 0, &none, 1});
    }
  };
  const Lines once{"receive A(0, 0) from 0", "use A(1, 0) A(0, 0)", "use A(1, 1) A(0, 0) A(0, 0)", "release A(0, 0)",
                   "use A(1, 1)"};
  Lines twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(instancesOf(replay(generate, rows, 1), 1), twice);
  EXPECT_EQ(instancesOf(replay(generate, rows, 0), 0),
            (Lines{"make A(0, 0)", "send A(0, 0) to 1", "make A(0, 0)", "send A(0, 0) to 1"}));
}

TEST(NodeProgram, ReleasesWhatItSendsHome) {
  Storage A(2, 1, 1, 1, 8, Shape::General);
  const auto generate = [&](Generator &generator) {
    TileTable &table = generator.matrix(A, "A", true);
    const TileAccess accesses[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, 0, Access::Write, Region::Upper}};
    generator.append({use, 0, nullptr, 0, accesses, 2});
  };
  EXPECT_EQ(instancesOf(replay(generate, rows, 1), 1),
            (Lines{"use A(1, 0) upper A(0, 0)", "send upper A(0, 0) to 0", "release upper A(0, 0)"}));
  EXPECT_EQ(instancesOf(replay(generate, rows, 0), 0), (Lines{"receive upper A(0, 0) from 1"}));
}

TEST(NodeProgram, KeepsTheProgramsReleasesAtHome) {
  StorageRef W(Storage::makeWorkspace(2, 1, 1, 1, 8));
  const auto generate = [&](Generator &generator) {
    TileTable &table = generator.workspace(*W, "W");
    for (int row = 0; row < 2; ++row) {
      const TileAccess made{&table, row, 0, Access::Write};
      generator.append({make, 0, nullptr, 0, &made, 1});
    }
    for (int row = 0; row < 2; ++row)
      generator.release(table, row, 0);
  };
  for (int self = 0; self < 2; ++self) {
    const std::string tile = "W(" + std::to_string(self) + ", 0)";
    EXPECT_EQ(instancesOf(replay(generate, rows, self), self), (Lines{"make " + tile, "release " + tile}));
  }
}

/// A(1, 0) is made from A(0, 0). The loops of nodes say so, and in a pass that is turned off nothing.
std::atomic<int> callsOfSender, silentCall;
void oneMessage(Generator &generator, const Arguments &arguments, int x, int) {
  TileTable &table = generator.matrix(*arguments.matrices[0], "A");
  const bool silent = x == 0 ? ++callsOfSender == silentCall : false;
  if (x == 0 && !silent)
    generator.send(table, 0, 0, Region::Full, 1);
  if (x == 1) {
    generator.receive(table, 0, 0, Region::Full, 0);
    const TileAccess accesses[] = {{&table, 1, 0, Access::Write}, {&table, 0, 0, Access::Read}};
    generator.append({use, 0, nullptr, 0, accesses, 2});
  }
}

Algorithm oneMessageAlgorithm() {
  Algorithm algorithm{};
  algorithm.generate = [](Generator &generator, const Arguments &arguments) {
    TileTable &table = generator.matrix(*arguments.matrices[0], "A");
    const TileAccess accesses[] = {{&table, 1, 0, Access::Write}, {&table, 0, 0, Access::Read}};
    generator.append({use, 0, nullptr, 0, accesses, 2});
  };
  algorithm.distribution = "2dbc:2x1";
  algorithm.generateNode = oneMessage;
  return algorithm;
}

std::vector<Outcome> runOneMessage() {
  static const Algorithm algorithm = [] {
    static const MatrixParameter parameter{"A",
                                           Shape::General,
                                           ElementType::D,
                                           [](const Values &) { return 2L; },
                                           [](const Values &) { return 1L; },
                                           "2 x 1",
                                           "",
                                           nullptr,
                                           0,
                                           true};
    Algorithm result = oneMessageAlgorithm();
    result.matrices = &parameter;
    result.matrixCount = 1;
    return result;
  }();
  callsOfSender = 0;
  Ranks ranks(2, {.threads = 1, .watchdogSeconds = 1});
  return ranks.run([&](int rank, Executor &executor) {
    executor.distribute(rows);
    Storage A(2, 1, 1, 1, sizeof(double), Shape::General);
    A.allocate();
    A.setTile(1 - rank, 0, nullptr);
    Storage *const matrices[] = {&A};
    return executor.run(algorithm, {matrices, nullptr});
  });
}

TEST(NodeProgram, RunsWhatItHasCounted) {
  silentCall = 0;
  const std::vector<Outcome> outcomes = runOneMessage();
  ASSERT_EQ(outcomes[0].kind, Outcome::Kind::Finished) << outcomes[0].message;
  EXPECT_EQ(outcomes[0].statistics.expected.messages, 1u);
  EXPECT_EQ(outcomes[0].statistics.expected.bytes, sizeof(double));
  EXPECT_EQ(outcomes[1].statistics.expected.receivedBytes, sizeof(double));
  EXPECT_EQ(outcomes[1].statistics.transfers.received, 1u);
}

TEST(NodeProgram, ThatCountsOtherwiseThanItRunsIsAFault) {
  silentCall = 1; // the dry pass
  for (const Outcome &outcome : runOneMessage()) {
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_EQ(outcome.message, "rank 0 was to have 0 messages (0 bytes) sent, 0 (0 bytes) received, but had 1 messages "
                               "(8 bytes) sent, 0 (0 bytes) received");
  }
}

TEST(NodeProgram, MeasuresTheLoopsOfItsNode) {
  Algorithm algorithm = oneMessageAlgorithm();
  silentCall = 0;
  Storage A(2, 1, 1, 1, sizeof(double), Shape::General);
  Storage *const matrices[] = {&A};
  const GenerationCost loops = measureGeneration(algorithm, {matrices, nullptr}, rows, 1);
  EXPECT_TRUE(loops.byNodeLoops);
  EXPECT_EQ(loops.visited, 2u);
  algorithm.generateNode = nullptr;
  const GenerationCost whole = measureGeneration(algorithm, {matrices, nullptr}, rows, 1);
  EXPECT_FALSE(whole.byNodeLoops);
  EXPECT_EQ(whole.visited, 1u);
  for (const GenerationCost &cost : {loops, whole}) {
    EXPECT_EQ(cost.tasks, 1u);
    EXPECT_EQ(cost.sends, 0u);
    EXPECT_EQ(cost.receives, 1u);
  }
}
} // namespace
