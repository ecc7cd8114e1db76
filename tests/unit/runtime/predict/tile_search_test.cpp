#include "runtime/host/problem/problem.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"
#include "runtime/predict/rates/kernel_times.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"
#include "tests/unit/runtime/predict/tile_search_algorithms.hpp"
#include "tests/unit/runtime/predict/traced.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tla::host {
namespace {

using test::traced;

/// A case whose questions a test answers; what it leaves out is as without any rates.
class AnsweredCase final : public PlanCase {
public:
  AnsweredCase(const Problem &problem, const Settings &settings, int threads, int ranks = 1)
      : PlanCase(problem, settings, threads, ranks) {
    kernels = "reference";
  }
  Cut cut(int nb) const override { return cutOf ? cutOf(nb) : PlanCase::cut(nb); }
  runtime::DeviceShares shares(int) const override { return {std::vector<int>(devices.size(), 1), 0}; }
  std::vector<Distribution> owners(int nb) const override { return ownersOf(nb); }
  std::optional<KernelTimes> times(int nb, const std::vector<runtime::ScalarValue> &scalars) const override {
    return timesOf ? std::optional(timesOf(nb, scalars)) : std::nullopt;
  }

  std::function<Cut(int nb)> cutOf;
  std::function<std::vector<Distribution>(int nb)> ownersOf;
  std::function<KernelTimes(int nb, const std::vector<runtime::ScalarValue> &)> timesOf;
};

struct Devices {
  std::vector<runtime::AcceleratorProperties> properties;
  NodeRates rates;
};

/// A search on an executor, with a cache of its own.
class TileSearch : public testing::Test {
protected:
  TileSearch() { ::setenv("HETC_CACHE_DIR", folder.path("cache").c_str(), 1); }
  ~TileSearch() override { ::unsetenv("HETC_CACHE_DIR"); }

  TileChoice search(const runtime::Algorithm &algorithm, long n, int workers, int nb = 0, const Devices &devices = {}) {
    settings.n = n;
    const auto problem = describeProblem(algorithm, settings);
    guess = chooseTileSize(algorithm, matrixExtents(algorithm, problem->values), workers);
    AnsweredCase plan(*problem, settings, workers);
    plan.devices = devices.properties;
    plan.rates = devices.rates;
    plan.timesOf = times;
    return chooseTiles(plan, nb);
  }
  bool remembered() const { return !folder.files().empty(); }

