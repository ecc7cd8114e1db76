// The cut is searched once, for little, and remembered.
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/predict/plan/cut_search.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace tla::host {
namespace {

/// A task on every slice, whose operations are as many as its columns, and take the host no time.
struct Slices {
  static int run(const runtime::TaskView &) { return 0; }
  static double flops(const runtime::TaskView &task) { return 1e5 * task.tile<double>(0).n(); }
  static constexpr runtime::TaskClass taskClass{"gemm", "slices.tla:1", run, flops};
  static void generate(runtime::Generator &generator, const runtime::Arguments &arguments) {
    const Storage &storage = *arguments.matrices[0];
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    for (int i = 0; i < storage.mt(); ++i)
      for (int J = 0; J < storage.ns() && storage.tileColumn(J) <= i; ++J) {
        const runtime::TileAccess access{&A, i, J, runtime::Access::ReadWrite};
        generator.append({taskClass, 0, nullptr, 0, &access, 1});
      }
  }
  static runtime::Algorithm algorithm() {
    runtime::Algorithm algorithm = test::slicedCholesky<double>(3);
    algorithm.generate = generate;
    return algorithm;
  }
};

/// Tiles of 64 in slices of 8, 8, 48, beside accelerators that are slower than any core.
class RefinedCut : public testing::Test {
protected:
  RefinedCut() {
    ::setenv("HETC_CACHE_DIR", folder.path("cache").c_str(), 1);
    settings.n = 600;
  }
  ~RefinedCut() override { ::unsetenv("HETC_CACHE_DIR"); }

  int search(const std::string &devices = "emulated:1,speed=1") {
    const runtime::DeviceChoice choice = runtime::parseDevices(devices);
    const runtime::Algorithm algorithm = Slices::algorithm();
    const auto problem = describeProblem(algorithm, settings);
    problem->nb = 64;
    problem->cut = {3, 8};
    const RatesRequest rates{.kernels = {"gemm"},
                             .hostKernels = "reference",
                             .devices = runtime::describeDevices(choice),
                             .open = [choice] { return runtime::openDevices(choice); }};
    PlanCase plan(*problem, settings, /*threads=*/1);
    plan.units = rates;
    plan.events = {.remark = [this](const std::string &text) { remarks += text + "\n"; }, .checkpoint = checkpoint};
    key = cutSearchKey(plan, *problem);
    const Cut cut = refineCut(plan, *problem, {std::vector<int>(rates.devices.size(), 1), 0});
    EXPECT_EQ(cut.slices, 3);
    return cut.width;
  }
  bool remembered() const { return !rememberedCuts().empty(); }

  test::TemporaryFolder folder;
  Settings settings;
  std::function<void()> checkpoint;
  std::string remarks, key;
};

TEST_F(RefinedCut, GivesMoreToTheHostBesideASlowAccelerator) {
  EXPECT_EQ(search(), 24); // 8, 16, 24: as wide as a tile of 64 allows
  EXPECT_TRUE(remarks.starts_with("3 trials of cholesky in ")) << remarks;
  EXPECT_NE(remarks.find(": nb = 64 in slices of 24, 24, 16, by rates alone slices of 8; remembered in " +
                         tilesFile().string()),
            remarks.npos)
      << remarks;
}

TEST_F(RefinedCut, IsRemembered) {
  search();
  ASSERT_EQ(rememberedCuts().size(), 1u);
  EXPECT_EQ("cut: " + rememberedCuts()[0].first, key);
  EXPECT_EQ(rememberedCuts()[0].second, "slices of 24 columns");
  remarks.clear();
  settings.n = 100; // too small for a search
  EXPECT_EQ(search(), 24);
  EXPECT_EQ(search("emulated:1,speed=2"), 8) << "another model";
  EXPECT_EQ(remarks, "");
}

TEST_F(RefinedCut, CostsLittle) {
  settings.n = 192 * 2; // 8 times a trial: a quarter are two
  EXPECT_EQ(search(), 8);
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, LeavesToOthersWhatTheyDecide) {
  EXPECT_EQ(search("none"), 8);
  settings.slice = 8;
  EXPECT_EQ(search(), 8);
  settings.slice.reset();
  settings.deviceWeights = {1};
  EXPECT_EQ(search(), 8);
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, ATrialThatFailsLeavesTheCutByRatesAndSaysWhy) {
  const std::string cut = "; the cut by rates is used, slices of 8, as --slice 8 does without trials\n";
  EXPECT_EQ(search("emulated:1,speed=1,fail=kernel:3"), 8);
  EXPECT_TRUE(remarks.starts_with("trial 1 of cholesky (nb = 64 in slices of 8, 8, 48) failed: ")) << remarks;
  EXPECT_NE(remarks.find(" slice 2, slices.tla:1)" + cut), remarks.npos) << remarks;
  EXPECT_EQ(std::ranges::count(remarks, '\n'), 1) << remarks;
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, ATrialThatCannotBeginFails) {
  EXPECT_EQ(search("emulated:1,mem=4K"), 8);
  EXPECT_TRUE(remarks.starts_with("trial 1 of cholesky (nb = 64 in slices of 8, 8, 48) failed: ")) << remarks;
  EXPECT_NE(remarks.find("; the cut by rates is used, slices of 8"), remarks.npos) << remarks;
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, TrialsBeforeTheOneThatFailsDoNotCount) {
  EXPECT_EQ(search("emulated:1,speed=1,fail=kernel:15"), 8); // 6 kernels to warm up, 6 in the first trial
  EXPECT_TRUE(remarks.starts_with("trial 2 of cholesky (nb = 64 in slices of 16, 16, 32) failed: ")) << remarks;
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, CanBeInterrupted) {
  checkpoint = [] { throw Interrupted{}; };
  EXPECT_THROW(search(), Interrupted);
  EXPECT_FALSE(remembered());
}

TEST_F(RefinedCut, DoesNotTrustTheMemory) {
  search();
  TileMemory(key).remember({64, {{"slice", 32}}}); // nothing left for the accelerator
  EXPECT_EQ(search(), 8);
}
} // namespace
} // namespace tla::host
