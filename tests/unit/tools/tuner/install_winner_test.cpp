#include "kernels/winners.hpp"
#include "tools/tuner/install_winner.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace hetc::tuning;
using tla::kernels::readWinners;
using tla::kernels::tuningFolder;
namespace fs = std::filesystem;

namespace {
class InstallWinner : public testing::Test {
protected:
  InstallWinner() {
    std::string pattern = testing::TempDir() + "install-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    ::setenv("HETC_CACHE_DIR", (folder_ + "/cache").c_str(), 1);
    identity_.kernel = "gemm";
    identity_.type = "d";
    identity_.device = tla::kernels::processorName();
  }
  ~InstallWinner() override { fs::remove_all(folder_); }

  std::string install(const std::string &code, double gflops) {
    TuneOutcome outcome;
    outcome.winnerFile = folder_ + "/candidate.so";
    std::ofstream(outcome.winnerFile) << code;
    outcome.final = Final{{{"fma", Kind::Limit, 100, 0},
                           {"mkl", Kind::Library, 80, 0},
                           {"x=1", Kind::Candidate, gflops, 0},
                           {"openblas", Kind::Shipped, 50, 0}},
                          "x=1",
                          "2026-11-20"};
    return installWinner(identity_, outcome);
  }

  std::string folder_;
  Identity identity_;
};
} // namespace

TEST_F(InstallWinner, ListsACopy) {
  EXPECT_EQ(install("code", 60), "");
  const auto winners = readWinners();
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_TRUE(winners[0].isBody() && winners[0].fits());
  EXPECT_EQ(winners[0].gflops, 60);
  EXPECT_EQ(winners[0].nameBefore, "openblas");
  EXPECT_EQ(winners[0].gflopsBefore, 50);
  EXPECT_EQ(tla::kernels::contentHash(tuningFolder() + "/" + winners[0].file), winners[0].hash);
}

TEST_F(InstallWinner, TakesThePlaceOfTheOneBefore) {
  install("old", 60);
  const std::string old = readWinners().at(0).file;
  EXPECT_EQ(install("new", 70), "");
  ASSERT_EQ(readWinners().size(), 1u);
  EXPECT_EQ(readWinners()[0].gflops, 70);
  EXPECT_FALSE(fs::exists(tuningFolder() + "/" + old));
  EXPECT_EQ(install("new", 71), ""); // the same code again
  EXPECT_TRUE(fs::exists(tuningFolder() + "/" + readWinners().at(0).file));
}

TEST_F(InstallWinner, LeavesOtherTypesAndMachinesAlone) {
  install("code", 60);
  identity_.type = "s";
  install("code of s", 60);
  identity_.device = "another processor";
  install("code of another", 60);
  EXPECT_EQ(readWinners().size(), 3u);
}

TEST_F(InstallWinner, WhereTheLibraryIsFasterThatIsListed) {
  install("code", 60);
  TuneOutcome outcome;
  outcome.final =
      Final{{{"openblas", Kind::Shipped, 50, 0}, {"x=1", Kind::Candidate, 40, 0}}, "openblas", "2026-11-21"};
  EXPECT_EQ(installWinner(identity_, outcome), "");
  ASSERT_EQ(readWinners().size(), 1u);
  EXPECT_FALSE(readWinners()[0].isBody());
  EXPECT_EQ(readWinners()[0].gflopsBefore, 50);
}

TEST_F(InstallWinner, SaysWhyItCannot) {
  std::ofstream(folder_ + "/cache") << "a file where a folder should be";
  EXPECT_NE(install("code", 60).find("cannot make"), std::string::npos);
}
