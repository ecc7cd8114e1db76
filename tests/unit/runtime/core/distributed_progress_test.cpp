// Who looks at the network: workers as well as the courier's thread, but one at a time.
#include "tests/unit/runtime/core/random_program.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

/// An endpoint as MPI's: it never says that something has come in. Counts calls by the thread that observes, and those
/// that overlap.
class Observed final : public Transport {
public:
  explicit Observed(Transport &transport) : transport_(transport) {}
  void observe(std::thread::id thread) { observed_ = thread; }
  int sends() const { return sends_; }
  int looks() const { return looks_; }
  int allLooks() const { return allLooks_; } ///< looks of all threads
  int overlaps() const { return overlaps_; }

  const char *name() const override { return "observed"; }
  int rank() const override { return transport_.rank(); }
  int size() const override { return transport_.size(); }

  void send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) override {
    const Call call(*this, sends_);
    transport_.send(destination, tag, data, bytes, token);
  }
  bool announced(Announcement &message) override {
    const Call call(*this, looks_);
    ++allLooks_;
    return transport_.announced(message);
  }
  void receive(const Announcement &message, void *buffer, void *token) override {
    const Call call(*this, others_);
    transport_.receive(message, buffer, token);
  }
  int finished(void **tokens, int room) override {
    const Call call(*this, others_);
    return transport_.finished(tokens, room);
  }
  void sendControl(int destination, const void *data, std::size_t bytes) override {
    const Call call(*this, others_);
    transport_.sendControl(destination, data, bytes);
  }
  bool receiveControl(int &source, std::vector<std::byte> &data) override {
    const Call call(*this, others_);
    return transport_.receiveControl(source, data);
  }
  bool receiversMove() const override { return true; }
  bool notifies() const override { return false; }
  void onActivity(std::function<void()>) override {}

  void barrier() override { transport_.barrier(); }
  void broadcast(void *data, std::size_t bytes, int root) override { transport_.broadcast(data, bytes, root); }
  void sum(double *values, std::size_t count) override { transport_.sum(values, count); }
  void max(double *values, std::size_t count) override { transport_.max(values, count); }
  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    return transport_.gather(data, bytes, root);
  }
  [[noreturn]] void abort(int exitCode) override {
    transport_.abort(exitCode);
    std::abort(); // not reached
  }

private:
  struct Call {
    Call(Observed &endpoint, std::atomic<int> &count) : endpoint(endpoint) {
      endpoint.overlaps_ += endpoint.inside_.exchange(true);
      count += std::this_thread::get_id() == endpoint.observed_;
    }
    ~Call() { endpoint.inside_ = false; }
    Observed &endpoint;
  };

  Transport &transport_;
  std::atomic<std::thread::id> observed_;
  std::atomic<bool> inside_ = false;
  std::atomic<int> sends_ = 0, looks_ = 0, allLooks_ = 0, others_ = 0, overlaps_ = 0;
};

/// Ranks on observed endpoints; what is counted are the calls of the threads that call Executor::run().
class ObservedRanks {
public:
  ObservedRanks(int count, Options options, LocalNetwork::Options network = {}) : network_(count, network) {
    options.pin = false;
    for (int rank = 0; rank < count; ++rank) {
      endpoints_.push_back(std::make_unique<Observed>(network_.endpoint(rank)));
      options.transport = endpoints_.back().get();
      executors_.push_back(std::make_unique<Executor>(options));
    }
  }
  Observed &operator[](int rank) { return *endpoints_[rank]; }

  template <typename Run> void run(Run run) {
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < executors_.size(); ++rank)
      threads.emplace_back([&, rank] {
        endpoints_[rank]->observe(std::this_thread::get_id());
        const Outcome outcome = run(static_cast<int>(rank), *executors_[rank]);
        EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
      });
    for (std::thread &thread : threads)
      thread.join();
  }

private:
  LocalNetwork network_;
  std::vector<std::unique_ptr<Observed>> endpoints_;
  std::vector<std::unique_ptr<Executor>> executors_;
};

/// Ends when 200 us have passed.
int compute(const TaskView &) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
  while (std::chrono::steady_clock::now() < end) {
  }
  return 0;
}

