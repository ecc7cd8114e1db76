// Programs in blocks: each tile sees the tasks that it would see, in the same order, whatever the blocks.
#include "runtime/core/passes/blocked_program.hpp"
#include "runtime/core/window/halves.hpp"
#include "runtime/core/window/main_access.hpp"
#include "tests/unit/runtime/core/emulated_devices.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include "runtime/interfaces/cost.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

const std::vector<TaskBlocks> severalBlocks = {{1, 1, true},  {1, 2, false}, {1, 3, true},
                                               {2, 2, false}, {3, 2, true},  {4, 1, false}};

using Generate = std::function<void(Generator &)>;

/// Records for each half of each tile its writes and releases, and between two of them the set of its readers.
class Histories final : public DryPass {
public:
  struct Half {
    std::vector<std::pair<int, std::multiset<int>>> writes = {{0, {}}};
    bool operator==(const Half &) const = default;
  };
  explicit Histories(const Generate &generate) {
    Generator generator(*this);
    generate(generator);
  }
  void append(const TaskCall &call) override {
    const int task = call.indices[0] + 1;
    order.push_back(task);
    for (const bool write : {false, true})
      for (int i = 0; i < call.accessCount; ++i)
        if (writes(call.accesses[i]) == write)
          visit(call.accesses[i].tile(), task, write);
  }
  void release(const TileRef &tile) override { visit(tile, -1, true); }

  std::map<std::tuple<int, int, int, int>, Half> halves;
  std::vector<int> order; ///< order of the tasks

private:
  void visit(const TileRef &tile, int task, bool write) {
    const auto [first, last] = Halves::of(*tile.matrix, tile.region);
    for (int half = first; half <= last; ++half) {
      Half &one = halves[{tile.matrix->number(), tile.row, tile.column, half}];
      if (write)
        one.writes.push_back({task, {}});
      else
        one.writes.back().second.insert(task);
    }
  }
};

TEST(BlockedPrograms, GiveEachTileItsTasksInTheProgramsOrder) {
  int reordered = 0;
  for (int seed = 0; seed < seeds(40); ++seed) {
    const Program program = makeProgram(seed, 20 + seed % 7 * 60);
    ProgramData data(program, false);
    const Generate generate = [&](Generator &generator) { test::generate(program, data, generator); };
    const Histories expected(generate);
    for (const TaskBlocks &blocks : severalBlocks) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " " << blocks.rows << "x" << blocks.columns);
      const BlockedProgram blocked(generate, blocks);
      const Histories histories(std::cref(blocked));
      EXPECT_EQ(histories.halves, expected.halves);
      EXPECT_EQ(histories.order.size(), expected.order.size());
      EXPECT_EQ(histories.order != expected.order, blocked.isReordered());
      EXPECT_EQ(Histories(std::cref(blocked)).order, histories.order); // and again
      reordered += blocked.isReordered();
    }
  }
  EXPECT_GT(reordered, 100);
}

int work(const TaskView &) { return 0; }
constexpr TaskClass product = {"gemm", "product.tla:1", work, nullptr};

/// A product of 4 x 4 tiles, whose tasks have their row, column and step as index.
void generateProduct(Storage &a, Storage &b, Storage &c, Generator &generator) {
  TileTable &A = generator.matrix(a, "A"), &B = generator.matrix(b, "B"), &C = generator.matrix(c, "C");
  for (int i = 0; i < c.mt(); ++i)
    for (int j = 0; j < c.nt(); ++j)
      for (int l = 0; l < a.nt(); ++l) {
        const int index = i * 100 + j * 10 + l;
        const TileAccess accesses[] = {
            {&C, i, j, Access::ReadWrite}, {&A, i, l, Access::Read}, {&B, l, j, Access::Read}};
        generator.append({product, 0, &index, 1, accesses, 3});
      }
}

TEST(BlockedPrograms, GoStepByStepThroughEachBlock) {
  const auto matrix = [] { return StorageRef(Storage::makeWorkspace(8, 8, 2, sizeof(double))); };
  const StorageRef a = matrix(), b = matrix(), c = matrix();
  const BlockedProgram blocked([&](Generator &generator) { generateProduct(*a, *b, *c, generator); }, {2, 2, true});
  const Histories histories(std::cref(blocked));
  std::vector<int> expected;
  for (int block = 0; block < 4; ++block)
    for (int l = 0; l < 4; ++l)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          expected.push_back((block / 2 * 2 + i) * 100 + (block % 2 * 2 + j) * 10 + l + 1);
  EXPECT_EQ(histories.order, expected);
}

