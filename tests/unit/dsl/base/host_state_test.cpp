// What a host may set for its process, and what must not depend on it.
#include "dsl/base/cache_folder.hpp"
#include "dsl/base/deep_call.hpp"
#include "dsl/base/floating_point.hpp"
#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "dsl/base/thread.hpp"

#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <locale>
#include <memory>
#include <utility>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tla {
namespace {

struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(HostState, StreamsHaveNoLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new German));
  std::ostringstream german;
  german << 1600 << " " << 2.5;
  TextWriter text;
  text << 1600 << " " << 2.5;
  TextReader in("1600 2.5");
  int integer = 0;
  double real = 0;
  in >> integer >> real;
  std::locale::global(before);
  EXPECT_EQ(german.str(), "1.600 2,5"); // what others see
  EXPECT_EQ(text.str(), "1600 2.5");
  EXPECT_EQ(integer, 1600);
  EXPECT_EQ(real, 2.5);
}

TEST(HostState, FormatHasNoLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8") && !std::setlocale(LC_ALL, "fr_FR.UTF-8"))
    GTEST_SKIP() << "no locale with a decimal comma is installed";
  const std::string text = format("%.1f", 2.5);
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(text, "2.5");
}

/// Writes to so many bytes of stack.
int useStack(std::size_t bytes) {
  char *const memory = static_cast<char *>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 1024)
    memory[bytes - 1 - i] = 1;
  return memory[bytes / 2 | 1023];
}

TEST(HostState, ThreadsHaveStack) {
  pthread_attr_t before, small;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_getattr_default_np(&small), 0);
  pthread_attr_setstacksize(&small, 64 << 10); // as under ulimit -s 64
  ASSERT_EQ(pthread_setattr_default_np(&small), 0);
  int seen = 0;
  Thread([&seen] {
    useStack(4 << 20);
    ++seen;
  }).join();
  callWithStack(64 << 20, [&seen] {
    useStack(40 << 20);
    ++seen;
  });
  pthread_setattr_default_np(&before);
  EXPECT_EQ(seen, 2);
}

TEST(HostState, ThreadsAreJoinedInTheEnd) {
  std::atomic<int> ended = 0;
  {
    Thread first([&ended] { ++ended; }), second;
    second = std::move(first);
    EXPECT_FALSE(first.joinable());
    EXPECT_TRUE(second.joinable());
    second = Thread([&ended, once = std::make_unique<int>(1)] { ended += *once; });
  }
  EXPECT_EQ(ended, 2);
}

TEST(HostState, ModesGoFromThreadToThread) {
  const FloatingPointModes usual = FloatingPointModes::ofThisThread();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    const FloatingPointModes modes = FloatingPointModes::ofThisThread();
    std::fesetround(FE_TONEAREST);
    int found = -1;
    double third = 0;
    Thread([&] {
      modes.apply();
      found = std::fegetround();
      volatile double one = 1, three = 3;
      third = one / three;
    }).join();
    EXPECT_EQ(found, mode);
    EXPECT_EQ(third > 1 / 3.0, mode == FE_UPWARD);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
  std::feraiseexcept(FE_INEXACT);
  usual.apply();
  EXPECT_TRUE(std::fetestexcept(FE_INEXACT)); // what was raised is no mode
  EXPECT_TRUE(FloatingPointModes::ofThisThread() == usual);
#if defined(__GLIBC__) && defined(__x86_64__)
  feenableexcept(FE_DIVBYZERO);
  const FloatingPointModes trapping = FloatingPointModes::ofThisThread();
  fedisableexcept(FE_DIVBYZERO);
  int enabled = 0;
  Thread([&] {
    trapping.apply();
    enabled = fegetexcept();
  }).join();
  EXPECT_EQ(enabled, FE_DIVBYZERO);
#endif
}

TEST(HostState, FilesThatBecomeTooLargeAreErrors) {
  char folder[] = "/tmp/hetc-base-test-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder));
  const std::filesystem::path file = std::filesystem::path(folder) / "file";
  ASSERT_FALSE(replaceFile(file, "before"));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::error_code error = replaceFile(file, std::string(100'000, 'x')); // SIGXFSZ would end the process
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(error);
  EXPECT_EQ(std::filesystem::file_size(file), 6u);
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_FALSE(sigismember(&pending, SIGXFSZ));
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace tla
