#include "runtime/trace/limits.hpp"

#include <gtest/gtest.h>

namespace tla::trace {
namespace {

/// A good run: its cores computed nearly all the time.
RunCounts goodRun() {
  RunCounts run;
  run.seconds = 1;
  run.threads = run.cores = 2;
  run.tasks = 2000;
  run.generation = 0.01;
  run.window = 8192;
  run.nb = 300;
  run.kernels = {{"gemm", 1900, 1.8, 80e9}, {"potrf", 100, 0.1, 3e9}};
  run.busy = {0.95};
  return run;
}

std::string causesOf(const RunCounts &run) {
  std::string causes;
  for (const Limit &limit : limitsOf(run))
    causes += (causes.empty() ? "" : " ") + limit.cause;
  return causes;
}

std::string textOf(const RunCounts &run) { return limitsText(limitsOf(run)); }

/// A run of as many seconds whose cores computed for that part of the time.
RunCounts idleRun(double busy) {
  RunCounts run = goodRun();
  run.busy = {busy};
  return run;
}

TEST(Limits, Cores) {
  EXPECT_EQ(textOf(goodRun()),
            "  verdict   the cores were the limit, not the graph: they computed for 95% of the time, at "
            "43.7 Gflop/s each; more cores or faster kernels help\n");
}

TEST(Limits, NothingIsSaidOfARunWithoutTasks) {
  EXPECT_EQ(causesOf({}), "");
  RunCounts run = goodRun();
  run.tasks = 0;
  EXPECT_EQ(textOf(run), "");
}

TEST(Limits, Debugging) {
  RunCounts run = goodRun();
  run.debugging = true;
  EXPECT_EQ(causesOf(run), "debugging");
}

TEST(Limits, FewTasks) {
  RunCounts run = goodRun();
  run.tasks = 4;
  run.nb = 1500;
  run.nbGiven = true;
  run.usualNb = 304;
  run.busy = {0.6};
  EXPECT_EQ(textOf(run),
            "  verdict   4 tasks for 2 threads: tiles of 1500 are too large for this problem; leave out --nb: "
            "hetc takes 304\n");
  run.ranks = 2;
  run.devices = {{"h200:0", 0.1, 1}};
  EXPECT_EQ(textOf(run).substr(0, 56), "  verdict   4 tasks for 2 ranks of 2 threads and 1 accel");
  run.threads = run.ranks = 1; // which needs no second task
  run.devices.clear();
  run.busy = {0.95};
  EXPECT_EQ(causesOf(run), "few-threads");
}

TEST(Limits, SmallTasks) {
  RunCounts run = goodRun();
  run.tasks = 1'000'000;
  run.nb = 16;
  run.kernels = {{"gemm", 1'000'000, 3, 1e9}};
  EXPECT_EQ(causesOf(run), "small-tasks cores");
  EXPECT_NE(textOf(run).find("tasks last 3.000 us on average: tiles of 16 are too small"), std::string::npos)
      << textOf(run);
  EXPECT_NE(textOf(run).find("larger --nb, or let a kernel do more"), std::string::npos);
}

TEST(Limits, BriefRun) {
  RunCounts run = idleRun(0.4);
  run.seconds = 5e-4;
  run.generation = 1e-4;
  EXPECT_EQ(causesOf(run), "brief-run");
}

TEST(Limits, ReferenceKernels) {
  RunCounts run = goodRun();
  run.referenceKernels = true;
  EXPECT_EQ(causesOf(run), "reference-kernels cores");
}

TEST(Limits, ManyThreads) {
  RunCounts run = goodRun();
  run.threads = 4;
  EXPECT_EQ(causesOf(run), "many-threads cores");
  EXPECT_NE(textOf(run).find("4 threads share 2 cores"), std::string::npos);
}

TEST(Limits, FewThreads) {
  RunCounts run = goodRun();
  run.threads = 1;
  EXPECT_EQ(causesOf(run), "few-threads");
  EXPECT_NE(textOf(run).find("1 thread of 2 cores"), std::string::npos);
}

TEST(Limits, SlowKernel) {
  RunCounts run = goodRun();
  run.kernels = {{"gemm", 1000, 0.4, 16e9}, {"scaleRows", 1000, 1.5, 0.5e9, true}};
  EXPECT_EQ(causesOf(run), "slow-kernel cores");
  EXPECT_NE(textOf(run).find("kernel scaleRows takes 79% of the kernels' time at 0.33 Gflop/s, the fastest has 40"),
            std::string::npos)
      << textOf(run);
  run.kernels.back().isOwn = false; // nobody would mend it
  EXPECT_EQ(causesOf(run), "cores");
  run.kernels.back() = {"scaleRows", 1000, 1.5, 0, true}; // nobody knows its rate
  EXPECT_EQ(causesOf(run), "cores");
}

TEST(Limits, UnevenRanks) {
  RunCounts run = goodRun();
  run.ranks = 4;
  run.busy = {0.2, 0.2, 0.9, 0.2};
  run.messages = 10;
  EXPECT_EQ(causesOf(run), "uneven-ranks");
  EXPECT_NE(textOf(run).find("rank 2 computed for 90% of the time, all ranks together for 38%"), std::string::npos);
}

TEST(Limits, Messages) {
  RunCounts run = goodRun();
  run.ranks = 2;
  run.busy = {0.5, 0.6};
  run.messages = 84;
  run.bytes = 3 << 20;
  EXPECT_EQ(causesOf(run), "messages");
  EXPECT_NE(textOf(run).find("rank 0 was idle for 50% of the time: 84 messages brought 3.0 MiB"), std::string::npos)
      << textOf(run);
  // A trace knows better.
  run.waits = {.messages = 0.4, .kernel = "potrf"};
  EXPECT_NE(textOf(run).find("idle cores waited for messages for 40% of the time"), std::string::npos);
  run.waits = {.messages = 0.01, .tasks = 0.4, .kernel = "potrf"};
  EXPECT_EQ(causesOf(run), "waiting");
  EXPECT_NE(textOf(run).find("tasks waited for potrf and one another"), std::string::npos);
}

TEST(Limits, Window) {
  RunCounts run = idleRun(0.5);
  run.windowFull = 7;
  run.window = 16;
  EXPECT_EQ(causesOf(run), "window");
  EXPECT_NE(textOf(run).find("cores were idle for 50% of the time, and the window of 16 tasks was full 7 times"),
            std::string::npos);
  run.waits = {.window = 0.01}; // which was not why
  EXPECT_EQ(causesOf(run), "waiting");
}

TEST(Limits, Loops) {
  RunCounts run = idleRun(0.5);
  run.generation = 0.8;
  EXPECT_EQ(causesOf(run), "loops");
  run.generation = 0;
  run.waits = {.loops = 0.3};
  EXPECT_EQ(causesOf(run), "loops");
}

TEST(Limits, Copies) {
  RunCounts run = idleRun(0.1);
  run.devices = {{"h200:0", 0.2, 5}, {"h200:1", 0.3, 1u << 30}};
  EXPECT_EQ(causesOf(run), "copies");
  EXPECT_NE(textOf(run).find("h200:1 computed for 30% of the time, and 1.0 GiB were copied"), std::string::npos)
      << textOf(run);
}

TEST(Limits, Devices) {
  RunCounts run = idleRun(0.1);
  run.devices = {{"h200:0", 0.9, 1u << 30}};
  EXPECT_EQ(causesOf(run), "devices");
}

TEST(Limits, Waiting) {
  EXPECT_EQ(causesOf(idleRun(0.5)), "waiting");
  EXPECT_NE(textOf(idleRun(0.5)).find("cores were idle for 50% of the time: tasks waited for one another"),
            std::string::npos);
}

TEST(Limits, TwoAtMost) {
  RunCounts run = idleRun(0.2);
  run.tasks = 3;
  run.threads = 8;
  run.referenceKernels = true;
  run.windowFull = 1;
  EXPECT_EQ(limitsOf(run).size(), 2u);
}

} // namespace
} // namespace tla::trace
