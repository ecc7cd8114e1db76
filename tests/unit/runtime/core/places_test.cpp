// Places without threads: a model of the memories of one node follows what it decides, copy by copy.
#include "runtime/core/passes/replay.hpp"
#include "runtime/core/places/homes.hpp"
#include "runtime/core/places/places.hpp"
#include "tests/unit/runtime/core/places_model.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
TEST(Places, ContentIsWhereItIsReadAndEachVersionGoesThereOnce) {
  std::map<std::vector<int>, std::set<int>> seen; // places with tasks, by weights
  for (int seed = 0; seed < seeds(100); ++seed)
    for (const std::vector<int> &weights : {std::vector{0, 1}, {1, 1}, {0, 1, 1}, {1, 2, 1}, {0, 1, 1, 1}}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", places " + std::to_string(weights.size()));
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      ProgramData data(program, false);
      const NodePlaces places = makePlaces(weights, plenty, true);
      Model model(places, nullptr, 0);
      runModel(places, nullptr, 0, streamOf(program, data), model);
      EXPECT_EQ(model.twice, 0);
      EXPECT_GT(model.copies, 0);
      for (const auto &[place, tasks] : model.tasksAt)
        seen[weights].insert(place);
      if (testing::Test::HasFailure())
        return;
    }
  for (const auto &[weights, places] : seen)
    EXPECT_EQ(places.size(), weights.size()); // tasks that write nothing are the host's
}

TEST(Places, StayWithinTheirMemory) {
  int twice = 0;
  for (int seed = 0; seed < seeds(60); ++seed)
    for (const bool peers : {true, false}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (peers ? "" : " without peers"));
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      ProgramData data(program, false);
      // What the largest task of the program needs, and a little more.
      TileUses uses;
      const NodePlaces free = makePlaces({1, 2, 1}, plenty, peers);
      TileUses::Recorder recorder(uses, free, nullptr, 0);
      streamOf(program, data)(recorder);
      const std::size_t least = std::max(uses.largest(1).bytes, uses.largest(2).bytes);
      for (const std::size_t more : {0, 64, 640}) {
        const NodePlaces places = makePlaces({1, 2, 1}, least + more, peers);
        Model model(places, nullptr, 0), again(places, nullptr, 0);
        runModel(places, nullptr, 0, streamOf(program, data), model);
        twice += model.twice;
        runModel(places, nullptr, 0, streamOf(program, data), again);
        EXPECT_EQ(model.log(), again.log());
      }
      const NodePlaces tooSmall = makePlaces({1, 2, 1}, least - 1, peers);
      Model model(tooSmall, nullptr, 0);
      EXPECT_THROW(Places(tooSmall, uses, model), UsageError);
      if (testing::Test::HasFailure())
        return;
    }
  EXPECT_GT(twice, 0); // tiles were evicted and came back
}

TEST(Places, OfResidentMatricesBeginAndEndAtHome) {
  int resident = 0, twice = 0;
  for (int seed = 0; seed < seeds(60); ++seed)
    for (const bool peers : {true, false})
      for (const bool isOwnProgram : {true, false}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + (peers ? "" : " without peers"));
        const Program program = makeProgram(seed, 20 + seed % 7 * 60);
        ProgramData data(program, false);
        // Homes of another distribution over the devices are odd ones for this program, and right all the same.
        const NodePlaces planned =
            makePlaces(isOwnProgram ? std::vector{1, 2, 1} : std::vector{0, 1, 3}, plenty, peers);
        HomesOfProgram found = homesFor(streamOf(program, data), planned, nullptr, 0, nullptr);
        NodePlaces places = makePlaces({1, 2, 1}, plenty, peers);
        TileUses uses;
        TileUses::Recorder recorder(uses, places, nullptr, 0);
        streamOf(program, data)(recorder);
        std::size_t bytes = 0;
        for (const int place : {1, 2}) {
          bytes = std::max(bytes, uses.largest(place).bytes + found.homes.bytes(places, place));
          EXPECT_LE(uses.largest(place).bytes, std::max(found.taskBytes[place], isOwnProgram ? 0 : plenty));
        }
        for (const std::size_t more : {std::size_t(0), std::size_t(640), plenty}) {
          places = makePlaces({1, 2, 1}, bytes + more, peers);
          places.homes = &found.homes;
          for (const bool again : {false, true}) { // the second time with tiles that the first one has written
            Model model(places, nullptr, 0);
            runModel(places, nullptr, 0, streamOf(program, data), model);
            twice += model.twice;
            EXPECT_TRUE(again || more < plenty || model.twice == 0);
          }
          for (const auto &matrix : found.homes.matrices())
            matrix->forEach([&](int row, int column, int) { matrix->setChanged(row, column, false); });
        }
        for (const auto &matrix : found.homes.matrices())
          matrix->forEach([&](int, int, int) { ++resident; });
        if (testing::Test::HasFailure())
          return;
      }
  EXPECT_GT(resident, 1000);
  EXPECT_GT(twice, 0);
}

