// A rank that cannot start all its threads, as at a limit of the system, computes with those that it has.
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
/// How many more threads the calling thread can start.
thread_local int threadsLeft = 1000;
} // namespace

/// Replaces the library's function.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                              void *argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return threadsLeft-- > 0 ? create(thread, attributes, start, argument) : EAGAIN;
}

namespace {

const TaskClass touch{"touch", "program.tla:1", [](const TaskView &) { return 0; }, nullptr};

TEST(DistributedThreads, AreFewerWhereTheSystemStartsNoMore) {
  const auto runWith = [&](int rank, Executor &executor, int threads) {
    executor.distribute(Distribution::blockCyclic(3, 1));
    Storage storage(3, 1, 1, 1, sizeof(double), Shape::General);
    storage.allocate([&](int i, int) { return i == rank; });
    threadsLeft = threads;
    return executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(storage, "A");
      for (int i = 0; i < 3; ++i) {
        const TileAccess accesses[] = {{&table, i, 0, Access::ReadWrite}, {&table, (i + 1) % 3, 0, Access::Read}};
        generator.append({touch, 0, nullptr, 0, accesses, 2});
      }
    });
  };
  for (int tooFew = 0; tooFew < 3; ++tooFew) {
    Ranks ranks(3, {.threads = 4});
    for (int repetition = 0; repetition < 2; ++repetition)
      for (const Outcome &outcome :
           ranks.run([&](int rank, Executor &executor) { return runWith(rank, executor, rank == 1 ? tooFew : 1000); }))
        EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  }
}
} // namespace
