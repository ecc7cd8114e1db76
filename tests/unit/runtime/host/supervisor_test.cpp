#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

#include <thread>

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

} // namespace
} // namespace tla::host
