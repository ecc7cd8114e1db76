#include "lapack/thread_limit.hpp"

#include <gtest/gtest.h>

namespace tla::lapack {
namespace {

TEST(ThreadLimit, TheHostMayGiveItsBlasFewer) {
  EXPECT_EQ(allowedThreads(8, {{.threads = 2, .builtWith = 64}, {}}, false), 2);
  EXPECT_EQ(allowedThreads(8, {{}, {.threads = 1, .builtWith = 0}}, false), 1);
  EXPECT_EQ(allowedThreads(8, {{.threads = 8, .builtWith = 64}}, false), 8);
  EXPECT_EQ(allowedThreads(8, {{.threads = 12, .builtWith = 64}}, false), 8);
  EXPECT_EQ(allowedThreads(8, {}, false), 8);
}

TEST(ThreadLimit, WhatABlasWasBuiltForIsNoWish) {
  EXPECT_EQ(allowedThreads(128, {{.threads = 64, .builtWith = 64}}, false), 128);
  EXPECT_EQ(allowedThreads(128, {{.threads = 64, .builtWith = 64}}, true), 64) << "said in the environment";
  EXPECT_EQ(allowedThreads(128, {{.threads = 64, .builtWith = 128}}, false), 64);
  EXPECT_EQ(allowedThreads(128, {{.threads = 64, .builtWith = 64}, {.threads = 32, .builtWith = 64}}, false), 32);
}

TEST(ThreadLimit, TheBuildSaysItsThreads) {
  EXPECT_EQ(threadsOfBuild("OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY SkylakeX MAX_THREADS=64"), 64);
  EXPECT_EQ(threadsOfBuild("OpenBLAS 0.3.34  USE64BITINT DYNAMIC_ARCH MAX_THREADS=128, core type Zen"), 128);
  EXPECT_EQ(threadsOfBuild("OpenBLAS 0.2.20 SINGLE_THREADED"), 0);
}

} // namespace
} // namespace tla::lapack
