#include "tools/tuner/isolate.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <unistd.h>

using namespace hetc::tuning;

namespace {
Limits shortLimits() {
  Limits limits;
  limits.seconds = 0.3;
  limits.memory = 256L << 20;
  return limits;
}

std::string sleepForever() {
  for (;;)
    ::pause();
}

double secondsOf(const std::function<void()> &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
} // namespace

TEST(Isolate, ResultsComeBack) {
  const std::string large(1 << 20, 'x'); // more than a pipe holds
  const Outcome outcome = runIsolated([&] { return large; }, Limits());
  EXPECT_EQ(outcome.ending, Ending::Done);
  EXPECT_EQ(outcome.text, large);
}

TEST(Isolate, WhatItWritesIsKept) {
  const Outcome outcome = runIsolated(
      [] {
        std::cerr << "to errors" << std::flush;
        std::cout << ", to output" << std::flush;
        return std::string("done");
      },
      Limits());
  EXPECT_EQ(outcome.text, "done");
  EXPECT_EQ(outcome.errors, "to errors, to output");
}

TEST(Isolate, FloodsOfMessagesAreCutAndStopNothing) {
  const Outcome outcome = runIsolated(
      [] {
        for (int each = 0; each < 100000; ++each)
          std::cerr << "message " << each << "\n";
        return std::string("done");
      },
      Limits());
  EXPECT_EQ(outcome.text, "done");
  EXPECT_LE(outcome.errors.size(), 16384u);
}

TEST(Isolate, NothingOfItStays) {
  int value = 1;
  EXPECT_EQ(runIsolated([&] { return std::to_string(++value); }, Limits()).text, "2");
  EXPECT_EQ(value, 1);
}

TEST(Isolate, CrashesAreTold) {
  const Outcome outcome = runIsolated(
      []() -> std::string {
        ::raise(SIGSEGV);
        return "";
      },
      Limits());
  EXPECT_EQ(outcome.ending, Ending::Crashed);
  EXPECT_EQ(outcome.text, "SIGSEGV");
  EXPECT_EQ(runIsolated([]() -> std::string { ::_exit(5); }, Limits()).text, "exit code 5");
  const Outcome thrown = runIsolated([]() -> std::string { throw std::runtime_error("no such symbol"); }, Limits());
  EXPECT_EQ(thrown.ending, Ending::Crashed);
  EXPECT_EQ(thrown.errors, "no such symbol");
}

TEST(Isolate, WhatHangsIsEnded) {
  Outcome outcome;
  EXPECT_LT(secondsOf([&] { outcome = runIsolated(sleepForever, shortLimits()); }), 5);
  EXPECT_EQ(outcome.ending, Ending::TimedOut);
}

TEST(Isolate, WhatItStartedIsEndedToo) {
  const Outcome outcome = runIsolated(
      [] {
        const pid_t other = ::fork();
        if (other == 0)
          sleepForever();
        return std::to_string(other);
      },
      Limits());
  // Its parent is gone, so whoever takes its place as that collects it.
  const pid_t other = std::stoi(outcome.text);
  for (int wait = 0; wait < 500 && ::kill(other, 0) == 0; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (std::system(("grep -q '^State:.*Z' /proc/" + outcome.text + "/status 2>/dev/null").c_str()) == 0)
      return; // dead, and nobody collects
  }
  EXPECT_NE(::kill(other, 0), 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Isolate, MemoryIsBounded) {
  const Outcome outcome = runIsolated(
      [] {
        std::vector<std::vector<char>> hoard;
        for (;;)
          hoard.emplace_back(16 << 20, 1);
        return std::string();
      },
      {60, 256L << 20});
  EXPECT_EQ(outcome.ending, Ending::OutOfMemory);
  EXPECT_EQ(outcome.text, "more than 256 MiB");
}
#endif

TEST(Isolate, SeveralRunAtOnce) {
  std::vector<Work> works(6, [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return std::string("slept");
  });
  int done = 0;
  const double seconds = secondsOf(
      [&] { runIsolated(works, 6, Limits(), [&](int, Outcome outcome) { done += outcome.text == "slept"; }); });
  EXPECT_EQ(done, 6);
  EXPECT_LT(seconds, 1.5);
}

TEST(Isolate, OneThatCrashesCostsOnlyItself) {
  const std::vector<Work> works = {[] { return std::string("a"); }, []() -> std::string { ::abort(); },
                                   [] { return std::string("c"); }};
  std::vector<Outcome> outcomes(works.size());
  runIsolated(works, 2, Limits(), [&](int index, Outcome outcome) { outcomes[index] = std::move(outcome); });
  EXPECT_EQ(outcomes[0].text, "a");
  EXPECT_EQ(outcomes[1].text, "SIGABRT");
  EXPECT_EQ(outcomes[2].text, "c");
}

TEST(Isolate, InterruptionEndsThemAndNotUs) {
  const Interruption interruption;
  std::thread signaller([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::kill(::getpid(), SIGINT);
  });
  std::vector<Ending> endings;
  runIsolated({sleepForever, sleepForever, sleepForever}, 2, Limits(),
              [&](int, const Outcome &outcome) { endings.push_back(outcome.ending); });
  signaller.join();
  EXPECT_EQ(endings, std::vector<Ending>(3, Ending::Interrupted));
  EXPECT_EQ(Interruption::signal(), SIGINT);
}
