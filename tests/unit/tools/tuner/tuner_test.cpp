// The search over a family whose candidates misbehave on purpose.
#include "tools/tuner/tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <unistd.h>

using namespace hetc::tuning;
namespace fs = std::filesystem;

namespace {
/// Candidates x = 0 .. 9; what they do depends on x. Rates are 10 * x Gflop/s where they are right.
enum Fault { Right = 0, Uncompiled = 1, CrashesWhenCompiled = 2, Wrong = 3, Crashes = 4, Hangs = 5, Throws = 6 };

Fault faultOf(std::int64_t x) { return x >= 1 && x <= 6 ? static_cast<Fault>(x) : Right; }

class TestBody : public Body {
public:
  explicit TestBody(std::int64_t x) : x_(x) {}
  std::string verify() override {
    if (faultOf(x_) == Crashes)
      ::raise(SIGSEGV);
    return faultOf(x_) == Wrong ? "C(0, 0) is 1, expected 2" : "";
  }
  double run() override {
    if (faultOf(x_) == Hangs)
      ::pause();
    return 1 / (10e9 * static_cast<double>(x_));
  }

private:
  std::int64_t x_;
};

/// Writes a line for each compilation, so that the test sees what was tried.
class TestFamily : public Family {
public:
  explicit TestFamily(std::string log) : log_(std::move(log)) {}
  Identity identity() const override { return {"gemm", "test", "d", "a device", "", "a compiler", "", "", {}}; }
  double flops() const override { return 1; }
  Constants deviceParameters() const override { return {}; }
  std::vector<std::string> compile(const Constants &constants, const std::string &output) const override {
    const std::int64_t x = constants.at(0).second;
    std::ofstream(log_, std::ios::app) << x << "\n";
    if (faultOf(x) == CrashesWhenCompiled)
      ::abort();
    if (faultOf(x) == Uncompiled) {
      std::cerr << "included from here\nfile:1: error: no such header\nmore\n";
      return {};
    }
    std::ofstream(output) << x;
    return {output};
  }
  std::unique_ptr<Body> load(const std::string &file) const override {
    std::int64_t x = 0;
    std::ifstream(file) >> x;
    if (faultOf(x) == Throws)
      throw std::runtime_error("no symbol");
    return std::make_unique<TestBody>(x);
  }
  std::vector<Peer> peers(const std::string &) const override {
    std::vector<Peer> peers;
    peers.push_back({"shipped", Kind::Shipped, std::make_unique<TestBody>(shippedRate), 1});
    peers.push_back({"library", Kind::Library, std::make_unique<TestBody>(60), 1});
    peers.push_back({"fma", Kind::Limit, std::make_unique<TestBody>(100), 1});
    return peers;
  }
  Installed install(const TuneOutcome &, const Constants &, const std::string &) const override { return {}; }

  std::int64_t shippedRate = 6; ///< rate in units of 10 Gflop/s

private:
  std::string log_;
};

class TunerTest : public testing::Test {
protected:
  TunerTest() {
    for (std::int64_t x = 0; x < 10; ++x)
      points_.push_back({x});
    points_.erase(points_.begin()); // nothing takes no time
    rules_.strategy = "exhaustive";
    rules_.compilers = 2;
    rules_.evaluation.seconds = 0.5;
  }
  ~TunerTest() override { fs::remove_all(folder_); }

  TuneOutcome run(int first = -1, bool resume = false) {
    const Candidates candidates({"x"}, points_);
    Identity identity = family_.identity();
    identity.iterators = {"x"};
    auto database = std::get<0>(Database::open(folder_ + "/results", identity, resume, [](const std::string &) {}));
    Tuner tuner(
        family_, candidates,
        [&](int candidate) {
          return Constants{{"x", candidates[candidate][0]}};
        },
        *database, folder_, rules_);
    const TuneOutcome outcome = tuner.run(first, [this](const Progress &progress) { last_ = progress; });
    results_.clear();
    for (const Result &result : database->results())
      results_[result.point[0]] = result;
    return outcome;
  }

  std::vector<std::int64_t> compiled() const {
    std::vector<std::int64_t> all;
    std::ifstream in(folder_ + "/log");
    for (std::int64_t x; in >> x;)
      all.push_back(x);
    return all;
  }

