// Any program, any number of threads, any window, with and without renaming: bitwise the serial result.
#include "tests/unit/runtime/core/random_program.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
std::vector<Element> serialResult(const Program &program) {
  ProgramData data(program, true);
  runSerially(program, data);
  return data.content();
}

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, EqualTheirSerialElision) {
  const int threads = GetParam();
  std::vector<std::unique_ptr<Executor>> executors;
  for (const int window : {1, 2, 7, 64, 8192})
    for (const std::size_t renameBytes : {std::size_t(0), std::size_t(1) << 9, std::size_t(1) << 24})
      executors.push_back(std::make_unique<Executor>(
          Options{.threads = threads, .window = window, .renameBytes = renameBytes, .trace = window == 7}));
  std::uint64_t renames = 0;
  for (int seed = 0; seed < seeds(150); ++seed) {
    const Program program = makeProgram(seed, 20 + seed % 7 * 60);
    const std::vector<Element> expected = serialResult(program);
    for (std::size_t e = 0; e < executors.size(); ++e) {
      ProgramData data(program, false);
      const Outcome outcome = executors[e]->run([&](Generator &generator) { generate(program, data, generator); });
      ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message << " seed " << seed;
      ASSERT_EQ(outcome.statistics.tasks, program.tasks.size());
      ASSERT_EQ(data.content(), expected) << "seed " << seed << " executor " << e << " threads " << threads;
      if (e % 3 == 0) {
        ASSERT_EQ(outcome.statistics.renames, 0u);
      } else if (e % 3 == 1) {
        ASSERT_LE(outcome.statistics.renameBytes, std::size_t(1) << 9);
      }
      renames += outcome.statistics.renames;
    }
  }
  EXPECT_GT(renames, 0u);
}

INSTANTIATE_TEST_SUITE_P(Threads, RandomPrograms, testing::Values(1, 2, 4, 8),
                         [](const auto &info) { return "Threads" + std::to_string(info.param); });

TEST(RandomProgramsLong, ManyTasksThroughASmallWindow) {
  const Program program = makeProgram(4711, 20000);
  const std::vector<Element> expected = serialResult(program);
  for (const int window : {5, 100, 8192}) {
    Executor executor(Options{.threads = 3, .window = window});
    ProgramData data(program, false);
    const Outcome outcome = executor.run([&](Generator &generator) { generate(program, data, generator); });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
    EXPECT_EQ(data.content(), expected) << "window " << window;
    EXPECT_LE(outcome.statistics.peakTasks, static_cast<std::size_t>(window));
  }
}
} // namespace
