#include "runtime/program/crash_guard.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <csignal>
#include <gtest/gtest.h>

namespace tla::host {
namespace {

int fault; ///< the signal that the algorithm below raises

int crash(const runtime::TaskView &) { return std::raise(fault); }
constexpr runtime::TaskClass crashClass{"crash", "crash.tla:3", crash, nullptr, 0, false};

runtime::Algorithm crashing() {
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.name = "crasher";
  algorithm.generate = [](runtime::Generator &generator, const runtime::Arguments &arguments) {
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    for (int k = 0; k < arguments.matrices[0]->nt(); ++k) {
      const runtime::TileAccess access{&A, k, k, runtime::Access::ReadWrite};
      generator.append({crashClass, 0, nullptr, 0, &access, 1});
    }
  };
  return algorithm;
}

TEST(CrashGuard, OneLineAndExitCode4) {
  if (sanitized)
    GTEST_SKIP() << "the sanitizer reports crashes";
  for (const auto &[signal, text] : {std::pair{SIGSEGV, "11 (segmentation fault)"},
                                     {SIGFPE, "8 (arithmetic error, such as an integer division by zero)"},
                                     {SIGBUS, "7 (bus error)"},
                                     {SIGILL, "4 (illegal instruction)"}}) {
    fault = signal;
    const auto result =
        test::runInChild(crashing(), {"-n", "10", "--nb", "4", "--kernels", "reference", "--threads", "1"});
    EXPECT_EQ(result.code, 4);
    EXPECT_EQ(result.err,
              "hetc: crasher: signal " + std::string(text) +
                  " in kernel crash on A(0, 0) (crash.tla:3), task 1; --debug or HETC_DEBUG=1 finds where such "
                  "a mistake is made\n");
  }
}

TEST(CrashGuard, OneOfSeveralThreadsSpeaks) {
  if (sanitized)
    GTEST_SKIP() << "the sanitizer reports crashes";
  fault = SIGSEGV;
  const auto result =
      test::runInChild(crashing(), {"-n", "400", "--nb", "4", "--kernels", "reference", "--threads", "4"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err.find("hetc: crasher: signal 11"), 0u) << result.err;
  EXPECT_EQ(result.err.find("signal", 30), std::string::npos) << result.err;
}

TEST(CrashGuard, OutsideOfKernelsItSaysSo) {
  if (sanitized)
    GTEST_SKIP() << "the sanitizer reports crashes";
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.generate = [](runtime::Generator &, const runtime::Arguments &) { std::raise(SIGFPE); };
  const auto result = test::runInChild(algorithm, {"-n", "10", "--kernels", "reference"});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.err.find(" in a kernel or in the program's loops\n"), std::string::npos) << result.err;
}

int deep(int depth) { // no limit that a stack would not reach first
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : deep(depth + 1) + room[0];
}

TEST(CrashGuard, AStackThatOverflowsToo) {
  if (sanitized)
    GTEST_SKIP() << "the sanitizer reports crashes";
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.generate = [](runtime::Generator &, const runtime::Arguments &) { deep(1); };
  const auto result = test::runInChild(algorithm, {"-n", "10", "--kernels", "reference"});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.err.find("signal 11"), std::string::npos);
}

void (*handlerOf(int signal))(int) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

TEST(CrashGuard, LeavesThingsAsTheyWere) {
  const auto before = handlerOf(SIGSEGV), sizeBefore = handlerOf(SIGXFSZ);
  {
    const CrashGuard guard("program");
    EXPECT_EQ(handlerOf(SIGSEGV) == before, sanitized);
    EXPECT_EQ(handlerOf(SIGXFSZ), SIG_IGN);
  }
  EXPECT_EQ(handlerOf(SIGSEGV), before);
  EXPECT_EQ(handlerOf(SIGXFSZ), sizeBefore);
}

TEST(CrashGuard, AHandlerThatIsThereStays) {
  const auto mine = [](int) {};
  const auto before = std::signal(SIGFPE, mine);
  {
    const CrashGuard guard("program");
    EXPECT_EQ(handlerOf(SIGFPE), static_cast<void (*)(int)>(mine));
  }
  std::signal(SIGFPE, before);
}
} // namespace
} // namespace tla::host