  std::string folder_ = makeFolder();
  TestFamily family_{folder_ + "/log"};
  std::vector<Point> points_;
  TuneRules rules_;
  Progress last_;
  std::map<std::int64_t, Result> results_;

private:
  static std::string makeFolder() {
    std::string pattern = testing::TempDir() + "tuner-XXXXXX";
    return ::mkdtemp(pattern.data());
  }
};
} // namespace

TEST_F(TunerTest, TheFastestThatIsRightWins) {
  const TuneOutcome outcome = run();
  EXPECT_EQ(outcome.evaluated, 9);
  ASSERT_TRUE(outcome.final);
  EXPECT_EQ(outcome.final->winner, "x=9");
  EXPECT_EQ(outcome.winnerFile, folder_ + "/8.so");
  std::vector<std::string> names;
  for (const Finalist &each : outcome.final->finalists)
    names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"fma", "library", "x=9", "x=8", "x=7", "shipped"}));
  EXPECT_DOUBLE_EQ(outcome.final->findWinner()->gflops, 90);
}

TEST_F(TunerTest, WhatMisbehavesCostsOnlyItself) {
  run();
  EXPECT_EQ(results_[1].status, Status::Uncompiled);
  EXPECT_EQ(results_[1].message, "file:1: error: no such header");
  EXPECT_EQ(results_[2].status, Status::Uncompiled);
  EXPECT_EQ(results_[2].message, "the compiler: SIGABRT");
  EXPECT_EQ(results_[3].status, Status::Wrong);
  EXPECT_EQ(results_[3].message, "C(0, 0) is 1, expected 2");
  EXPECT_EQ(results_[4].status, Status::Crashed);
  EXPECT_EQ(results_[4].message, "SIGSEGV");
  EXPECT_EQ(results_[5].status, Status::TimedOut);
  EXPECT_EQ(results_[6].status, Status::Crashed);
  for (const int right : {7, 8, 9}) {
    EXPECT_EQ(results_[right].status, Status::Measured);
    EXPECT_DOUBLE_EQ(results_[right].gflops, 10.0 * right);
  }
}

TEST_F(TunerTest, WhatIsUsedWithoutTuningWinsWhereItIsFaster) {
  family_.shippedRate = 9; // as fast is enough
  const TuneOutcome outcome = run();
  EXPECT_EQ(outcome.final->winner, "shipped");
  EXPECT_EQ(outcome.winnerFile, "");
}

TEST_F(TunerTest, NothingThatIsWrongIsAFinalist) {
  points_ = {{3}, {4}};
  const TuneOutcome outcome = run();
  ASSERT_TRUE(outcome.final);
  EXPECT_EQ(outcome.final->finalists.size(), 3u);
  EXPECT_EQ(outcome.final->winner, "shipped");
}

TEST_F(TunerTest, TheDefaultIsFirst) {
  rules_.maxCandidates = 1;
  run(6);
  EXPECT_EQ(results_.size(), 1u);
  EXPECT_TRUE(results_.count(7));
}

TEST_F(TunerTest, TheBudgetIsKept) {
  rules_.budget = 0;
  EXPECT_EQ(run(6).evaluated, 0);
  rules_.budget = 600;
  rules_.maxCandidates = 3;
  EXPECT_EQ(run().evaluated, 3);
  EXPECT_EQ(last_.evaluated, 3);
}

TEST_F(TunerTest, ResumingEvaluatesNothingTwice) {
  rules_.maxCandidates = 4;
  run(6);
  rules_.maxCandidates = -1;
  fs::remove(folder_ + "/log");
  EXPECT_EQ(run(6, /*resume=*/true).evaluated, 5);
  EXPECT_EQ(results_.size(), 9u);
  const std::vector<std::int64_t> all = compiled();
  for (const int known : {1, 2, 3}) // 7 is a finalist, which is compiled again
    EXPECT_EQ(std::count(all.begin(), all.end(), known), 0);
  fs::remove(folder_ + "/log");
  EXPECT_EQ(run(6, /*resume=*/true).evaluated, 0);
}

TEST_F(TunerTest, WhatIsClearlySlowerIsAbandoned) {
  points_ = {{7}, {8}, {9}};
  rules_.timing.hopeless = 1.05;
  run(2);
  EXPECT_EQ(results_[7].status, Status::Slow);
  EXPECT_EQ(results_[9].status, Status::Measured);
}
