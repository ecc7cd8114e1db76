// What run() says of tiles that are not there, or have no content.
#include "tests/unit/runtime/core/failing_tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
TEST(Failures, BadTiles) {
  Executor executor(Options{.threads = 2});
  Storage lower(4, 4, 2, 2, sizeof(double), Shape::Lower);
  lower.allocate();
  const Outcome outcome =
      executor.run([&](Generator &generator) { append(generator, generator.matrix(lower, "L"), 0, 1, Work); });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome.message, "the matrix does not store tile L(0, 1)");
}

/// All short programs on one tile of a workspace: what reads a half that nobody wrote, or that was released since, is
/// found, whatever the access is called, and nothing else is.
class Content {
public:
  /// Accesses of one task each, or of one task together; a release where `access` is none.
  struct Step {
    std::vector<std::pair<Access, Region>> accesses;
    std::optional<Region> release = {};
  };

  /// By the rule alone; empty: all is written.
  static bool isRead(const std::vector<Step> &steps, bool regions) {
    bool written[2] = {};
    const auto isIn = [&](Region region, int half) {
      return !regions || region == Region::Full || (region == Region::Lower) == (half == 0);
    };
    for (const Step &step : steps) {
      for (int half = 0; half < 2; ++half)
        for (const auto &[access, region] : step.accesses)
          if (access != Access::Write && isIn(region, half) && !written[half])
            return true;
      for (int half = 0; half < 2; ++half) {
        for (const auto &[access, region] : step.accesses)
          written[half] |= access != Access::Read && isIn(region, half);
        written[half] &= !step.release || !isIn(*step.release, half);
      }
    }
    return false;
  }

  static std::string run(Executor &executor, const std::vector<Step> &steps, bool regions) {
    Storage scratch(2, 2, 2, 2, sizeof(double), Shape::General);
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = generator.workspace(scratch, "T", regions);
      for (const Step &step : steps) {
        std::vector<TileAccess> accesses;
        for (const auto &[access, region] : step.accesses)
          accesses.push_back({&table, 0, 0, access, region});
        if (!accesses.empty())
          generator.append({nothing, 0, nullptr, 0, accesses.data(), static_cast<int>(accesses.size())});
        if (step.release)
          generator.release(table, 0, 0, *step.release);
      }
    });
    return outcome.message;
  }

private:
  static constexpr TaskClass nothing{"nothing", "failures_test.cpp:3", [](const TaskView &) { return 0; }, nullptr};
};

TEST(Failures, ReadsWithoutContent) {
  Executor executor(Options{.threads = 1});
  for (const bool regions : {false, true}) {
    const auto parts = regions ? std::vector{Region::Full, Region::Lower, Region::Upper} : std::vector{Region::Full};
    std::vector<Content::Step> steps;
    for (const Region part : parts) {
      steps.push_back({{}, part});
      for (const Access one : {Access::Read, Access::ReadWrite, Access::Write}) {
        steps.push_back({{{one, part}}});
        for (const Region other : parts)
          for (const Access another : {Access::Read, Access::ReadWrite, Access::Write})
            steps.push_back({{{one, part}, {another, other}}});
      }
    }
    for (const Content::Step &first : steps)
      for (const Content::Step &second : steps)
        for (const Content::Step &third : {steps[1], steps.back()}) {
          const std::vector<Content::Step> program = {first, second, third};
          const std::string message = Content::run(executor, program, regions);
          const bool isRead = Content::isRead(program, regions);
          EXPECT_EQ(message.find("read without content: tile T(0, 0)") == 0, isRead) << message;
          EXPECT_EQ(message.empty(), !isRead) << message;
        }
  }
}

TEST(Failures, TilesOutsideTheMatrix) {
  Executor executor(Options{.threads = 2});
  for (const bool regions : {false, true})
    for (const auto &[row, column] : {std::pair{9, 3}, std::pair{3, 8}, std::pair{-1, 0}, std::pair{0, -1}}) {
      Grid grid(8);
      const Outcome outcome = executor.run([&](Generator &generator) {
        TileTable &table = generator.matrix(grid.storage, "A", regions);
        append(generator, table, 7, 7, Work);
        append(generator, table, row, column, Work);
      });
      const std::string tile = "A(" + std::to_string(row) + ", " + std::to_string(column) + ")";
      EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
      EXPECT_EQ(outcome.message, "tile " + tile + " is outside the 8 x 8 tiles of A");
      EXPECT_EQ(outcome.kernel, "act");
      EXPECT_EQ(outcome.location, "failing_tasks.hpp:1");
    }
}

TEST(Failures, ReleaseOutsideTheMatrix) {
  Executor executor(Options{.threads = 2});
  Storage scratch(6, 4, 2, 2, sizeof(double), Shape::General);
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.workspace(scratch, "T");
    generator.release(table, 0, 2);
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome.message, "release: tile T(0, 2) is outside the 3 x 2 tiles of T");
  EXPECT_EQ(outcome.kernel, "");
}

/// A window on a LAPACK array, and a workspace, have an address or get memory for every tile: the shape decides.
TEST(Failures, TilesThatTheShapeLacks) {
  Executor executor(Options{.threads = 2});
  double array[16] = {};
  Storage lower(4, 4, 2, 2, sizeof(double), Shape::Lower), scratch(4, 4, 2, 2, sizeof(double), Shape::Lower);
  lower.wrap(array, 4);
  for (const bool workspace : {false, true}) {
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = workspace ? generator.workspace(scratch, "L") : generator.matrix(lower, "L");
      append(generator, table, 0, 1, Work);
    });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_EQ(outcome.message, "the matrix does not store tile L(0, 1)");
  }
}

TEST(Failures, TilesThatThePatternLacks) {
  Executor executor(Options{.threads = 2});
  for (const Shape shape : {Shape::General, Shape::Lower}) {
    Storage storage(6, 6, 2, 2, sizeof(double), shape);
    storage.setPattern([](int i, int j) { return i != 2 || j != 1; });
    storage.allocate();
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(storage, "A");
      append(generator, table, 1, 1, Work);
      append(generator, table, 2, 1, Work);
    });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_EQ(outcome.message, "the matrix' pattern does not have tile A(2, 1)");
  }
}
} // namespace
