#include "runtime/host/problem/problem.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <atomic>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::TemporaryFolder;

constexpr const char *general = "%%MatrixMarket matrix array real general\n";

/// Reads A from a file and fills; the message without the folder.
std::string fillError(const runtime::Algorithm &algorithm, const std::string &matrix, const std::string &text) {
  TemporaryFolder folder;
  Settings settings;
  settings.inputs = {{matrix, folder.write("a.mtx", text)}};
  const std::string message = test::usageError([&] {
    const auto problem = describeProblem(algorithm, settings);
    problem->nb = 2;
    runtime::Executor executor({.threads = 2});
    Ranks ranks;
    makeSources(*problem, settings);
    allocateMatrices(*problem);
    fillMatrices(*problem, {executor, ranks, executor});
  });
  const auto slash = message.find("/"), name = message.find("a.mtx");
  return slash == std::string::npos ? message : message.substr(0, slash) + message.substr(name);
}

TEST(Fill, NonFiniteInputIsNamed) {
  const auto cholesky = test::cholesky<double>();
  EXPECT_EQ(fillError(cholesky, "A", std::string(general) + "3 3\n1\n0\n0\n0\n1\nnan\n0\nnan\n1\n"),
            "A(3, 2) is nan (a.mtx)");
  EXPECT_EQ(fillError(cholesky, "A", std::string(general) + "1 1\n-inf\n"), "A(1, 1) is -inf (a.mtx)");
  EXPECT_EQ(fillError(test::cholesky<float>(), "A", std::string(general) + "1 1\n1e300\n"), "A(1, 1) is inf (a.mtx)");
}

/// Elements above the diagonal of a 5 x 5 file, in tiles of 2, are not read: memory holds the mirror image of those
/// below.
TEST(Fill, TheOtherTriangleOfAHermitianMatrixIsNotLookedAt) {
  for (const char *other : {"0", "nan", "inf", "-inf", "7"}) {
    TemporaryFolder folder;
    std::string text = std::string(general) + "5 5\n";
    for (int j = 1; j <= 5; ++j)
      for (int i = 1; i <= 5; ++i)
        text += (i < j ? other : std::to_string(10 * i + j)) + "\n";
    Settings settings;
    settings.inputs = {{"A", folder.write("a.mtx", text)}};
    const auto algorithm = test::cholesky<double>();
    const auto problem = describeProblem(algorithm, settings);
    problem->nb = 2;
    runtime::Executor executor({.threads = 2});
    Ranks ranks;
    makeSources(*problem, settings);
    allocateMatrices(*problem);
    fillMatrices(*problem, {executor, ranks, executor});
    const Storage &storage = **problem->matrices[0].storage;
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        if (i / 2 >= j / 2) {
          const double value = static_cast<double *>(storage.tile(i / 2, j / 2))[i % 2 + j % 2 * storage.ld(i / 2)];
          EXPECT_EQ(value, 10 * (std::max(i, j) + 1) + std::min(i, j) + 1) << i << " " << j << " " << other;
        }
  }
}

TEST(Fill, WhatAHermitianMatrixCannotBeIsNamed) {
  const auto cholesky = test::cholesky<std::complex<double>>();
  const std::string head = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(fillError(cholesky, "A", "%%MatrixMarket matrix array complex general\n1 1\n2 1\n"),
            "A(1, 1) = 2+1i: the diagonal of a Hermitian matrix is real (a.mtx)");
  EXPECT_EQ(fillError(cholesky, "A", head + "complex symmetric\n2 2 2\n1 1 4 0\n2 1 1 2\n"),
            "A(2, 1) = 1+2i in a file that says 'symmetric': not Hermitian (a.mtx)");
  EXPECT_EQ(fillError(test::cholesky<double>(), "A", head + "real skew-symmetric\n2 2 1\n2 1 1\n"),
            "A(2, 1) = 1 in a file that says 'skew-symmetric': not symmetric (a.mtx)");
}

TEST(Fill, TheOtherTriangleOfAFactorIsNotLookedAt) {
  EXPECT_EQ(fillError(test::potrs<double>(), "L", std::string(general) + "2 2\n9\n1\nnan\n9\n"), "no error");
  EXPECT_EQ(fillError(test::potrs<double>(), "L", std::string(general) + "2 2\n9\nnan\n0\n9\n"),
            "L(2, 1) is nan (a.mtx)");
}

