// What is predicted is what a run does: messages and bytes exactly, memory as a bound.
#include "tests/unit/runtime/core/random_program.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include "runtime/interfaces/cost.hpp"
#include "runtime/interfaces/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
std::vector<Outcome> runOnRanks(const Program &program, const Distribution &distribution, int window, int threads,
                                std::size_t lookahead = Options::usualLookahead) {
  Ranks ranks(distribution.nodes(), {.threads = threads, .window = window, .lookaheadBytes = lookahead},
              {.delay = std::chrono::microseconds(window == 5 ? 100 : 0), .seed = 7});
  return ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    ProgramData data(program, false);
    data.keepTilesOf(distribution, rank);
    return executor.run([&](Generator &generator) { generate(program, data, generator); });
  });
}

Cost predict(const Program &program, const Distribution &distribution, int window,
             std::size_t lookahead = Options::usualLookahead) {
  ProgramData data(program, false);
  return predictCost([&](Generator &generator) { generate(program, data, generator); }, distribution,
                     {.window = window, .lookaheadBytes = lookahead});
}

class CostOfRandomPrograms : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(CostOfRandomPrograms, IsWhatARunDoes) {
  const auto [ranks, threads] = GetParam();
  std::uint64_t messages = 0, peaks = 0, temporary = 0, said = 0;
  for (const int window : {1, 5, 40, 8192})
    for (int seed = 0; seed < seeds(25); ++seed) {
      // The smallest bound on what is behind is that of a run without tasks behind: no wait may last for ever.
      const std::size_t lookahead = seed % 3 == 0 ? Options::usualLookahead : seed % 3 == 1 ? 0 : 1000;
      SCOPED_TRACE("seed " + std::to_string(seed) + " window " + std::to_string(window));
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      const Distribution distribution = randomTable(ranks, seed);
      const Cost cost = predict(program, distribution, window, lookahead);
      const std::vector<Outcome> outcomes = runOnRanks(program, distribution, window, threads, lookahead);
      for (int rank = 0; rank < ranks; ++rank) {
        const Statistics &run = outcomes[rank].statistics;
        const NodeCost &predicted = cost.nodes[rank];
        ASSERT_EQ(outcomes[rank].kind, Outcome::Kind::Finished) << outcomes[rank].message;
        EXPECT_EQ(predicted.tasks, run.tasks);
        EXPECT_EQ(predicted.flops, run.flops);
        EXPECT_EQ(predicted.transfers.messages, run.transfers.messages);
        EXPECT_EQ(predicted.transfers.bytes, run.transfers.bytes);
        EXPECT_EQ(predicted.transfers.received, run.transfers.received);
        EXPECT_EQ(predicted.transfers.receivedBytes, run.transfers.receivedBytes);
        EXPECT_GE(predicted.foreignBytes, run.foreignBytes);
        EXPECT_GE(predicted.temporaryBytes + predicted.renamedBytes, run.temporaryBytes);
        EXPECT_GE(predicted.temporaryBytes, predicted.leastTemporaryBytes);
        EXPECT_GE(predicted.renamedBytes, run.renameBytes);
        temporary += lookahead == 0 ? run.temporaryBytes : 0;
        said += lookahead == 0 ? predicted.temporaryBytes : 0;
        messages += run.transfers.messages;
        peaks += run.foreignBytes;
      }
      EXPECT_EQ(cost.total().tasks, program.tasks.size());
    }
  EXPECT_GT(messages, 0u);
  EXPECT_GT(peaks, 0u);
  EXPECT_LE(static_cast<double>(said), 1.5 * static_cast<double>(temporary));
}

INSTANTIATE_TEST_SUITE_P(Ranks, CostOfRandomPrograms,
                         testing::Values(std::pair(2, 1), std::pair(3, 2), std::pair(5, 1)), [](const auto &info) {
                           return std::to_string(info.param.first) + "x" + std::to_string(info.param.second);
                         });

/// The longest path through the graph that recordTasks() stores, in tasks.
std::uint64_t longestPath(const Algorithm &algorithm, const Arguments &arguments) {
  const TaskGraph graph = recordTasks(algorithm, arguments);
  std::vector<std::uint64_t> length(graph.tasks.size());
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const std::size_t end =
        t + 1 < graph.tasks.size() ? graph.tasks[t + 1].firstPredecessor : graph.predecessors.size();
    for (std::size_t p = graph.tasks[t].firstPredecessor; p < end; ++p)
      length[t] = std::max(length[t], length[graph.predecessors[p]]);
    ++length[t];
  }
  return length.empty() ? 0 : *std::max_element(length.begin(), length.end());
}

