// Task graphs without running them.
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/simulation.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;

namespace {
const TaskClass touch{"touch", "simulation_test.cpp:1", [](const TaskView &) { return 0; }, nullptr};

void append(Generator &generator, TileTable &table, int row, int column, Access access) {
  const TileAccess accesses[] = {{&table, row, column, access}};
  generator.append({touch, 0, nullptr, 0, accesses, 1});
}

/// The graph of `generate` on two parameters.
TaskGraph record(void (*generate)(Generator &, const Arguments &), Storage &first, Storage &second,
                 std::size_t limit = 1000) {
  Algorithm algorithm{};
  algorithm.generate = generate;
  Storage *const storages[] = {&first, &second};
  return recordTasks(algorithm, {storages, nullptr}, limit);
}

void writeReadReadWrite(Generator &generator, const Arguments &arguments) {
  TileTable &A = generator.matrix(*arguments.matrices[0], "A"), &B = generator.matrix(*arguments.matrices[1], "B");
  append(generator, A, 0, 0, Access::Write);
  append(generator, B, 0, 0, Access::Read);
  append(generator, B, 0, 0, Access::Read);
  append(generator, A, 0, 0, Access::ReadWrite);
}

TEST(Simulation, TwoParametersMayBeOneMatrix) {
  Storage X(2, 2, 1, 1, sizeof(double), Shape::General), Y(2, 2, 1, 1, sizeof(double), Shape::General);
  EXPECT_EQ(
      simulate(record(writeReadReadWrite, X, X), [](const TaskGraph::Node &task) { return 1.0 * task.accesses; }, {4}),
      3);
  EXPECT_EQ(
      simulate(record(writeReadReadWrite, X, Y), [](const TaskGraph::Node &task) { return 1.0 * task.accesses; }, {4}),
      2);
}

/// Four columns on a host of two workers and two accelerators, twice as fast: chains of three tasks.
TEST(Simulation, PlacesOfOneNode) {
  Storage A(1, 4, 1, 1, sizeof(double), Shape::General);
  Algorithm algorithm{};
  algorithm.generate = [](Generator &generator, const Arguments &arguments) {
    TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 4; ++j)
        append(generator, A, 0, j, Access::ReadWrite);
  };
  Storage *const storages[] = {&A};
  const auto seconds = [](const TaskGraph::Node &task) { return task.node ? 0.5 : 1.0; };
  const auto on = [&](std::vector<int> placeOfColumn) {
    const PlacesOfNodes places{
        3, [&](int, const TaskClass &, const TileAccess *accesses, int) { return placeOfColumn[accesses[0].column]; }};
    return simulate(recordTasks(algorithm, {storages, nullptr}, 1000, nullptr, places), seconds,
                    {.workers = 2, .places = 3, .copySeconds = 10});
  };
  EXPECT_EQ(on({0, 0, 1, 2}), 3);
  EXPECT_EQ(on({0, 0, 0, 0}), 6);
  EXPECT_EQ(on({1, 1, 2, 2}), 3);
  EXPECT_EQ(on({1, 1, 1, 1}), 6); // one worker
}

/// A chain of two tasks and one of three: on three workers the one that is idle cannot help both.
TEST(Simulation, IdleWorkersHelp) {
  Storage A(1, 2, 1, 1, sizeof(double), Shape::General);
  Algorithm algorithm{};
  algorithm.generate = [](Generator &generator, const Arguments &arguments) {
    TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2 + j; ++k)
        append(generator, A, 0, j, Access::ReadWrite);
  };
  Storage *const storages[] = {&A};
  const TaskGraph graph = recordTasks(algorithm, {storages, nullptr}, 1000);
  const auto second = [](const TaskGraph::Node &) { return 1.0; };
  const Help half = [](const TaskGraph::Node &, int idle) { return 1 + 0.5 * idle; };
  EXPECT_EQ(simulate(graph, second, {.workers = 3}), 3);
  EXPECT_NEAR(simulate(graph, second, {.workers = 2}, half), 1 + 1 + 1 / 1.5, 1e-12) << "the last is alone";
  EXPECT_NEAR(simulate(graph, second, {.workers = 1}, half), 5, 1e-12);
  EXPECT_NEAR(simulate(graph, second, {.workers = 3}, half), 1 + 1 + 1 / 2.0, 1e-12);
  EXPECT_NEAR(simulate(graph, second, {.workers = 4}, half), 1 / 1.5 + 1 / 1.5 + 1 / 2.5, 1e-12);
}