// What a recorded step has no room for must not wrap: tasks would run other kernels.
TEST(BlockedPrograms, RefuseMoreKernelsThanTheyCanName) {
  constexpr int most = 1 << 16;
  const std::vector<TaskClass> classes(most + 1, {"nothing", "here", [](const TaskView &) { return 0; }, nullptr});
  const StorageRef storage(Storage::makeWorkspace(1, 1, 1, sizeof(double)));
  const auto append = [&](int count) {
    return [&, count](Generator &generator) {
      const TileAccess access{&generator.matrix(*storage, "A"), 0, 0, Access::Write};
      for (int i = 0; i < count; ++i)
        generator.append({classes[i], 0, &i, 1, &access, 1});
    };
  };
  const BlockedProgram fits(append(most), {1, 1, true});
  EXPECT_EQ(Histories(std::cref(fits)).order.size(), static_cast<std::size_t>(most));
  EXPECT_THROW(BlockedProgram(append(most + 1), {1, 1, true}), Error);
}

TEST(BlockedPrograms, HaveTheSerialElisionsBitsAndTheCopiesThatWereCounted) {
  for (const char *const text : {"emulated:1,mem=3000", "emulated:2,mem=4000", "emulated:2"})
    for (const int window : {1, 64}) {
      const Devices devices(text);
      Executor executor(
          {.threads = 2, .window = window, .pin = false, .accelerators = devices.list(), .hostWeight = 1});
      for (int seed = 0; seed < seeds(12); ++seed) {
        const TaskBlocks blocks = severalBlocks[seed % severalBlocks.size()];
        SCOPED_TRACE(testing::Message() << text << " seed " << seed << " window " << window);
        executor.share({.weights = {}, .hostWeight = 1, .order = blocks});
        const Program program = makeProgram(seed, 20 + seed % 7 * 60);
        ProgramData data(program, false), serial(program, true), dry(program, false);
        const Outcome outcome = executor.run([&](Generator &generator) { test::generate(program, data, generator); });
        ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
        runSerially(program, serial);
        ASSERT_EQ(data.content(), serial.content());
        const Cost cost =
            predictCost([&](Generator &generator) { test::generate(program, dry, generator); }, Distribution(),
                        {.devices = devices.descriptions(), .hostWeight = 1, .order = blocks});
        EXPECT_TRUE(isAsCounted(outcome.statistics, cost.nodes[0]));
      }
    }
}

// Without the copies that evictions cause a device copies no more than one with memory for all tiles.
TEST(BlockedPrograms, CountWhatEvictionsCost) {
  std::uint64_t evicted = 0;
  for (int seed = 0; seed < seeds(60); ++seed) {
    const TaskBlocks blocks = severalBlocks[seed % severalBlocks.size()];
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Program program = makeProgram(seed, 20 + seed % 7 * 60);
    const auto countOf = [&](const char *text) {
      ProgramData dry(program, false);
      const Devices devices(text);
      return predictCost([&](Generator &generator) { test::generate(program, dry, generator); }, Distribution(),
                         {.devices = devices.descriptions(), .hostWeight = 1, .order = blocks})
          .nodes[0]
          .devices;
    };
    const std::vector<DeviceCost> small = countOf("emulated:2,mem=4000"), ample = countOf("emulated:2,mem=1G");
    for (std::size_t d = 0; d < small.size(); ++d) {
      EXPECT_EQ(ample[d].comingAgain.bytes + ample[d].makingRoom.bytes, 0u);
      EXPECT_LE(small[d].in.bytes + small[d].peer.bytes - small[d].comingAgain.bytes,
                ample[d].in.bytes + ample[d].peer.bytes);
      EXPECT_LE(small[d].out.bytes - small[d].makingRoom.bytes, ample[d].out.bytes);
      evicted += small[d].comingAgain.bytes;
    }
  }
  EXPECT_GT(evicted, 0u);
}

TEST(BlockedPrograms, RunOnRanks) {
  for (const int window : {1, 64}) {
    constexpr int ranks = 3;
    RanksWithDevices all(ranks, "emulated:2,mem=3000", window);
    for (int seed = 0; seed < seeds(12); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " window " << window);
      const TaskBlocks blocks = severalBlocks[seed % severalBlocks.size()];
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      const Distribution distribution = randomTable(ranks, seed);
      std::vector<std::unique_ptr<ProgramData>> data(ranks);
      std::vector<Outcome> outcomes(ranks);
      all.onEach([&](int rank, Executor &executor) {
        data[rank] = std::make_unique<ProgramData>(program, false);
        data[rank]->keepTilesOf(distribution, rank);
        executor.distribute(distribution);
        executor.share({.weights = {}, .hostWeight = 1, .order = blocks});
        outcomes[rank] = executor.run([&](Generator &generator) { test::generate(program, *data[rank], generator); });
      });
      ProgramData serial(program, true), dry(program, false);
      const Cost cost = predictCost([&](Generator &generator) { test::generate(program, dry, generator); },
                                    distribution, {.devices = all.descriptions(), .hostWeight = 1, .order = blocks});
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(outcomes[rank].kind, Outcome::Kind::Finished) << outcomes[rank].message;
        EXPECT_TRUE(isAsCounted(outcomes[rank].statistics, cost.nodes[rank]));
      }
      runSerially(program, serial);
      ASSERT_EQ(ProgramData::content(data, distribution), serial.content());
    }
  }
}

} // namespace
