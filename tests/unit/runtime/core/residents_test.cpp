// Matrices that stay with emulated accelerators between runs: what is copied is what was counted, and the results are
// bitwise the serial ones.
#include "tests/unit/runtime/core/emulated_devices.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include "runtime/interfaces/cost.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
/// Runs a program on data that stay.
struct Call {
  const Program &program;
  ProgramData &data;
  void operator()(Generator &generator) const { generate(program, data, generator); }
  std::vector<const Storage *> matrices() const {
    std::vector<const Storage *> list;
    for (std::size_t i = 0; i < program.matrices.size(); ++i)
      if (!program.matrices[i].workspace)
        list.push_back(&data.storage(static_cast<int>(i)));
    return list;
  }
};

std::vector<Element> serialResult(const Program &program, int times = 1) {
  ProgramData data(program, true);
  for (int i = 0; i < times; ++i)
    runSerially(program, data);
  return data.content();
}

std::uint64_t copied(const Statistics &statistics) {
  std::uint64_t bytes = 0;
  for (const DeviceStatistics &device : statistics.devices)
    bytes += device.in.bytes + device.out.bytes;
  return bytes;
}

TEST(ResidentMatrices, OfRandomProgramsEqualTheirSerialElision) {
  int fewer = 0; // runs that copy less than without a residence: not all do, with so many tasks on the host
  for (const char *const text : {"emulated:1", "emulated:2", "emulated:3,lat=20", "emulated:2,mem=9000"})
    for (const int window : {7, 8192}) {
      const Devices devices(text);
      Executor executor(
          {.threads = 2, .window = window, .pin = false, .accelerators = devices.list(), .hostWeight = 1});
      int resident = 0;
      for (int seed = 0; seed < seeds(14); ++seed) {
        SCOPED_TRACE(std::string(text) + " seed " + std::to_string(seed) + " window " + std::to_string(window));
        const Program program = makeProgram(seed, 20 + seed % 7 * 60);
        ProgramData data(program, false), plain(program, false);
        const Call call{program, data};
        const std::string obstacle = executor.makeResident(call, call.matrices());
        if (!obstacle.empty()) {
          EXPECT_NE(std::string(text).find("mem="), std::string::npos) << obstacle;
          ASSERT_TRUE(devices.empty());
          continue;
        }
        ++resident;
        ASSERT_EQ(executor.updateAccelerators().kind, Outcome::Kind::Finished);
        const Cost cost =
            predictCost(call, Distribution(), {.devices = devices.descriptions(), .hostWeight = 1, .resident = true});
        const Cost without = predictCost(call, Distribution(), {.devices = devices.descriptions(), .hostWeight = 1});
        for (int times = 1; times <= 2; ++times) {
          const Outcome outcome = executor.run(call);
          ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
          EXPECT_TRUE(isAsCounted(outcome.statistics, cost.nodes[0]));
          for (std::size_t d = 0; d < devices.list().size(); ++d)
            EXPECT_EQ(executor.residentBytes()[d], cost.nodes[0].devices[d].residentBytes);
          const NodeCost sum = without.total();
          std::uint64_t bytes = 0;
          for (const DeviceCost &device : sum.devices)
            bytes += device.in.bytes + device.out.bytes;
          fewer += copied(outcome.statistics) < bytes;
          ASSERT_EQ(executor.updateHost().kind, Outcome::Kind::Finished);
          ASSERT_EQ(data.content(), serialResult(program, times));
        }
        executor.endResidence();
        EXPECT_EQ(executor.residentBytes(), std::vector<std::size_t>(devices.list().size()));
        ASSERT_TRUE(devices.empty());
        ASSERT_EQ(executor.run({[&](Generator &tasks) { generate(program, plain, tasks); }}).kind,
                  Outcome::Kind::Finished);
        ASSERT_EQ(plain.content(), serialResult(program)) << "without a residence as before";
      }
      EXPECT_GT(resident, 0);
    }
  EXPECT_GT(fewer, 0);
}

TEST(ResidentMatrices, OfSeveralRanks) {
  for (const int ranks : {2, 3}) {
    RanksWithDevices all(ranks, "emulated:2", Options().window);
    for (int seed = 0; seed < seeds(15); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " ranks " + std::to_string(ranks));
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      const Distribution distribution = randomTable(ranks, seed);
      std::vector<std::unique_ptr<ProgramData>> data(ranks);
      std::vector<Outcome> outcomes(ranks);
      all.onEach([&](int rank, Executor &executor) {
        data[rank] = std::make_unique<ProgramData>(program, false);
        data[rank]->keepTilesOf(distribution, rank);
        executor.distribute(distribution);
        const Call call{program, *data[rank]};
        EXPECT_EQ(executor.makeResident(call, call.matrices()), "");
        EXPECT_EQ(executor.updateAccelerators().kind, Outcome::Kind::Finished);
        outcomes[rank] = executor.run(call);
        EXPECT_EQ(executor.updateHost().kind, Outcome::Kind::Finished);
        executor.endResidence();
      });
      ProgramData dry(program, false);
      const Cost cost = predictCost(Call{program, dry}, distribution,
                                    {.devices = all.descriptions(), .hostWeight = 1, .resident = true});
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(outcomes[rank].kind, Outcome::Kind::Finished) << outcomes[rank].message;
        EXPECT_TRUE(isAsCounted(outcomes[rank].statistics, cost.nodes[rank]));
      }
      ASSERT_EQ(ProgramData::content(data, distribution), serialResult(program));
    }
  }
}