const Program *graphProgram;
ProgramData *graphData;

TEST(CriticalPath, IsThatOfTheTaskGraph) {
  Algorithm algorithm{};
  algorithm.generate = [](Generator &generator, const Arguments &) { generate(*graphProgram, *graphData, generator); };
  for (int seed = 0; seed < seeds(50); ++seed) {
    const Program program = makeProgram(seed, 10 + seed % 5 * 40);
    ProgramData data(program, false);
    graphProgram = &program;
    graphData = &data;
    const Cost cost = predict(program, Distribution(), 1);
    EXPECT_EQ(cost.criticalPathTasks, longestPath(algorithm, {}));
    EXPECT_EQ(cost.criticalPathFlops, 2.0 * cost.criticalPathTasks); // each task says 2
    EXPECT_EQ(cost.total().transfers.messages, 0u);
    EXPECT_EQ(cost.total().foreignBytes, 0u);
  }
}

const TaskClass touch{"touch", "cost_test.cpp:1", [](const TaskView &) { return 0; }, nullptr};

/// Node 1 reads the tiles A(0, 0) ... A(0, columns - 1) of node 0, each `uses` times, and writes its own A(1, 0).
Cost costOfReads(int columns, int uses, int window) {
  Storage A(2, columns, 1, 1, 64, Shape::General);
  return predictCost(
      [&](Generator &generator) {
        TileTable &table = generator.matrix(A, "A");
        for (int j = 0; j < columns; ++j)
          for (int use = 0; use < uses; ++use) {
            const TileAccess accesses[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, j, Access::Read}};
            generator.append({touch, 0, nullptr, 0, accesses, 2});
          }
      },
      Distribution::blockCyclic(2, 1), {.window = window});
}

TEST(MemoryBound, IsWhatIsOpenAndWhatTheWindowHolds) {
  EXPECT_EQ(costOfReads(10, 3, 1).nodes[1].foreignBytes, 2 * 64u); // the next one beside the one last used
  EXPECT_EQ(costOfReads(10, 3, 4).nodes[1].foreignBytes, 5 * 64u);
  EXPECT_EQ(costOfReads(10, 3, 100).nodes[1].foreignBytes, 10 * 64u); // no more than there are
  EXPECT_EQ(costOfReads(10, 3, 100).nodes[0].foreignBytes, 0u);
}

TEST(MemoryBound, CountsWhatStaysOpen) {
  Storage A(2, 10, 1, 1, 64, Shape::General);
  const Cost cost = predictCost(
      [&](Generator &generator) {
        TileTable &table = generator.matrix(A, "A");
        for (int round = 0; round < 2; ++round)
          for (int j = 0; j < 10; ++j) {
            const TileAccess accesses[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, j, Access::Read}};
            generator.append({touch, 0, nullptr, 0, accesses, 2});
          }
      },
      Distribution::blockCyclic(2, 1), {.window = 1});
  EXPECT_EQ(cost.nodes[1].foreignBytes, 10 * 64u);
  EXPECT_EQ(cost.total().transfers.messages, 10u);
}

/// Node 1 reads one half, or first one and then the other, of the tiles of row 0.
std::uint64_t memoryOfHalves(bool both) {
  Storage A(2, 10, 1, 1, 64, Shape::General);
  const Cost cost = predictCost(
      [&](Generator &generator) {
        TileTable &table = generator.matrix(A, "A", true);
        for (int j = 0; j < 10; ++j)
          for (const Region region : {Region::Lower, both ? Region::Upper : Region::Lower}) {
            const TileAccess accesses[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, j, Access::Read, region}};
            generator.append({touch, 0, nullptr, 0, accesses, 2});
          }
      },
      Distribution::blockCyclic(2, 1), {.window = 1});
  return cost.nodes[1].foreignBytes;
}

TEST(MemoryBound, KeepsATileWhileAHalfIsInUse) {
  constexpr std::uint64_t tile = 64 + 8;      // the number of its users stands behind it
  EXPECT_EQ(memoryOfHalves(false), 2 * tile); // a half that nobody uses keeps nothing
  EXPECT_EQ(memoryOfHalves(true), 2 * tile);
}