TEST(Fill, TypesMustFit) {
  EXPECT_EQ(fillError(test::cholesky<double>(), "A", "%%MatrixMarket matrix array complex general\n1 1\n1 0\n")
                .find("a.mtx holds complex numbers"),
            0u);
  EXPECT_EQ(fillError(test::cholesky<std::complex<double>>(), "A", std::string(general) + "1 1\n4\n"), "no error");
}

TEST(Fill, NothingIsLostWithTilesThatAPatternLeavesOut) {
  TemporaryFolder folder;
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n6 6 ";
  Settings settings;
  settings.inputs = {{"A", folder.write("a.mtx", head + "4\n1 1 4\n2 2 4\n4 1 1\n6 3 1\n")}};
  const auto outcome = [&](const std::string &pattern) {
    settings.patterns = {{"A", pattern}};
    const std::string message = test::usageError([&] {
      const auto algorithm = test::cholesky<double>();
      const auto problem = describeProblem(algorithm, settings);
      problem->nb = 2;
      runtime::Executor executor({.threads = 2});
      Ranks ranks;
      makeSources(*problem, settings);
      allocateMatrices(*problem);
      fillMatrices(*problem, {executor, ranks, executor});
    });
    const auto name = message.find("a.mtx");
    return name == std::string::npos ? message : message.substr(0, message.find('/')) + message.substr(name);
  };
  EXPECT_EQ(outcome(settings.inputs[0].value), "no error");
  EXPECT_EQ(outcome(folder.write("b.mtx", head + "4\n1 1 0\n3 1 0\n5 3 0\n4 4 0\n")), "no error");
  EXPECT_EQ(outcome(folder.write("b.mtx", head + "3\n1 1 0\n3 1 0\n4 4 0\n")),
            "A(6, 3) is not zero in a.mtx, but lies in tile A(2, 1), which --pattern leaves out");
  // The other triangle of the file is not looked at; -0 is zero.
  const std::string whole = "%%MatrixMarket matrix coordinate real general\n6 6 ", pattern = head + "2\n1 1 0\n4 4 0\n";
  settings.inputs = {{"A", folder.write("a.mtx", whole + "4\n1 1 4\n2 2 4\n6 3 -0\n1 4 2\n")}};
  EXPECT_EQ(outcome(folder.write("b.mtx", pattern)), "no error");
}

TEST(Fill, NamesAreChecked) {
  EXPECT_EQ(fillError(test::cholesky<double>(), "X", general),
            "--input: cholesky has no matrix 'X'; its matrices are: A");
  Settings settings;
  settings.n = 4;
  settings.generators = {{"A", "lower"}};
  const auto cholesky = test::cholesky<double>();
  const auto problem = describeProblem(cholesky, settings);
  EXPECT_EQ(test::usageError([&] {
              makeSources(*problem, settings);
            }).find("A stands for a Hermitian matrix, which lower does not make"),
            0u);
}

TEST(Parallel, FailuresComeBack) {
  runtime::Executor executor({.threads = 2});
  const StorageRef storage(new Storage(4, 4, 2, 2, 8, Shape::General));
  storage->allocate();
  EXPECT_THROW(forEachTile(executor, *storage,
                           [](int i, int) {
                             if (i == 1)
                               throw std::runtime_error("no");
                           }),
               Error);
}

TEST(Parallel, StepsOnABlockKeepTheirOrder) {
  runtime::Executor executor({.threads = 4});
  std::vector<int> last(3, -1);
  std::atomic<bool> ordered = true;
  forEachStep(
      executor, 3,
      [](const auto &emit) {
        for (int s = 0; s < 300; ++s)
          emit({s, s % 3, s % 3, s % 3});
      },
      [&](int s, int block) {
        if (last[block] >= s)
          ordered = false;
        last[block] = s;
      });
  EXPECT_TRUE(ordered);
  EXPECT_EQ(last, (std::vector<int>{297, 298, 299}));
}
} // namespace
} // namespace tla::host
