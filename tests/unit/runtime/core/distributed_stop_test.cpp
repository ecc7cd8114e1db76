// A rank whose run is cut short, and over, before its courier has looked: the others must not wait for what it skipped.
#include "runtime/transport/local/local_network.hpp"

#include <tla/runtime/executor.hpp>
#include <tla/runtime/generated.hpp>

#include "runtime/distribution/distribution.hpp"

#include <gtest/gtest.h>
#include <thread>

using namespace tla;
using namespace tla::runtime;

namespace {

const TaskClass touch{"touch", "program.tla:1", [](const TaskView &) { return 0; }, nullptr};

/// Tile 0 is rank 0's, tile 1 is rank 1's and waits for tile 0.
void program(Generator &generator, Storage &storage) {
  TileTable &table = generator.matrix(storage, "A");
  const TileAccess first{&table, 0, 0, Access::ReadWrite};
  const TileAccess second[] = {{&table, 1, 0, Access::ReadWrite}, {&table, 0, 0, Access::Read}};
  generator.append(touch, 0, nullptr, 0, &first, 1);
  generator.append(touch, 0, nullptr, 0, second, 2);
}

TEST(DistributedStop, IsToldToTheOthers) {
  LocalNetwork network(2);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.emplace_back([&, rank] {
      Executor executor({.threads = 1, .pin = false, .transport = &network.endpoint(rank), .watchdogSeconds = 5});
      executor.distribute(Distribution::blockCyclic(2, 1));
      Storage storage(2, 1, 1, 1, sizeof(double), Shape::General);
      storage.allocate([&](int i, int) { return i == rank; });
      for (int run = 0; run < 500; ++run) {
        const Outcome outcome = executor.run([&](Generator &generator) {
          if (rank == 0)
            executor.interrupt(); // before anything is there to do
          program(generator, storage);
        });
        ASSERT_EQ(outcome.kind, Outcome::Kind::Interrupted)
            << "rank " << rank << ", run " << run << ": " << outcome.message;
      }
    });
  for (std::thread &rank : ranks)
    rank.join();
}

} // namespace