/// Each node writes the tiles W(rank, 0), ..., W(rank, columns - 1) of a workspace, reads each once behind the next
/// one, and releases those with odd numbers itself.
void generateSteps(Generator &generator, Storage &A, Storage &W, int nodes, int columns) {
  TileTable &table = generator.matrix(A, "A"), &steps = generator.workspace(W, "W");
  for (int rank = 0; rank < nodes; ++rank)
    for (int j = 0; j <= columns; ++j) {
      const TileAccess write{&steps, rank, j, Access::Write};
      if (j < columns)
        generator.append({touch, 0, nullptr, 0, &write, 1});
      const TileAccess read[] = {{&table, rank, 0, Access::ReadWrite}, {&steps, rank, j - 1, Access::Read}};
      if (j > 0)
        generator.append({touch, 0, nullptr, 0, read, 2});
      if (j > 0 && j % 2 == 0)
        generator.release(steps, rank, j - 1);
    }
}

/// The cost of generateSteps(), and what a run's ranks took of it.
std::pair<Cost, std::vector<Outcome>> stepsOn(int nodes, std::size_t lookahead) {
  constexpr int columns = 10;
  const Distribution distribution = Distribution::blockCyclic(nodes, 1);
  const auto generateInto = [&](Generator &generator, Storage &A) {
    const StorageRef W(Storage::makeWorkspace(nodes, columns, 1, 1, 64));
    generator.keep(W);
    generateSteps(generator, A, *W, nodes, columns);
  };
  Storage dry(nodes, 1, 1, 1, 64, Shape::General);
  Cost cost = predictCost([&](Generator &generator) { generateInto(generator, dry); }, distribution,
                          {.lookaheadBytes = lookahead});
  Ranks ranks(nodes, {.threads = 1, .lookaheadBytes = lookahead});
  return {std::move(cost), ranks.run([&](int rank, Executor &executor) {
            executor.distribute(distribution);
            Storage A(nodes, 1, 1, 1, 64, Shape::General);
            A.allocate();
            for (int i = 0; i < nodes; ++i)
              if (i != rank)
                A.setTile(i, 0, nullptr);
            return executor.run([&](Generator &generator) { generateInto(generator, A); });
          })};
}

TEST(MemoryBound, WorkspacesGoBehindTheirLastUse) {
  const auto [cost, outcomes] = stepsOn(2, 0);
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(outcomes[rank].kind, Outcome::Kind::Finished) << outcomes[rank].message;
    EXPECT_EQ(cost.nodes[rank].leastTemporaryBytes, 2 * 64u); // the next one beside the one that is read
    EXPECT_EQ(cost.nodes[rank].temporaryBytes, 2 * 64u);
    EXPECT_EQ(outcomes[rank].statistics.temporaryBytes, 2 * 64u);
    EXPECT_EQ(cost.nodes[rank].ownedBytes, 64u);
  }
}

TEST(MemoryBound, FarAheadItIsWhatTheWindowHolds) {
  const auto [cost, outcomes] = stepsOn(2, Options::usualLookahead);
  EXPECT_EQ(cost.nodes[1].leastTemporaryBytes, 2 * 64u);
  EXPECT_EQ(cost.nodes[1].temporaryBytes, 10 * 64u);
  EXPECT_LE(outcomes[1].statistics.temporaryBytes, 10 * 64u);
}

std::atomic<bool> othersDone;
const TaskClass waitForOthers{"wait", "cost_test.cpp:2",
                              [](const TaskView &) {
                                othersDone.wait(false);
                                return 0;
                              },
                              nullptr},
    tellDone{"tell", "cost_test.cpp:3",
             [](const TaskView &) {
               othersDone = true;
               othersDone.notify_all();
               return 0;
             },
             nullptr};

/// Two tasks of node 1 wait for a late tile of node 0, each with another tile of node 0, and many tasks between them do
/// not: the window holds both, however far apart they are.
void generateFarApart(Generator &generator, Storage &A) {
  TileTable &table = generator.matrix(A, "A");
  const TileAccess late{&table, 0, 0, Access::Write};
  generator.append({waitForOthers, 0, nullptr, 0, &late, 1});
  for (int j = 1; j <= 2; ++j) {
    const TileAccess waiting[] = {
        {&table, 1, j, Access::ReadWrite}, {&table, 0, 0, Access::Read}, {&table, 0, j, Access::Read}};
    generator.append({touch, 0, nullptr, 0, waiting, 3});
    const TileAccess between{&table, 1, 0, Access::ReadWrite};
    for (int filler = 0; filler < 20; ++filler)
      generator.append({j == 2 && filler == 19 ? tellDone : touch, 0, nullptr, 0, &between, 1});
  }
}