TEST(Homes, AreWhereAcceleratorsWriteLastOrReadFirst) {
  const NodePlaces places = makePlaces({0, 1, 1}, plenty, true); // columns: 1, 2, 1, ...
  Storage a(8, 16, 4, 4, 8, Shape::General), b(8, 16, 4, 4, 8, Shape::General);
  const TaskClass product{"gemm", "", nullptr, nullptr}, panel{"potrf", "", nullptr, nullptr};
  const auto stream = [&](TaskSink &sink) {
    Generator tasks(sink);
    TileTable &A = tasks.matrix(a, "A"), &B = tasks.matrix(b, "B");
    const auto append = [&](const TaskClass &taskClass, const TileAccess &read, const TileAccess &written) {
      const TileAccess accesses[] = {read, written};
      tasks.append({taskClass, 0, nullptr, 0, accesses, 2});
    };
    append(product, {&B, 0, 0, Access::Read}, {&A, 0, 0, Access::ReadWrite});
    append(product, {&B, 0, 0, Access::Read}, {&A, 0, 1, Access::ReadWrite});
    append(panel, {&B, 1, 1, Access::Read}, {&A, 0, 0, Access::ReadWrite});
    append(product, {&A, 0, 0, Access::Read}, {&A, 1, 1, Access::ReadWrite});
  };
  const HomesOfProgram found = homesFor(stream, places, nullptr, 0, nullptr);
  const MatrixHomes &A = *found.homes.find(a), &B = *found.homes.find(b);
  const auto list = [](const MatrixHomes &homes) {
    std::vector<std::array<int, 3>> tiles;
    homes.forEach([&](int row, int column, int place) { tiles.push_back({row, column, place}); });
    return tiles;
  };
  const int first = A.place(0, 0), second = A.place(0, 1);
  EXPECT_EQ(std::set({first, second}), (std::set{1, 2}));
  EXPECT_EQ(list(A), (std::vector<std::array<int, 3>>{{0, 0, first}, {0, 1, second}, {1, 1, second}}));
  EXPECT_EQ(list(B), (std::vector<std::array<int, 3>>{{0, 0, first}})) << "B(1, 1) is the host's alone";
  EXPECT_EQ(found.homes.bytes(places, first), 2 * 128u);
  EXPECT_EQ(found.taskBytes[second], 2 * 128u);
  const std::vector<const Storage *> onlyB = {&b};
  EXPECT_EQ(homesFor(stream, places, nullptr, 0, &onlyB).homes.find(a), nullptr);
  EXPECT_EQ(obstacleTo(found.homes, {}, found.taskBytes, places), "");
  EXPECT_EQ(obstacleTo(found.homes, {}, found.taskBytes, makePlaces({0, 1, 1}, 256, true)),
            "tiles of 256 bytes would be at home with test:" + std::to_string(first - 1) +
                ", which has 256 bytes of memory and needs 256 of them for tiles on the way");
}