/// Tile 0 is rank 0's, tile 1 rank 1's. 100 tasks, each on `tileOf(task)`; every tenth one reads what rank 1 has made.
/// Their number is their index.
template <typename TileOf> void runTasks(ObservedRanks &ranks, TileOf tileOf, int (*run)(const TaskView &) = compute) {
  const TaskClass taskClass{"compute", "program.tla:1", run, nullptr};
  ranks.run([&](int rank, Executor &executor) {
    executor.distribute(Distribution::blockCyclic(2, 1));
    Storage storage(2, 1, 1, 1, sizeof(double), Shape::General);
    storage.allocate([&](int i, int) { return i == rank; });
    return executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(storage, "A");
      for (int task = 0; task < 100; ++task) {
        const TileAccess accesses[] = {{&table, tileOf(task), 0, Access::ReadWrite},
                                       {&table, 1 - tileOf(task), 0, Access::Read}};
        generator.append({taskClass, 0, &task, 1, accesses, tileOf(task) == 1 || task % 10 ? 1 : 2});
      }
    });
  });
}

TEST(DistributedProgress, AWorkerSendsWhatItHasMade) {
  ObservedRanks ranks(2, {.threads = 1});
  runTasks(ranks, [](int task) { return task % 2; });
  EXPECT_GT(ranks[1].sends(), 0);
}

TEST(DistributedProgress, WorkersLookBetweenTasks) {
  ObservedRanks ranks(2, {.threads = 1});
  runTasks(ranks, [](int task) { return task == 0 ? 1 : 0; });
  EXPECT_GT(ranks[0].looks(), 20); // its one receive accounts for a few
}

/// Rank 1's tasks end when rank 0's only worker, which waits for their result, has looked often, or after a second.
TEST(DistributedProgress, AWorkerWithoutWorkLooks) {
  constexpr int often = 20; // its one task and its one receive account for a few
  static std::atomic<const Observed *> waiting;
  static std::atomic<std::int64_t> end;
  int most = 0; // of several runs: the courier's thread may lose its core in the middle of a look of its own
  for (int run = 0; run < 20 && most <= often; ++run) {
    ObservedRanks ranks(2, {.threads = 1});
    waiting = &ranks[0];
    end = (std::chrono::steady_clock::now() + std::chrono::seconds(1)).time_since_epoch().count();
    runTasks(
        ranks, [](int task) { return task == 90 ? 0 : 1; },
        [](const TaskView &) {
          while (waiting.load()->looks() <= often &&
                 std::chrono::steady_clock::now().time_since_epoch().count() < end.load())
            std::this_thread::yield();
          return 0;
        });
    most = std::max(most, ranks[0].looks());
  }
  EXPECT_GT(most, often);
}

/// Rank 0 waits for a second. A look each 50 us, as after shorter waits, would be more than 10,000; a loaded machine
/// only makes them fewer.
TEST(DistributedProgress, ALongWaitTakesFewLooks) {
  ObservedRanks ranks(2, {.threads = 1});
  runTasks(
      ranks, [](int task) { return task == 10 ? 0 : 1; },
      [](const TaskView &task) {
        if (task.index(0) == 0)
          std::this_thread::sleep_for(std::chrono::seconds(1));
        return 0;
      });
  EXPECT_LT(ranks[0].allLooks(), 6000);
}

TEST(DistributedProgress, OneThreadAtATime) {
  constexpr int count = 3;
  for (const int window : {3, 8192}) {
    ObservedRanks ranks(count, {.threads = 3, .window = window},
                        {.delay = std::chrono::microseconds(window == 3 ? 100 : 0), .seed = 3});
    for (int seed = 0; seed < seeds(20); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " window " + std::to_string(window));
      const Program program = makeProgram(seed, 300);
      const Distribution distribution = randomTable(count, seed);
      std::vector<std::unique_ptr<ProgramData>> data;
      for (int rank = 0; rank < count; ++rank) {
        data.push_back(std::make_unique<ProgramData>(program, false));
        data.back()->keepTilesOf(distribution, rank);
      }
      ranks.run([&](int rank, Executor &executor) {
        executor.distribute(distribution);
        return executor.run([&](Generator &generator) { generate(program, *data[rank], generator); });
      });
      ProgramData serial(program, true);
      runSerially(program, serial);
      ASSERT_EQ(ProgramData::content(data, distribution), serial.content());
    }
    for (int rank = 0; rank < count; ++rank)
      EXPECT_EQ(ranks[rank].overlaps(), 0);
  }
}

} // namespace
