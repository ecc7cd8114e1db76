#include "tools/tuner/database.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace hetc::tuning;
namespace fs = std::filesystem;

namespace {
class DatabaseTest : public testing::Test {
protected:
  DatabaseTest() {
    std::string pattern = testing::TempDir() + "database-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    identity_ = {"gemm", "cpu", "d", "a processor", "", "clang", "abc", "n = 8", {"x", "y"}};
  }
  ~DatabaseTest() override { fs::remove_all(folder_); }

  std::string file() const { return folder_ + "/sub/results.jsonl"; }
  std::string text() const {
    std::ifstream in(file());
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  void append(const std::string &text) const { std::ofstream(file(), std::ios::app) << text; }

  /// Null: `error_` says why.
  std::unique_ptr<Database> open(bool resume) {
    auto opened =
        Database::open(file(), identity_, resume, [this](const std::string &text) { remarks_ += text + "\n"; });
    if (auto *database = std::get_if<std::unique_ptr<Database>>(&opened))
      return std::move(*database);
    error_ = std::get<std::string>(opened);
    return nullptr;
  }

  static Result result(Point point, double gflops) { return {std::move(point), Status::Measured, gflops, 0.01, 5, ""}; }

  Identity identity_;
  std::string folder_, remarks_, error_;
};
} // namespace

TEST_F(DatabaseTest, WhatIsAddedIsThereAtOnceAndStays) {
  {
    const auto database = open(false);
    database->add(result({1, 2}, 10));
    EXPECT_NE(text().find("[1,2]"), std::string::npos);
    database->add(Result{{3, 4}, Status::Wrong, 0, 0, 0, "C(0, 0) is \xff\n"});
    database->add(Final{{{"fma", Kind::Limit, 20, 0}, {"x=1 y=2", Kind::Candidate, 11, 0.1}}, "x=1 y=2", "2026-11-20"});
  }
  const auto database = open(true);
  ASSERT_EQ(database->results().size(), 2u);
  EXPECT_EQ(database->results()[0].point, (Point{1, 2}));
  EXPECT_EQ(database->results()[0].gflops, 10);
  EXPECT_EQ(database->results()[1].status, Status::Wrong);
  ASSERT_TRUE(database->final());
  EXPECT_EQ(database->final()->winner, "x=1 y=2");
  EXPECT_EQ(database->final()->find(Kind::Limit)->name, "fma");
  EXPECT_EQ(database->final()->findWinner()->gflops, 11);
  EXPECT_EQ(database->final()->find(Kind::Shipped), nullptr);
  EXPECT_EQ(remarks_, "");
}

TEST_F(DatabaseTest, WithoutResumeItStartsAnew) {
  open(false)->add(result({1, 2}, 10));
  EXPECT_TRUE(open(false)->results().empty());
  EXPECT_TRUE(open(true)->results().empty());
  EXPECT_TRUE(fs::exists(file() + ".old"));
}

TEST_F(DatabaseTest, AnotherDeviceIsRefused) {
  open(false)->add(result({1, 2}, 10));
  identity_.device = "another processor";
  EXPECT_EQ(open(true), nullptr);
  EXPECT_NE(error_.find("is of another device: a processor, here it is another processor; start anew without --resume"),
            std::string::npos)
      << error_;
}

TEST_F(DatabaseTest, SoIsAnotherVersion) {
  fs::create_directories(fs::path(file()).parent_path());
  append("{\"hetc_tuning\": 2}\n");
  EXPECT_EQ(open(true), nullptr);
  EXPECT_NE(error_.find("is of another version of hetc"), std::string::npos) << error_;
}

TEST_F(DatabaseTest, AndWhatIsNoDatabase) {
  fs::create_directories(fs::path(file()).parent_path());
  for (const std::string text : {"hello\n", "[1]\n", "\xff\xfe\n"}) {
    std::ofstream(file()) << text;
    EXPECT_EQ(open(true), nullptr);
    EXPECT_NE(error_.find("is no database of hetc tune"), std::string::npos) << error_;
  }
}

TEST_F(DatabaseTest, CorruptLinesAreSkippedWithARemark) {
  open(false)->add(result({1, 2}, 10));
  append("garbage\n{\"point\": [1], \"status\": \"measured\"}\n{\"point\":[1,2],\"status\":\"odd\",\"gflops\":1,"
         "\"spread\":0,\"rounds\":1,\"message\":\"\"}\n");
  open(true)->add(result({5, 6}, 12));
  EXPECT_EQ(open(true)->results().size(), 2u);
  EXPECT_NE(remarks_.find(file() + ":3: no result; the line is skipped\n" + file() + ":4: "), std::string::npos)
      << remarks_;
}

TEST_F(DatabaseTest, ATornLineSpoilsOnlyItself) {
  open(false)->add(result({1, 2}, 10));
  append("{\"point\": [3, ");
  open(true)->add(result({5, 6}, 12));
  const auto database = open(true);
  ASSERT_EQ(database->results().size(), 2u);
  EXPECT_EQ(database->results()[1].point, (Point{5, 6}));
}

TEST_F(DatabaseTest, OnlyOneAtATime) {
  const auto first = open(false);
  EXPECT_EQ(open(true), nullptr);
  EXPECT_NE(error_.find("another hetc tune is working on '" + file() + "'"), std::string::npos) << error_;
}

TEST_F(DatabaseTest, WhereNothingCanBeWrittenResultsAreInMemory) {
  std::ofstream(folder_ + "/sub") << "a file where a folder should be";
  const auto database = open(false);
  ASSERT_NE(database, nullptr);
  EXPECT_FALSE(database->isWritten());
  EXPECT_NE(remarks_.find("cannot be written"), std::string::npos);
  database->add(result({1, 2}, 10));
  EXPECT_EQ(database->results().size(), 1u);
}

TEST_F(DatabaseTest, AFullDiskIsToldOnceAndResultsStay) {
  const auto database = open(false);
  database->add(result({1, 2}, 10));
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{fs::file_size(file()) + 10, before.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &little);
  for (int each = 0; each < 3; ++each)
    database->add(result({each, 3}, 11));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(database->isWritten());
  EXPECT_EQ(database->results().size(), 4u);
  EXPECT_NE(remarks_.find("what follows is not kept"), std::string::npos);
  EXPECT_EQ(std::count(remarks_.begin(), remarks_.end(), '\n'), 1);
}

/// To say what it is instead takes a stack as deep.
TEST_F(DatabaseTest, DeepLinesAreNone) {
  const std::string open(500000, '['), close(500000, ']');
  fs::create_directories(fs::path(file()).parent_path());
  append(R"({"hetc_tuning": 1, "kernel": )" + open + close + "}\n");
  EXPECT_FALSE(this->open(true));
  EXPECT_NE(error_.find("is no database of hetc tune"), std::string::npos) << error_.substr(0, 200);
}