  test::TemporaryFolder folder;
  Settings settings;
  std::function<KernelTimes(int nb, const std::vector<runtime::ScalarValue> &)> times; ///< null: measured
  int guess = 0;
};

TEST_F(TileSearch, IsRemembered) {
  const TileChoice first = search(test::cholesky<double>(), 420, 2), second = search(test::cholesky<double>(), 420, 2);
  EXPECT_TRUE(first.searched);
  EXPECT_FALSE(second.searched);
  EXPECT_EQ(first.nb, second.nb);
  EXPECT_TRUE(search(test::cholesky<double>(), 420, 3).searched);
}

/// Every task takes a core nb^3 microseconds. An accelerator is as fast on tiles of 1000, and faster on larger ones: a
/// task takes 1000 s there whatever its size, and the fewer there are, the better.
TEST_F(TileSearch, AcceleratorsMayWantLargerTiles) {
  Devices devices;
  devices.properties = {{.name = "test:0", .model = "test", .memoryBytes = 1 << 30}};
  devices.rates.accelerators.resize(1);
  for (const int nb : {32, 64, 128, 256, 512}) {
    devices.rates.core.seconds["gemm"][nb] = 1e-6 * nb * nb * nb;
    devices.rates.accelerators[0].seconds["gemm"][nb] = 1;
  }
  times = [](int nb, const auto &) {
    KernelTimes times;
    times.add(traced({{0, 3, 1e-6 * nb * nb * nb}}));
    return times;
  };
  const TileChoice without = search(test::cholesky<double>(), 800, 2);
  const TileChoice with = search(test::cholesky<double>(), 800, 2, 0, devices);
  EXPECT_EQ(without.nb, 120);
  EXPECT_EQ(with.nb, 200);    // not the whole matrix: potrf stays on the host
  EXPECT_TRUE(with.searched); // another key
  EXPECT_FALSE(search(test::cholesky<double>(), 800, 2, 0, devices).searched);
}

/// Something disturbs the first measurement of the size that is the best.
TEST_F(TileSearch, MeasuresAgainWhatIsCloseToTheBest) {
  std::map<int, int> measured;
  times = [&](int nb, const auto &) {
    const double disturbance = nb == 120 && measured[nb] == 0 ? 1.2 : 1;
    ++measured[nb];
    KernelTimes times;
    times.add(traced({{0, 3, disturbance * 1e-6 * nb * nb * nb}}));
    return times;
  };
  EXPECT_EQ(search(test::cholesky<double>(), 800, 2).nb, 120);
  EXPECT_EQ(measured[120], 5);
  EXPECT_EQ(std::ranges::min_element(measured, {}, &std::pair<const int, int>::second)->second, 1) << "far from it";
}

/// Every tile size is tried as it would be cut; one that cannot be cut is passed over.
TEST_F(TileSearch, CutsTilesOfEachSize) {
  settings.n = 800;
  const runtime::Algorithm algorithm = test::slicedCholesky<double>(2);
  const auto problem = describeProblem(algorithm, settings);
  guess = chooseTileSize(algorithm, matrixExtents(algorithm, problem->values), 2);
  std::vector<int> cut;
  AnsweredCase plan(*problem, settings, 2);
  plan.cutOf = [&](int nb) {
    if (nb > guess)
      throw UsageError("too wide");
    cut.push_back(nb);
    return Cut{2, nb / 4};
  };
  const TileChoice choice = chooseTiles(plan);
  EXPECT_TRUE(choice.searched);
  EXPECT_LE(choice.nb, guess);
  EXPECT_GT(cut.size(), 1u);
  EXPECT_FALSE(chooseTiles(plan).searched);
  plan.cutOf = [](int nb) { return Cut{2, nb / 2}; };
  EXPECT_TRUE(chooseTiles(plan).searched) << "another cut";
}

/// Above a million tasks for every candidate; products on larger tiles are faster.
TEST_F(TileSearch, OfTooManyTasksAPartIsSimulated) {
  times = [](int nb, const auto &) {
    KernelTimes times;
    times.add(traced({{0, 3, 2e-11 * nb * nb * (nb + 64.0)}}));
    return times;
  };
  settings.m = settings.k = 20000;
  const int nb = search(test::gemm<double>(), 20000, 64).nb;
  EXPECT_GT(nb, guess);
  EXPECT_LE(nb, 1024);
  EXPECT_TRUE(remembered());
}

TEST_F(TileSearch, DoesNotRememberAFailedSample) {
  EXPECT_EQ(search(test::faulty(), 420, 2).nb, guess);
  EXPECT_FALSE(remembered());
}

TEST_F(TileSearch, AProgramThatThrowsIsTheRunsBusiness) {
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.generate = [](runtime::Generator &, const runtime::Arguments &) { throw std::runtime_error("odd"); };
  EXPECT_EQ(search(algorithm, 420, 2).nb, guess);
  EXPECT_FALSE(remembered());
}

TEST_F(TileSearch, ADamagedMemoryCostsASearch) {
  std::filesystem::create_directories(folder.path("cache"));
  for (const char *content :
       {"{\"version\": 3}", "{\"version\": \"x\"}", "[]", "no json", "{\"version\": 3, \"tiles\": 3}"}) {
    folder.write("cache/tiles.json", content);
    EXPECT_TRUE(search(test::cholesky<double>(), 420, 2).searched) << content;
    EXPECT_FALSE(search(test::cholesky<double>(), 420, 2).searched) << content;
  }
}

/// Every tile size that is tried has owners of its own, and is remembered for so many ranks and that distribution.
TEST_F(TileSearch, AsksForTheOwnersOfEachTileSize) {
  settings.n = 420;
  const runtime::Algorithm algorithm = test::cholesky<double>();
  const auto problem = describeProblem(algorithm, settings);
  std::vector<int> asked;
  AnsweredCase plan(*problem, settings, 1, 2);
  plan.ownersOf = [&](int nb) {
    asked.push_back(nb);
    return std::vector{Distribution::blockCyclic(2, 1)};
  };
  const TileChoice choice = chooseTiles(plan);
  EXPECT_TRUE(choice.searched);
  EXPECT_NE(std::find(asked.begin(), asked.end(), choice.nb), asked.end());
  EXPECT_EQ(choice.distribution->name(), "2dbc:2x1");
  const TileChoice again = chooseTiles(plan);
  EXPECT_FALSE(again.searched);
  EXPECT_EQ(again.distribution->name(), "2dbc:2x1");
  settings.distribution = Distribution::blockCyclic(1, 2);
  EXPECT_TRUE(chooseTiles(plan).searched);
  plan.ranks = 1;
  plan.threads = 2;
  asked.clear();
  EXPECT_TRUE(chooseTiles(plan).searched) << "two threads are not two ranks";
  EXPECT_TRUE(asked.empty());
}

/// The first owners stay unless others are faster.
TEST_F(TileSearch, ChoosesTheFastestOwners) {
  settings.n = 800;
  const runtime::Algorithm algorithm = test::cholesky<double>();
  const auto problem = describeProblem(algorithm, settings);
  std::vector<Distribution> owners;
  AnsweredCase plan(*problem, settings, 1, 2);
  plan.ownersOf = [&](int) { return owners; };
  plan.timesOf = [](int nb, const auto &) {
    KernelTimes times;
    times.add(traced({{0, 3, 1e-6 * nb * nb * nb}}));
    return times;
  };
  const auto chosen = [&](std::vector<Distribution> among) {
    owners = std::move(among);
    std::filesystem::remove_all(folder.path("cache"));
    return chooseTiles(plan).distribution->name();
  };
  const Distribution even = Distribution::reflected(1, 2), mirrored = Distribution::reflected(1, 2, {0, 2}),
                     onOneNode = Distribution::blockCyclic(2, 1, 100);
  EXPECT_EQ(chosen({onOneNode, even}), even.name());
  EXPECT_EQ(chosen({even, onOneNode}), even.name());
  EXPECT_EQ(chosen({even, mirrored}), even.name());
  EXPECT_EQ(chosen({mirrored, even}), mirrored.name());
}

TEST(TileSearchKey, SaysWhatTheAnswerDependsOn) {
  Settings settings;
  settings.n = settings.m = settings.k = 500;
  runtime::Algorithm algorithm = test::gemm<double>();
  const auto key = [&] {
    const auto problem = describeProblem(algorithm, settings);
    PlanCase plan(*problem, settings, 2);
    plan.kernels = "openblas";
    return tileSearchKey(plan);
  };
  const std::string plain = key();
  settings.scalars = {{"opA", "Trans"}};
  EXPECT_NE(key(), plain);
  settings.scalars = {{"beta", "0"}};
  EXPECT_NE(key(), plain);
  settings.scalars.clear();
  EXPECT_EQ(key(), plain);
  algorithm.source = "elsewhere/gemm.tla";
  EXPECT_NE(key(), plain);
}

TEST_F(TileSearch, OwnKernelsMayWantMuchSmallerTiles) {
  std::vector<int> tried;
  times = [&](int nb, const auto &) {
    tried.push_back(nb);
    runtime::Statistics statistics = traced({{0, 1, 1e-3 * nb * nb}});
    statistics.classes[0] = {"grow", "x.tla:1", 1, 1e-3 * nb * nb, 1e3 * nb};
    KernelTimes times;
    times.add(statistics);
    return times;
  };
  const TileChoice own = search(Growing::algorithm<true>(), 4000, 2);
  EXPECT_LT(own.nb, guess / 2);
  EXPECT_LT(tried.front(), guess / 2) << "the sample that takes least";
  EXPECT_NE(std::ranges::find(tried, guess), tried.end());
  std::filesystem::remove_all(folder.path("cache"));
  tried.clear();
  search(Growing::algorithm<false>(), 4000, 2);
  EXPECT_EQ(tried.front(), guess);
  EXPECT_GE(std::ranges::min(tried), guess / 2);
}

TEST_F(TileSearch, ChoosesTuningParameters) {
  const runtime::Algorithm algorithm = Tuned::algorithm();
  times = Tuned::times;
  const TileChoice first = search(algorithm, 4000, 1, 64);
  EXPECT_TRUE(first.searched);
  EXPECT_EQ(first.nb, 64);
  EXPECT_EQ(first.scalars[0].integer, 32);
  const TileChoice second = search(algorithm, 4000, 1, 64);
  EXPECT_FALSE(second.searched);
  EXPECT_EQ(second.nb, 64);
  EXPECT_EQ(second.scalars[0].integer, 32);
  EXPECT_TRUE(search(algorithm, 4000, 1).searched) << "another question";
  settings.scalars = {{"ib", "64"}};
  EXPECT_EQ(search(algorithm, 4000, 1).scalars[0].integer, 64) << "the user's";
  EXPECT_FALSE(search(algorithm, 4000, 1, 64).searched) << "nothing to choose";
}

TEST_F(TileSearch, TuningParametersAreReported) {
  const test::RunResult run =
      test::runProgram(Tuned::algorithm(), {"-n", "100", "--no-check", "--kernels", "reference", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("nb = 64, ib = 16, "), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("\"tuned\":{\"ib\":16}"), std::string::npos) << run.out;
}

TEST_F(TileSearch, TallMatricesWithWorkspacesAndPivots) {
  runtime::Algorithm algorithm = test::luWithPivots<double>();
  algorithm.generate = Panels::generate;
  settings.m = 20000;
  const TileChoice choice = search(algorithm, 200, 2);
  EXPECT_TRUE(choice.searched);
  EXPECT_TRUE(remembered());
  EXPECT_LE(choice.nb, 200);
}

TEST_F(TileSearch, ReadsWhatEarlierVersionsWrote) {
  TileMemory("key").remember({200, {}});
  const std::string file = test::readFile(folder.path("cache/tiles.json"));
  EXPECT_NE(file.find("\"key\": 200"), std::string::npos) << "a number, as before there were parameters";
  TileMemory("other").remember({104, {{"ib", 32}}});
  EXPECT_EQ(TileMemory("key").find()->nb, 200);
  EXPECT_EQ(TileMemory("other").find()->parameters.at("ib"), 32);
  EXPECT_FALSE(TileMemory("third").find());
}

/// As a program in the cache is not run then: nothing is read, and nothing written.
TEST_F(TileSearch, AMemoryThatOthersMayHaveWrittenIsNone) {
  TileMemory("key").remember({200, {}}); // makes the folder
  const std::string cache = folder.path("cache"), file = test::readFile(folder.path("cache/tiles.json"));
  std::filesystem::permissions(cache, std::filesystem::perms(0777));
  EXPECT_FALSE(TileMemory("key").find());
  TileMemory("other").remember({104, {}});
  EXPECT_EQ(test::readFile(folder.path("cache/tiles.json")), file);
  std::filesystem::permissions(cache, std::filesystem::perms(0755));
  EXPECT_EQ(TileMemory("key").find()->nb, 200);
  EXPECT_FALSE(TileMemory("other").find());
}

/// Damaged by whatever: entries of nonsense are none, and a file that is nested too deep for copies is replaced.
TEST_F(TileSearch, OddMemoriesCostASearch) {
  TileMemory("key").remember({200, {}}); // makes the folder
  folder.write("cache/tiles.json", R"({"version": 4, "tiles": {"key": 4294967297, "other": {"nb": 64, "ib": 1e9}}})");
  EXPECT_FALSE(TileMemory("key").find());
  EXPECT_TRUE(TileMemory("other").find()->parameters.empty());
  const std::string open(100000, '['), close(100000, ']');
  folder.write("cache/tiles.json", R"({"version": 4, "tiles": {"key": 64, "other": )" + open + close + "}}");
  EXPECT_FALSE(TileMemory("key").find());
  TileMemory("k\xff").remember({96, {}});
  EXPECT_LT(test::readFile(folder.path("cache/tiles.json")).size(), 100u);
}
} // namespace
} // namespace tla::host
