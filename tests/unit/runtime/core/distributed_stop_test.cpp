// A rank whose run is cut short, and over, before its courier has looked: the others must not wait for what it skipped.
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

const TaskClass touch{"touch", "program.tla:1", [](const TaskView &) { return 0; }, nullptr};

/// Tile 0 is rank 0's, tile 1 is rank 1's and waits for tile 0.
void program(Generator &generator, Storage &storage) {
  TileTable &table = generator.matrix(storage, "A");
  const TileAccess first{&table, 0, 0, Access::ReadWrite};
  const TileAccess second[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, 0, Access::Read}};
  generator.append({touch, 0, nullptr, 0, &first, 1});
  generator.append({touch, 0, nullptr, 0, second, 2});
}

TEST(DistributedStop, IsToldToTheOthers) {
  Ranks ranks(2, {.threads = 1, .watchdogSeconds = 5});
  ranks.run([](int rank, Executor &executor) {
    executor.distribute(Distribution::blockCyclic(2, 1));
    Storage storage(2, 1, 1, 1, sizeof(double), Shape::General);
    storage.allocate([&](int i, int) { return i == rank; });
    Outcome outcome;
    for (int run = 0; run < 500; ++run) {
      outcome = executor.run([&](Generator &generator) {
        if (rank == 0)
          executor.interrupt(); // before anything is there to do
        program(generator, storage);
      });
      EXPECT_EQ(outcome.kind, Outcome::Kind::Interrupted)
          << "rank " << rank << ", run " << run << ": " << outcome.message;
    }
    return outcome;
  });
}

} // namespace
