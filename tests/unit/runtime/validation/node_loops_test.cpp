// Loops of nodes that are right pass, and each way of being wrong is found.
#include "runtime/distribution/distribution.hpp"

#include "runtime/interfaces/validation.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;

namespace {

const TaskClass begin{"begin", "loops.tla:1", [](const TaskView &) { return 0; }, nullptr},
    spread{"spread", "loops.tla:2", [](const TaskView &) { return 0; }, nullptr};

enum class Defect { None, LeavesOut, Twice, NoSend, OtherOrder, OtherPriority, OtherIndex, Endless, OnlyLarge };
Defect defect = Defect::None;

/// A(0, 0) and A(1, 0) are written, then each column j > 0 reads both. On two nodes, columns in turn.
void appendBegin(Generator &tasks, TileTable &A, int row) {
  const TileAccess accesses[] = {{&A, row, 0, Access::ReadWrite}};
  tasks.append({begin, 0, nullptr, 0, accesses, 1});
}
void appendSpread(Generator &tasks, TileTable &A, int column, int priority, int index) {
  const TileAccess accesses[] = {
      {&A, 0, column, Access::ReadWrite}, {&A, 0, 0, Access::Read}, {&A, 1, 0, Access::Read}};
  tasks.append({spread, priority, &index, 1, accesses, 3});
}

bool isWhole(const Storage &A) { return A.mt() >= 2 && A.nt() > 0; }

void generate(Generator &tasks, const Arguments &arguments) {
  Storage &A = *arguments.matrices[0];
  TileTable &table = tasks.matrix(A, "A");
  if (!isWhole(A))
    return;
  appendBegin(tasks, table, 0);
  appendBegin(tasks, table, 1);
  for (int j = 1; j < A.nt(); ++j)
    appendSpread(tasks, table, j, -j, j);
}

void generateNode(Generator &tasks, const Arguments &arguments, int, int y) {
  Storage &A = *arguments.matrices[0];
  TileTable &table = tasks.matrix(A, "A");
  if (!isWhole(A))
    return;
  while (defect == Defect::Endless)
    appendBegin(tasks, table, 0);
  if (y == 0) {
    appendBegin(tasks, table, 0);
    appendBegin(tasks, table, 1);
    if (defect == Defect::Twice)
      appendBegin(tasks, table, 1);
  }
  for (int j = 1; j < A.nt(); ++j) {
    if (j == 1) {
      const int first = y == 0 && defect == Defect::OtherOrder ? 1 : 0;
      for (const int row : {first, 1 - first})
        if (y == 1)
          tasks.receive(table, row, 0, Region::Full, 0);
        else if (defect != Defect::NoSend)
          tasks.send(table, row, 0, Region::Full, 1);
    }
    const bool isLast = j == A.nt() - 1;
    if (j % 2 != y || (defect == Defect::LeavesOut && isLast) || (defect == Defect::OnlyLarge && isLast && j == 5))
      continue;
    appendSpread(tasks, table, j, defect == Defect::OtherPriority ? j : -j, defect == Defect::OtherIndex ? 0 : j);
  }
}

const MatrixParameter matrices[] = {{"A", Shape::General, ElementType::D, [](const Values &values) { return values.m; },
                                     [](const Values &values) { return values.n; }, "m x n", "", nullptr, 0, true}};

Algorithm algorithm() {
  Algorithm result{};
  result.name = "loops";
  result.matrices = matrices;
  result.matrixCount = 1;
  result.sizes = "mn";
  result.generate = generate;
  result.distribution = "2dbc:1x2";
  result.generateNode = generateNode;
  return result;
}

std::string differenceWith(Defect which) {
  defect = which;
  return validateNodeLoops(algorithm(), Distribution::blockCyclic(1, 2)).value_or("none");
}

TEST(NodeLoops, ThatAreRightPass) { EXPECT_EQ(differenceWith(Defect::None), "none"); }

TEST(NodeLoops, ThatDifferAreFoundAtTheSmallestCall) {
  EXPECT_EQ(
      differenceWith(Defect::Twice),
      "m = 7, n = 1, nb = 4: node 0 of 2dbc:1x2: its loops have 'begin (loops.tla:1) on A(1, 0)', the program has "
      "nothing");
  EXPECT_NE(differenceWith(Defect::LeavesOut).find("its loops have nothing, the program has 'spread"),
            std::string::npos);
  EXPECT_NE(differenceWith(Defect::NoSend).find("the program has 'send A(0, 0) to 1'"), std::string::npos);
  EXPECT_NE(differenceWith(Defect::OtherPriority), "none");
  EXPECT_NE(differenceWith(Defect::OtherIndex), "none");
  EXPECT_NE(differenceWith(Defect::OnlyLarge), "none");
}

TEST(NodeLoops, BothEndsOfAPairHaveTheSameMessagesInTheSameOrder) {
  EXPECT_NE(differenceWith(Defect::OtherOrder)
                .find("message 0 to node 1 is 'send A(1, 0) to 1' here and 'receive A(0, "
                      "0) from 0' there"),
            std::string::npos);
}

/// A(0, j) is written, on the node of column j mod 40; one node does nothing.
constexpr int columnsOfNodes = 40;
int idleNode = -1;
void generateColumns(Generator &tasks, const Arguments &arguments, int first, int step) {
  Storage &A = *arguments.matrices[0];
  TileTable &table = tasks.matrix(A, "A");
  for (int j = first; A.mt() > 0 && j < A.nt(); j += step) {
    const TileAccess accesses[] = {{&table, 0, j, Access::ReadWrite}};
    tasks.append({begin, 0, nullptr, 0, accesses, 1});
  }
}

TEST(NodeLoops, OfLargeGridsAreTriedWhereTheyHaveTiles) {
  Algorithm columns = algorithm();
  columns.distribution = "2dbc:1x40";
  columns.generate = [](Generator &tasks, const Arguments &arguments) { generateColumns(tasks, arguments, 0, 1); };
  columns.generateNode = [](Generator &tasks, const Arguments &arguments, int, int y) {
    if (y != idleNode)
      generateColumns(tasks, arguments, y, columnsOfNodes);
  };
  for (const int idle : {-1, 5, 16, 32}) {
    idleNode = idle;
    EXPECT_EQ(validateNodeLoops(columns, Distribution::blockCyclic(1, columnsOfNodes)).has_value(), idle >= 0) << idle;
  }
}

TEST(NodeLoops, ThatDoNotEndAreFound) {
  EXPECT_NE(differenceWith(Defect::Endless).find("its loops do not end"), std::string::npos);
}

} // namespace