TEST(Places, OfSlices) {
  const NodePlaces places = makePlaces({1, 1, 1}, plenty, true);
  PlaceRule rule(places);
  const TaskClass product{"gemm", "", nullptr, nullptr}, panel{"potrf", "", nullptr, nullptr};
  Storage cut(4, 14, 4, 4, 8, Shape::General, {3, 1}), whole(4, 14, 4, 4, 8, Shape::General);
  TileTable A(cut, "A", false, false), B(whole, "B", false, false);
  const auto placesOf = [&](TileTable &table, const TaskClass &taskClass) {
    std::vector<int> found;
    for (int column = 0; column < table.storage().ns(); ++column) {
      const TileAccess access{&table, 0, column, Access::ReadWrite};
      found.push_back(rule.place(taskClass, &access, 1));
    }
    return found;
  };
  // The last slices go round the accelerators, the others are the host's; the narrow last tile has no wide slice.
  EXPECT_EQ(placesOf(A, product), (std::vector{0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(placesOf(A, panel), std::vector(11, 0));
  EXPECT_EQ(placesOf(B, product), (std::vector{0, 1, 2, 0})) << "the host's weight is of whole tiles";
}

TEST(Places, SayWhatATaskNeeds) {
  const Program program = makeProgram(1, 50);
  ProgramData data(program, false);
  const NodePlaces places = makePlaces({0, 1}, 128, true);
  TileUses uses;
  TileUses::Recorder recorder(uses, places, nullptr, 0);
  streamOf(program, data)(recorder);
  Model model(places, nullptr, 0);
  try {
    Places(places, uses, model);
    FAIL();
  } catch (const UsageError &error) {
    const TileUses::Largest &largest = uses.largest(1);
    EXPECT_EQ(error.what(), "the memory of test:0, 128 bytes, is less than one task needs: mix at random_program.cpp:1 "
                            "takes " +
                                std::to_string(largest.bytes) + " bytes in " + std::to_string(largest.tiles) +
                                " tiles");
  }
}

/// Where a task of the class runs that writes a tile of this column.
int placeOf(const NodePlaces &places, const TaskClass &taskClass, int column) {
  Storage storage(80, 80, 10, 10, sizeof(double), Shape::General);
  TileTable table(storage, "A", false, false);
  const TileAccess access{&table, 0, column, Access::ReadWrite};
  return PlaceRule(places).place(taskClass, &access, 1);
}

TEST(PlaceRule, ObeysTheClause) {
  const NodePlaces places = makePlaces({1, 1, 1}, plenty, true); // columns: host, 1, 2, host, ...
  const auto at = [&](const char *kernel, bool memoryBound, TaskDevice device, bool userKernel, int column) {
    return placeOf(places, {kernel, "here", nullptr, nullptr, 0, memoryBound, false, device, userKernel}, column);
  };
  std::vector<int> order;
  for (int column = 0; column < 3; ++column)
    order.push_back(at("gemm", false, TaskDevice::Any, false, column));
  EXPECT_EQ(std::set<int>(order.begin(), order.end()), (std::set{0, 1, 2}));
  const int hosts = static_cast<int>(std::find(order.begin(), order.end(), hostPlace) - order.begin());
  for (int column = 0; column < 3; ++column) {
    SCOPED_TRACE(column);
    EXPECT_EQ(at("gemm", false, TaskDevice::Host, false, column), hostPlace);
    EXPECT_EQ(at("potrf", false, TaskDevice::Any, false, column), hostPlace);
    EXPECT_EQ(at("gemm", true, TaskDevice::Any, false, column), hostPlace);
    for (const char *const kernel : {"gemm", "potrf"})
      for (const bool memoryBound : {false, true})
        EXPECT_EQ(at(kernel, memoryBound, TaskDevice::Gpu, false, column), order[(column + (column == hosts)) % 3]);
  }
  const TaskClass onGpu{"gemm", "here", nullptr, nullptr, 0, false, false, TaskDevice::Gpu};
  EXPECT_EQ(placeOf(makePlaces({1}, plenty, true), onGpu, 0), hostPlace);
}

TEST(PlaceRule, NeedsABody) {
  NodePlaces places = makePlaces({0, 1, 1}, plenty, true);
  places.has = [](int place, const TaskClass &) { return place == 2; };
  const TaskClass any{"gemm", "here", nullptr, nullptr},
      onGpu{"gemm", "here", nullptr, nullptr, 0, false, false, TaskDevice::Gpu};
  EXPECT_EQ(placeOf(places, any, 0), hostPlace);
  EXPECT_EQ(placeOf(places, onGpu, 0), 2);
  places.has = [](int, const TaskClass &) { return false; };
  EXPECT_EQ(placeOf(places, onGpu, 0), hostPlace);
}

TEST(PlaceRule, LeavesAUsersKernelToTheHost) {
  const NodePlaces places = makePlaces({0, 1}, plenty, true);
  for (const TaskDevice device : {TaskDevice::Any, TaskDevice::Gpu})
    EXPECT_EQ(placeOf(places, {"gemm", "here", nullptr, nullptr, 0, false, false, device, true}, 0), hostPlace);
}

TEST(Places, OfEachOfSeveralRanks) {
  for (int seed = 0; seed < seeds(40); ++seed) {
    const int ranks = 2 + seed % 3;
    const Distribution distribution = randomTable(ranks, seed);
    const Program program = makeProgram(seed, 20 + seed % 7 * 60);
    for (int rank = 0; rank < ranks; ++rank)
      for (const std::size_t bytes : {plenty, std::size_t(6000)}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " rank " + std::to_string(rank));
        ProgramData data(program, false);
        data.keepTilesOf(distribution, rank);
        const NodePlaces places = makePlaces({1, 1, 2}, bytes, true, distribution, rank);
        const auto instances = [&](TaskSink &sink) {
          const auto whole = [&](Generator &generator) { generate(program, data, generator); };
          generateInstances(replay(whole, distribution, rank), distribution, rank, sink);
        };
        Model model(places, &distribution, rank);
        runModel(places, &distribution, rank, instances, model);
        EXPECT_TRUE(bytes < plenty || model.twice == 0);
        HomesOfProgram found = homesFor(instances, places, &distribution, rank, nullptr);
        NodePlaces withHomes = makePlaces({1, 1, 2}, bytes + plenty, true, distribution, rank);
        withHomes.homes = &found.homes;
        Model resident(withHomes, &distribution, rank);
        runModel(withHomes, &distribution, rank, instances, resident);
        if (testing::Test::HasFailure())
          return;
      }
  }
}
} // namespace
