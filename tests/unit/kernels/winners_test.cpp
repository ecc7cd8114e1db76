// The list of winners, and what of it gets into the kernel table.
#include "kernels/winners.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace tla;
using namespace tla::kernels;
namespace fs = std::filesystem;

namespace {
class Winners : public testing::Test {
protected:
  Winners() {
    std::string pattern = testing::TempDir() + "winners-XXXXXX";
    cache_ = ::mkdtemp(pattern.data());
    ::setenv("HETC_CACHE_DIR", cache_.c_str(), 1);
    ::unsetenv("HETC_KERNELS");
    fs::create_directories(tuningFolder());
    fs::copy_file(TLA_TEST_WINNER, tuningFolder() + "/gemm.so");
    winner_ = {"gemm", "d",        "gemm.so",      contentHash(TLA_TEST_WINNER), candidateSources(), "2026-11-20", 12.5,
               10,     "openblas", processorName()};
  }
  ~Winners() override {
    install("reference");
    fs::remove_all(cache_);
  }

  void list(const Winner &winner) const { std::ofstream(tuningFolder() + "/winners", std::ios::app) << lineOf(winner); }
  static void install(const std::string &preference) { installKernels(preference); }

  /// The name of dgemm's body after installing.
  static std::string nameOfBody() {
    install("reference");
    install("auto");
    return kernelTable<double>().gemm.name;
  }

  std::string cache_;
  Winner winner_;
};
} // namespace

TEST_F(Winners, AreReadAsTheyWereWritten) {
  list(winner_);
  const auto winners = readWinners();
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(lineOf(winners[0]), lineOf(winner_));
  EXPECT_TRUE(winners[0].fits());
}

TEST_F(Winners, TheLastCountsAndNonsenseDoesNot) {
  list(winner_);
  std::ofstream(tuningFolder() + "/winners", std::ios::app) << "nonsense\n\ngemm d ../../gemm.so 1 2 3 4 5 6 7\n";
  winner_.gflops = 13;
  list(winner_);
  winner_.type = "s";
  list(winner_);
  const auto winners = readWinners();
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners[0].gflops, 13);
}

TEST_F(Winners, AreUsedByTheirKernelAndType) {
  list(winner_);
  EXPECT_EQ(nameOfBody(), "hetc tune");
  EXPECT_STRNE(kernelTable<float>().gemm.name, "hetc tune");
  EXPECT_STRNE(kernelTable<double>().trsm.name, "hetc tune");
  double a = 3, b = 5, c = 1; // the test's body writes 42
  gemm(Op::NoTrans, Op::NoTrans, 1.0, ConstTile<double>(&a, 1, 1, 1), ConstTile<double>(&b, 1, 1, 1), 1.0,
       Tile<double>(&c, 1, 1, 1));
  EXPECT_EQ(c, 42);
}

TEST_F(Winners, AreToldApartByTheirHashes) {
  EXPECT_EQ(installKernels("auto").winners, "");
  install("reference");
  list(winner_);
  winner_.type = "c";
  list(winner_);
  EXPECT_EQ(installKernels("auto").winners, "gemm c " + winner_.hash + ", gemm d " + winner_.hash);
}

TEST_F(Winners, OnlyWhenNothingElseIsAskedFor) {
  list(winner_);
  install("reference");
  EXPECT_EQ(installKernels("reference").winners, "");
  EXPECT_STREQ(kernelTable<double>().gemm.name, "reference");
}

TEST_F(Winners, NotOnAnotherProcessor) {
  winner_.processor = "another processor";
  list(winner_);
  EXPECT_FALSE(isTuned());
  EXPECT_NE(nameOfBody(), "hetc tune");
}

TEST_F(Winners, NotOfOtherSources) {
  winner_.sources = "0123";
  list(winner_);
  EXPECT_NE(nameOfBody(), "hetc tune");
}

TEST_F(Winners, NotWhenTheFileChanged) {
  list(winner_);
  std::ofstream(tuningFolder() + "/gemm.so", std::ios::app) << "x";
  EXPECT_NE(nameOfBody(), "hetc tune");
  fs::remove(tuningFolder() + "/gemm.so");
  EXPECT_NE(nameOfBody(), "hetc tune");
}

TEST_F(Winners, NotWhenTheBackEndIsFaster) {
  winner_.file = winner_.hash = "-";
  list(winner_);
  EXPECT_FALSE(readWinners().at(0).isBody());
  EXPECT_TRUE(isTuned());
  EXPECT_NE(nameOfBody(), "hetc tune");
}

TEST_F(Winners, WhatIsNoLibraryIsLeftOut) {
  std::ofstream(tuningFolder() + "/gemm.so") << "no library";
  winner_.hash = contentHash(tuningFolder() + "/gemm.so");
  list(winner_);
  EXPECT_NE(nameOfBody(), "hetc tune");
}
