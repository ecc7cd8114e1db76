// HETC_DEBUG: one task at a time, in the program's order, on guarded tiles.
#include "dsl/base/debugging.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

/// Sets the variable, for as long as it lives.
struct Debugging {
  Debugging() { ::setenv(debugVariable, "1", 1); }
  ~Debugging() { ::unsetenv(debugVariable); }
};

/// The kernels' work on their tiles: the one they write, and the one they only read.
std::function<void(Tile<double>, ConstTile<double>)> body;

int callBody(const TaskView &task) {
  body(task.tile<double>(0), task.tile<double>(1));
  return 0;
}
const TaskClass act{
    .kernel = "act", .location = "debugging_test.cpp:1", .run = callBody, .flops = nullptr, .userKernel = true};

/// The tiles (0, 0) and (1, 0) of a matrix in an array with rows below and between them; 3 and 2 rows, 4 columns.
struct TwoTiles {
  TwoTiles() : storage(5, 4, 3, 4, sizeof(double), Shape::General) {
    storage.wrap(memory.data(), ld);
    for (std::size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<double>(i);
  }
  static constexpr int ld = 7;
  std::vector<double> memory = std::vector<double>(ld * 4);
  Storage storage;
};

Outcome run(TwoTiles &matrix, int tasks = 1) {
  Executor executor(Options{.threads = 2});
  return executor.run([&](Generator &generator) {
    TileTable &A = generator.matrix(matrix.storage, "A");
    const TileAccess accesses[] = {{&A, 1, 0, Access::ReadWrite}, {&A, 0, 0, Access::Read}};
    for (int t = 0; t < tasks; ++t)
      generator.append({act, t, nullptr, 0, accesses, 2});
  });
}

TEST(Debugging, KernelsSeeTheirTilesAndWhatTheyWriteArrives) {
  const Debugging debugging;
  TwoTiles matrix;
  const std::vector<double> before = matrix.memory;
  body = [](Tile<double> A, ConstTile<double> B) {
    EXPECT_EQ(A.m(), 2);
    EXPECT_EQ(B.m(), 3);
    EXPECT_TRUE(std::isnan(A.data()[A.m()]));
    EXPECT_TRUE(std::isnan(B.data()[-1]));
    EXPECT_TRUE(std::isnan(B.data()[B.n() * B.ld()]));
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 2; ++i)
        A(i, j) += 100 * B(i, j);
  };
  EXPECT_EQ(run(matrix).kind, Outcome::Kind::Finished);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < TwoTiles::ld; ++i) {
      const bool isWritten = i == 3 || i == 4;
      const int at = i + j * TwoTiles::ld;
      EXPECT_EQ(matrix.memory[at], before[at] + (isWritten ? 100 * before[at - 3] : 0));
    }
}

/// Hosts' tasks fill matrices behind the runtime's back.
TEST(Debugging, OtherTasksGoToTheTilesThemselves) {
  const Debugging debugging;
  TwoTiles matrix;
  static TwoTiles *behind = &matrix;
  const TaskClass host{"host", "debugging_test.cpp:2",
                       [](const TaskView &) {
                         behind->memory[3] = -1;
                         return 0;
                       },
                       nullptr};
  Executor executor(Options{});
  executor.run([&](Generator &generator) {
    const TileAccess access{&generator.matrix(matrix.storage, "A"), 1, 0, Access::ReadWrite};
    generator.append({host, 0, nullptr, 0, &access, 1});
  });
  EXPECT_EQ(matrix.memory[3], -1);
}

TEST(Debugging, OneTaskAtATime) {
  const Debugging debugging;
  TwoTiles matrix;
  body = [](Tile<double>, ConstTile<double>) {};
  const Outcome outcome = run(matrix, 20);
  EXPECT_EQ(outcome.statistics.peakTasks, 1u);
  EXPECT_EQ(outcome.statistics.busy.size(), 1u);
}

std::string damage(const std::function<void(Tile<double>, ConstTile<double>)> &mistake) {
  const Debugging debugging;
  TwoTiles matrix;
  body = mistake;
  const Outcome outcome = run(matrix);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome.kernel, "act");
  return outcome.message;
}

TEST(Debugging, WhatIsWrittenOutsideIsFound) {
  const auto outside = [](const char *element) {
    return std::string("the kernel writes element ") + element +
           ", which is outside the 2 x 4 elements of tile A(1, 0)";
  };
  EXPECT_EQ(damage([](Tile<double> A, ConstTile<double>) { A.data()[2 + 3 * A.ld()] = 1; }), outside("(2, 3)"));
  EXPECT_EQ(damage([](Tile<double> A, ConstTile<double>) { A.data()[2] = 1; }), outside("(2, 0)"));
  EXPECT_EQ(damage([](Tile<double> A, ConstTile<double>) { A.data()[-1] = 1; }), outside("(-1, 0)"));
  EXPECT_EQ(damage([](Tile<double> A, ConstTile<double>) { A.data()[4 * A.ld()] = 1; }), outside("(0, 4)"));
}

TEST(Debugging, SoIsWhatIsWrittenOfATileThatIsOnlyRead) {
  EXPECT_EQ(damage([](Tile<double>, ConstTile<double> B) { const_cast<double *>(B.data())[1] = 5; }),
            "the kernel writes tile A(0, 0), which it says only to read");
}

TEST(Debugging, AnElementOutsideIsNamedWithItsTile) {
  const auto mistake = [](Tile<double> A, ConstTile<double>) {
    throw OutsideElement(2, 1, A.m(), A.n(), A.data(), "mine.hpp", 7);
  };
  EXPECT_EQ(damage(mistake), "element (2, 1) is outside the 2 x 4 elements of the tile, at mine.hpp:7, of A(1, 0)");
}

TEST(Debugging, TheVariableMayBeZero) {
  ::setenv(debugVariable, "0", 1);
  EXPECT_FALSE(isDebugging());
  ::unsetenv(debugVariable);
  EXPECT_FALSE(isDebugging());
  const Debugging debugging;
  EXPECT_TRUE(isDebugging());
}

} // namespace