TEST(MemoryBound, HoldsForTasksFarApart) {
  constexpr int window = 4;
  const Distribution distribution = Distribution::blockCyclic(2, 1);
  Storage dry(2, 3, 1, 1, 64, Shape::General);
  const Cost cost =
      predictCost([&](Generator &generator) { generateFarApart(generator, dry); }, distribution, {.window = window});
  Ranks ranks(2, {.threads = 1, .window = window});
  othersDone = false;
  const std::vector<Outcome> outcomes = ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    Storage A(2, 3, 1, 1, 64, Shape::General);
    A.allocate();
    for (int j = 0; j < 3; ++j)
      A.setTile(1 - rank, j, nullptr);
    return executor.run([&](Generator &generator) { generateFarApart(generator, A); });
  });
  EXPECT_EQ(outcomes[1].kind, Outcome::Kind::Finished) << outcomes[1].message;
  EXPECT_EQ(outcomes[1].statistics.foreignBytes, 3 * 64u); // any four instances in a row name two
  EXPECT_GE(cost.nodes[1].foreignBytes, outcomes[1].statistics.foreignBytes);
}

TEST(Cost, CountsTilesAndBytesOfOwners) {
  Storage L(7, 7, 3, 3, sizeof(double), Shape::Lower); // tiles of 3, 3, 1
  const Cost cost =
      predictCost([&](Generator &generator) { generator.matrix(L, "L"); }, Distribution::blockCyclic(2, 1));
  EXPECT_EQ(cost.storedTiles, 6u);
  EXPECT_EQ(cost.nodes[0].ownedBytes, (9 + 3 + 3 + 1) * sizeof(double));
  EXPECT_EQ(cost.nodes[1].ownedBytes, (9 + 9) * sizeof(double));
}

const TaskClass update{"update", "cost_test.cpp:5", nullptr, [](const TaskView &) { return 10.0; }},
    move{.kernel = "move", .location = "", .run = nullptr, .flops = update.flops, .memoryBound = true},
    own{.kernel = "own", .location = "", .run = nullptr, .flops = update.flops, .userKernel = true};

/// One task of each class: it reads A(0, 0), a triangle's, writes B(0, 0), and reads and writes B(1, 0).
Cost costOfClasses(std::initializer_list<const TaskClass *> classes) {
  Storage A(5, 5, 5, 5, 8, Shape::Lower), B(10, 5, 5, 5, 8, Shape::General);
  const StorageRef W(Storage::makeWorkspace(2, 1, 5, 5, 8));
  return predictCost(
      [&](Generator &generator) {
        TileTable &a = generator.matrix(A, "A"), &b = generator.matrix(B, "B"), &w = generator.workspace(*W, "W");
        for (const TaskClass *const each : classes) {
          const TileAccess accesses[] = {{&b, 0, 0, Access::Write},
                                         {&b, 1, 0, Access::ReadWrite},
                                         {&a, 0, 0, Access::Read},
                                         {&w, 0, 0, Access::ReadWrite}};
          generator.append({*each, 0, nullptr, 0, accesses, 4});
        }
      },
      Distribution());
}

TEST(Cost, CountsWhatIsReadBeforeItIsWritten) {
  const Cost cost = costOfClasses({&update, &update});
  EXPECT_EQ(cost.inputBytes, 8 * (15 + 25)); // the triangle of A, B(1, 0)
  EXPECT_EQ(cost.outputBytes, 8 * 2 * 25);
}

TEST(Cost, TellsUpdatesFromOtherOperations) {
  const Cost cost = costOfClasses({&update, &update, &move, &own});
  EXPECT_EQ(cost.nodes[0].flops, 40);
  EXPECT_EQ(cost.nodes[0].updateFlops, 20);
  EXPECT_EQ(cost.total().updateFlops, 20);
  EXPECT_EQ(cost.userFlops, 10);
}

TEST(Cost, RefusesTilesOutsideTheMatrix) {
  Storage A(2, 2, 1, 1, 8, Shape::General);
  const auto outside = [&](Generator &generator) {
    const TileAccess access{&generator.matrix(A, "A"), 0, 2, Access::Write};
    generator.append({touch, 0, nullptr, 0, &access, 1});
  };
  EXPECT_THROW(predictCost(outside, Distribution::blockCyclic(2, 1)), Error);
}
} // namespace