TEST(ResidentMatrices, AreFoundByOtherPrograms) {
  const Devices devices("emulated:2");
  Executor executor({.threads = 2, .pin = false, .accelerators = devices.list(), .hostWeight = 1});
  const Program program = makeProgram(5, 200);
  const Program second = makeProgram(7, 150); // the same matrices
  ProgramData data(program, false), serial(program, true);
  const Call call{program, data};
  ASSERT_EQ(executor.makeResident(call, call.matrices()), "");
  ASSERT_EQ(executor.updateAccelerators().kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.run(call).kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.run(Call{second, data}).kind, Outcome::Kind::Finished);
  executor.share({.weights = {1, 4}, .hostWeight = 3}); // its tasks run elsewhere than where tiles are at home
  ASSERT_EQ(executor.run(call).kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.updateHost().kind, Outcome::Kind::Finished);
  runSerially(program, serial);
  runSerially(second, serial);
  runSerially(program, serial);
  EXPECT_EQ(data.content(), serial.content());
}

TEST(ResidentMatrices, AreLostWithNoMoreThanTheirContent) {
  const Devices devices("emulated:2,fail=copy:9@1");
  Executor executor({.threads = 2, .pin = false, .accelerators = devices.list()});
  const Program program = makeProgram(5, 200);
  ProgramData data(program, false);
  const Call call{program, data};
  ASSERT_EQ(executor.makeResident(call, call.matrices()), "");
  const Outcome outcome = executor.updateAccelerators();
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_NE(outcome.message.find("emulated:1: injected fault of a copy"), std::string::npos) << outcome.message;
  executor.endResidence();
  EXPECT_TRUE(devices.empty());
  ASSERT_EQ(executor.run(call).kind, Outcome::Kind::Finished);
  EXPECT_EQ(data.content(), serialResult(program));
}

/// Reads one matrix and writes the other, tile by tile.
auto copying(Storage &from, Storage &to) {
  return [&](Generator &tasks) {
    static const TaskClass copyTile{"gemm", "",
                                    [](const TaskView &view) {
                                      view.tile<double>(1)(0, 0) = view.tile<double>(0)(0, 0);
                                      return 0;
                                    },
                                    nullptr};
    TileTable &A = tasks.matrix(from, "A"), &B = tasks.matrix(to, "B");
    for (int i = 0; i < from.mt(); ++i) {
      const TileAccess accesses[] = {{&A, i, 0, Access::Read}, {&B, i, 0, Access::ReadWrite}};
      tasks.append({copyTile, 0, nullptr, 0, accesses, 2});
    }
  };
}

double &first(Storage &storage, int row) { return *static_cast<double *>(storage.tile(row, 0)); }

TEST(ResidentMatrices, OfWhichNothingWasWrittenDoNotComeBack) {
  const Devices devices("emulated:1");
  Executor executor({.threads = 1, .pin = false, .accelerators = devices.list()});
  Storage from(8, 2, 2, 2, sizeof(double), Shape::General), to(8, 2, 2, 2, sizeof(double), Shape::General);
  from.allocate();
  to.allocate();
  first(from, 1) = 5;
  ASSERT_EQ(executor.makeResident(copying(from, to), {&from, &to}), "");
  ASSERT_EQ(executor.updateAccelerators().kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.run(copying(from, to)).kind, Outcome::Kind::Finished);
  first(from, 1) = 6; // the caller's own affair: only read by runs
  first(to, 1) = 0;
  const Outcome back = executor.updateHost();
  EXPECT_EQ(first(from, 1), 6);
  EXPECT_EQ(first(to, 1), 5);
  EXPECT_EQ(back.statistics.devices[0].out.copies, 4u);
  EXPECT_EQ(executor.updateHost().statistics.devices[0].out.copies, 0u) << "it is there";
  executor.endResidence({&from});
  EXPECT_EQ(executor.residentBytes()[0], 4 * 64u) << "the other one stays";
  first(to, 1) = 7;
  ASSERT_EQ(executor.updateAccelerators({&to}).kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.run(copying(from, to)).kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.updateHost().kind, Outcome::Kind::Finished);
  EXPECT_EQ(first(to, 1), 6);
}

