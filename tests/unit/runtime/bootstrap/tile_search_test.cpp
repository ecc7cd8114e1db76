#include "runtime/bootstrap/kernel_times.hpp"
#include "runtime/bootstrap/parallel.hpp"
#include "runtime/bootstrap/tile_search.hpp"
#include "runtime/bootstrap/tile_size.hpp"
#include "tests/unit/runtime/bootstrap/test_algorithms.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace tla::bootstrap {
namespace {
/// A search on an executor, with a cache of its own.
class TileSearch : public testing::Test {
protected:
  TileSearch() { ::setenv("HETC_CACHE_DIR", folder.path("cache").c_str(), 1); }
  ~TileSearch() override { ::unsetenv("HETC_CACHE_DIR"); }

  TileChoice search(const runtime::Algorithm &algorithm, long n, int workers) {
    settings.n = n;
    const auto problem = describeProblem(algorithm, settings);
    guess = chooseTileSize(algorithm, matrixExtents(algorithm, problem->values), workers);
    runtime::Executor executor(runtime::Options{.threads = 1});
    Supervisor supervisor(executor, ProgressMode::Never);
    return searchTileSize(*problem, settings, workers, "reference", supervisor);
  }
  bool remembered() const { return !folder.files().empty(); }

  test::TemporaryFolder folder;
  Settings settings;
  int guess = 0;
};

TEST_F(TileSearch, IsRemembered) {
  const TileChoice first = search(test::cholesky<double>(), 420, 2), second = search(test::cholesky<double>(), 420, 2);
  EXPECT_TRUE(first.searched);
  EXPECT_FALSE(second.searched);
  EXPECT_EQ(first.nb, second.nb);
  EXPECT_TRUE(search(test::cholesky<double>(), 420, 3).searched);
}

TEST_F(TileSearch, PassesOverTooManyTasks) {
  settings.m = settings.k = 20000; // above a million tasks for every candidate
  EXPECT_EQ(search(test::gemm<double>(), 20000, 64).nb, guess);
  EXPECT_FALSE(remembered());
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
       {"{\"version\": 1}", "{\"version\": \"x\"}", "[]", "no json", "{\"version\": 1, \"tiles\": 3}"}) {
    folder.write("cache/tiles.json", content);
    EXPECT_TRUE(search(test::cholesky<double>(), 420, 2).searched) << content;
    EXPECT_FALSE(search(test::cholesky<double>(), 420, 2).searched) << content;
  }
}

TEST(TileSearchKey, SaysWhatTheAnswerDependsOn) {
  Settings settings;
  settings.n = settings.m = settings.k = 500;
  runtime::Algorithm algorithm = test::gemm<double>();
  const auto key = [&] { return tileSearchKey(*describeProblem(algorithm, settings), 2, "openblas"); };
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

TEST(KernelTimes, EstimatesWhatTheSampleNeverRan) {
  KernelTimes times;
  times.add({"gemm", "x.tla:1", 2, 8.0, 0}); // 4 s each
  times.add({"gemm", "x.tla:1", 2, 4.0, 0}); // 2 s each, undisturbed
  times.add({"trsm", "x.tla:2", 6, 6.0, 0}); // 1 s each
  times.add({"never", "x.tla:3", 0, 0, 0});
  const auto seconds = [&](const char *kernel, const char *place) {
    return times.secondsOf({kernel, place, nullptr, nullptr});
  };
  EXPECT_EQ(seconds("gemm", "x.tla:1"), 2);
  EXPECT_EQ(seconds("gemm", "x.tla:9"), 2);
  EXPECT_EQ(seconds("herk", "x.tla:4"), (2 * 2.0 + 6 * 1.0) / 8);
  EXPECT_EQ(seconds("never", "x.tla:3"), 1.25);
}
} // namespace
} // namespace tla::bootstrap
