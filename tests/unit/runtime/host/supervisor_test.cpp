#include "runtime/host/check/check.hpp"
#include "runtime/host/files/npy.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/finished.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tla::host {
namespace {

int touch(const runtime::TaskView &) { return 0; }
constexpr runtime::TaskClass touchClass{"touch", "endless.tla:3", touch, nullptr, 0, false};

/// One task; after it loops that do not come back, and ask nobody whether they should.
runtime::Algorithm endless() {
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.name = "endless";
  algorithm.generate = [](runtime::Generator &generator, const runtime::Arguments &arguments) {
    const runtime::TileAccess access{&generator.matrix(*arguments.matrices[0], "A"), 0, 0, runtime::Access::ReadWrite};
    generator.append({touchClass, 0, nullptr, 0, &access, 1});
    for (;;)
      std::this_thread::yield();
  };
  return algorithm;
}

TEST(Supervisor, EndsLoopsThatDoNotComeBack) {
  const auto result =
      test::runInChild(endless(), {"-n", "10", "--nb", "4", "--kernels", "reference", "--watchdog", "0.5"});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.err.find("s: the program's loops have not come back since task 1, touch (endless.tla:3)\n"),
            std::string::npos)
      << result.err;
}

/// A workspace's tiles are counted before a run, by the same loops.
TEST(Supervisor, EndsLoopsThatAreCountedBeforeTheRun) {
  runtime::Algorithm algorithm = endless();
  algorithm.workspaceBytes = [](const runtime::Values &, long nb) { return 8.0 * nb * nb; };
  const auto result =
      test::runInChild(algorithm, {"-n", "10", "--nb", "4", "--kernels", "reference", "--watchdog", "0.5"});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(
      result.err.find("hetc: nothing has happened for 0.5 s: the program's loops have not come back since task 1, "
                      "touch (endless.tla:3)\n"),
      std::string::npos)
      << result.err;
}

/// Asks this process to end and goes on when that is known: what comes next is what is to end.
void interruptHere() {
  if (interruptionWanted)
    return;
  ::kill(::getpid(), SIGINT);
  while (!interruptionWanted)
    std::this_thread::yield();
}

long interruptedSize(const runtime::Values &values) {
  interruptHere();
  return values.n;
}
void interruptedFill(const runtime::Block &block, unsigned long, const double *) {
  interruptHere();
  for (int j = 0; j < block.n; ++j)
    for (int i = 0; i < block.m; ++i)
      static_cast<double *>(block.elements)[i + static_cast<long>(j) * block.ld] = i == j ? 4 : 1;
}
void interruptedProgram(runtime::Generator &generator, const runtime::Arguments &arguments) {
  interruptHere();
  test::cholesky<double>().generate(generator, arguments);
}
void interruptedCheck(runtime::Generator &generator, const runtime::Arguments &arguments) {
  interruptHere();
  test::qr<double>().checkCall.generate(generator, arguments);
}
void endlessFill(const runtime::Block &, unsigned long, const double *) {
  interruptHere();
  for (;;)
    ::pause();
}

/// cholesky with what `change` makes of its matrix.
runtime::Algorithm changedCholesky(const std::function<void(runtime::MatrixParameter &)> &change) {
  static runtime::MatrixParameter matrix;
  runtime::Algorithm algorithm = test::cholesky<double>();
  matrix = algorithm.matrices[0];
  change(matrix);
  algorithm.matrices = &matrix;
  return algorithm;
}

TEST(Supervisor, ASignalInAnyPhaseEndsTheRun) {
  runtime::Algorithm inSizes = changedCholesky([](auto &matrix) { matrix.rows = interruptedSize; });
  const std::vector<std::string> arguments{"-n", "20", "--nb", "8", "--kernels", "reference"};
  EXPECT_EQ(test::runInChild(inSizes, arguments).code, 130);
  runtime::Algorithm inFill = changedCholesky([](auto &matrix) {
    matrix.generator = "mine";
    matrix.fill = interruptedFill;
  });
  EXPECT_EQ(test::runInChild(inFill, arguments).code, 130);
  runtime::Algorithm inProgram = test::cholesky<double>();
  inProgram.generate = interruptedProgram;
  EXPECT_EQ(test::runInChild(inProgram, arguments).code, 130);
  runtime::Algorithm inCheck = test::qr<double>();
  inCheck.checkCall.generate = interruptedCheck;
  EXPECT_EQ(test::runInChild(inCheck, {"-m", "20", "-n", "20", "--nb", "8", "--kernels", "reference"}).code, 130);
}

/// A generator that does not come back is one for all that nothing can interrupt.
TEST(Supervisor, WhatDoesNotComeBackIsEnded) {
  runtime::Algorithm algorithm = changedCholesky([](auto &matrix) {
    matrix.generator = "mine";
    matrix.fill = endlessFill;
  });
  const auto result = test::runInChild(algorithm, {"-n", "10", "--nb", "4", "--kernels", "reference"});
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(result.err, "hetc: interrupted\n");
}

/// The loops of readers, writers and checks, which no executor runs.
TEST(Supervisor, LoopsOfTheHostPoll) {
  const test::TemporaryFolder folder;
  test::Finished solved = test::finished(test::gels<double>(), 10, 20, 3);
  const auto market = openMatrixFile(folder.write("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n5\n"));
  const auto list =
      openMatrixFile(folder.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n"));
  const auto pattern = [&] { list->forEachPosition([](long, long) {}); };
  interruptionWanted = true;
  EXPECT_THROW(market->load(ElementType::D), Interrupted);
  EXPECT_THROW(list->load(ElementType::D), Interrupted);
  EXPECT_THROW(pattern(), Interrupted);
  EXPECT_THROW(solved.check(CheckMode::Full), Interrupted);
  EXPECT_THROW(solved.check(CheckMode::Probe), Interrupted);
  EXPECT_THROW(writeNpy(folder.path("x.npy"), *solved.storage(1), ElementType::D), Interrupted);
  interruptionWanted = false;
  EXPECT_EQ(folder.files().size(), 2u) << "no part of an output stays";
}

} // namespace
} // namespace tla::host