/// Matrices that are only read may lie in memory that cannot be written, though the host computes on them as well.
TEST(ResidentMatrices, OfWhichNothingIsWrittenMayBeReadOnly) {
  const Devices devices("emulated:1");
  Executor executor({.threads = 2, .pin = false, .accelerators = devices.list(), .hostWeight = 1});
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto *const page =
      static_cast<double *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(page, MAP_FAILED);
  Storage from(8, 8, 2, 2, sizeof(double), Shape::General), to(8, 8, 2, 2, sizeof(double), Shape::General);
  from.wrap(page, 8);
  to.allocate();
  for (int i = 0; i < 64; ++i)
    page[i] = i;
  const auto program = [&](Generator &tasks) { // each tile is read at both places
    static const TaskClass add{"gemm", "",
                               [](const TaskView &view) {
                                 view.tile<double>(1)(0, 0) += view.tile<double>(0)(0, 0);
                                 return 0;
                               },
                               nullptr};
    TileTable &A = tasks.matrix(from, "A"), &B = tasks.matrix(to, "B");
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const TileAccess accesses[] = {{&A, 0, k, Access::Read}, {&B, 0, j, Access::ReadWrite}};
        tasks.append({add, 0, nullptr, 0, accesses, 2});
      }
  };
  for (int j = 0; j < 4; ++j)
    *static_cast<double *>(to.tile(0, j)) = 0;
  ASSERT_EQ(executor.makeResident(program, {&from, &to}), "");
  ASSERT_EQ(executor.updateAccelerators().kind, Outcome::Kind::Finished);
  ASSERT_EQ(mprotect(page, bytes, PROT_READ), 0);
  for (int run = 0; run < 2; ++run)
    ASSERT_EQ(executor.run(program).kind, Outcome::Kind::Finished);
  ASSERT_EQ(executor.updateHost().kind, Outcome::Kind::Finished);
  for (int j = 0; j < 4; ++j)
    EXPECT_EQ(*static_cast<double *>(to.tile(0, j)), 2 * (0 + 16 + 32 + 48));
  executor.endResidence();
  munmap(page, bytes);
}

TEST(ResidentMatrices, HaveOneObjectForTheirMemory) {
  const Devices devices("emulated:1");
  Executor executor({.threads = 1, .pin = false, .accelerators = devices.list()});
  std::vector<double> array(16);
  Storage one(8, 2, 2, 2, sizeof(double), Shape::General), other(8, 2, 2, 2, sizeof(double), Shape::General);
  one.wrap(array.data(), 8);
  other.wrap(array.data(), 8);
  EXPECT_THROW(executor.makeResident(copying(one, other), {&one, &other}), UsageError);
  EXPECT_EQ(executor.makeResident(copying(one, one), {&one}), "");
  EXPECT_EQ(executor.makeResident(copying(one, one), {&one}), "") << "again";
  EXPECT_THROW(executor.makeResident(copying(other, other), {&other}), UsageError);
  executor.endResidence();
  EXPECT_EQ(executor.makeResident(copying(other, other), {&other}), "");
}

TEST(ResidentMatrices, NeedMemoryForAllOfTheirTiles) {
  const Devices devices("emulated:1,mem=20000");
  Executor executor({.threads = 1, .pin = false, .accelerators = devices.list()});
  Storage large(64, 64, 8, 8, sizeof(double), Shape::General), small(16, 16, 8, 8, sizeof(double), Shape::General);
  const auto program = [](Storage &storage) {
    return [&storage](Generator &tasks) {
      static const TaskClass touch{"gemm", "", [](const TaskView &) { return 0; }, nullptr};
      TileTable &A = tasks.matrix(storage, "A");
      for (int j = 0; j < storage.nt(); ++j)
        for (int i = 0; i < storage.mt(); ++i) {
          const TileAccess access{&A, i, j, Access::ReadWrite};
          tasks.append({touch, 0, nullptr, 0, &access, 1});
        }
    };
  };
  large.allocate();
  small.allocate();
  EXPECT_EQ(executor.makeResident(program(small), {&small}), "");
  EXPECT_EQ(executor.makeResident(program(large), {&large}),
            "tiles of 34816 bytes would be at home with emulated:0, which has 20000 bytes of memory and needs 1250 of "
            "them for tiles on the way");
  EXPECT_EQ(executor.residentBytes(), (std::vector<std::size_t>{2048})) << "the one before stays";
  EXPECT_EQ(executor.run(program(large)).kind, Outcome::Kind::Finished) << "beside it";
  EXPECT_EQ(Executor({.threads = 1, .pin = false}).makeResident(program(small), {&small}), "")
      << "no accelerator uses it";
}
} // namespace