std::string errorOf(void (*generate)(Generator &, const Arguments &), Shape shape, std::size_t limit = 1000) {
  Storage X(4, 4, 1, 1, sizeof(double), shape);
  try {
    record(generate, X, X, limit);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(Simulation, RefusesWhatTheRunWouldRefuse) {
  const auto outside = [](Generator &generator, const Arguments &arguments) {
    append(generator, generator.matrix(*arguments.matrices[0], "A"), 0, 4, Access::Write);
  };
  const auto upper = [](Generator &generator, const Arguments &arguments) {
    append(generator, generator.matrix(*arguments.matrices[0], "A"), 0, 3, Access::Write);
  };
  EXPECT_EQ(errorOf(outside, Shape::General), "tile A(0, 4) is outside the 4 x 4 tiles of A");
  EXPECT_EQ(errorOf(upper, Shape::Lower), "the matrix does not store tile A(0, 3)");
  EXPECT_EQ(errorOf(upper, Shape::General), "no error");
}

TEST(Simulation, StopsAtItsLimit) {
  EXPECT_EQ(errorOf(writeReadReadWrite, Shape::General, 4), "no error");
  EXPECT_EQ(errorOf(writeReadReadWrite, Shape::General, 3), "the program has more than 3 tasks");
}

/// One second per task on two nodes of one worker, which own A's tile rows in turn; a message takes half a second.
double secondsOnTwoNodes(void (*generate)(Generator &, const Arguments &)) {
  Storage A(4, 1, 1, 1, sizeof(double), Shape::General);
  Algorithm algorithm{};
  algorithm.generate = generate;
  Storage *const storages[] = {&A};
  const Distribution distribution = Distribution::blockCyclic(2, 1);
  const TaskGraph graph = recordTasks(algorithm, {storages, nullptr}, 1000, &distribution);
  return simulate(graph, [](const TaskGraph::Node &) { return 1.0; }, {1, 2, 0.5});
}

void copy(Generator &generator, TileTable &table, int from, int to) {
  const TileAccess accesses[] = {{&table, from, 0, Access::Read}, {&table, to, 0, Access::ReadWrite}};
  generator.append({touch, 0, nullptr, 0, accesses, 2});
}

TEST(Simulation, NodesRunTheirOwnTasks) {
  EXPECT_EQ(secondsOnTwoNodes([](Generator &generator, const Arguments &arguments) {
              TileTable &A = generator.matrix(*arguments.matrices[0], "A");
              append(generator, A, 0, 0, Access::ReadWrite);
              append(generator, A, 2, 0, Access::ReadWrite);
            }),
            2)
      << "the other node must not help";
  EXPECT_EQ(secondsOnTwoNodes([](Generator &generator, const Arguments &arguments) {
              TileTable &A = generator.matrix(*arguments.matrices[0], "A");
              append(generator, A, 0, 0, Access::ReadWrite);
              append(generator, A, 1, 0, Access::ReadWrite);
            }),
            1);
}

TEST(Simulation, TilesTakeTimeBetweenNodes) {
  EXPECT_EQ(secondsOnTwoNodes([](Generator &generator, const Arguments &arguments) {
              TileTable &A = generator.matrix(*arguments.matrices[0], "A");
              append(generator, A, 0, 0, Access::ReadWrite);
              copy(generator, A, 0, 1);
              copy(generator, A, 1, 3);
            }),
            3.5);
}

TEST(Simulation, AnotherNodesReaderHasItsOwnCopy) {
  EXPECT_EQ(secondsOnTwoNodes([](Generator &generator, const Arguments &arguments) {
              TileTable &A = generator.matrix(*arguments.matrices[0], "A");
              append(generator, A, 0, 0, Access::ReadWrite);
              copy(generator, A, 0, 1);
              append(generator, A, 0, 0, Access::ReadWrite);
            }),
            2.5);
}
} // namespace
