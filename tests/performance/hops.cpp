// What it costs a chain of tasks to go from one rank to the other: task t runs on rank t mod 2 and reads what task
// t - 1 has written on the other one. Through the executor and the network, as in a run.
//
//   mpirun -n 2 hops [--json] [--hops N] [--repeat N] [--tile ORDER]
//
// Microseconds per hop with tasks that do nothing: a kernel, a message, and all that wakes up in between. Tasks that
// only wait give METG(50%), the task length with which half of the chain's time is work (Slaughter et al., SC20).
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/runtime/executor.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

/// Waits as many nanoseconds as the run's parameter says.
const TaskClass waitClass{"wait", "hops.cpp:1",
                          [](const TaskView &task) {
                            using Clock = std::chrono::steady_clock;
                            const long wait = task.parameters<long>();
                            if (wait == 0)
                              return 0;
                            const auto end = Clock::now() + std::chrono::nanoseconds(wait);
                            while (Clock::now() < end)
                              ;
                            return 0;
                          },
                          nullptr};

/// Two tiles, one on each rank, and the tasks that go back and forth between them.
class Chain {
public:
  Chain(Transport &transport, int order, int hops)
      : transport_(transport), executor_(options(transport)),
        storage_(2 * order, order, order, order, sizeof(double), Shape::General), hops_(hops) {
    executor_.distribute(Distribution::blockCyclic(2, 1));
    storage_.allocate([&](int i, int) { return i == transport.rank(); });
  }

  /// Seconds per hop, on the slower rank, when each task waits for `wait` nanoseconds.
  double secondsPerHop(long wait) {
    transport_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    executor_.run([&](Generator &generator) {
      TileTable &A = generator.matrix(storage_, "A");
      generator.setParameters(&wait);
      for (int t = 0; t < hops_; ++t) {
        const TileAccess accesses[] = {{&A, (t + 1) % 2, 0, Access::Read}, {&A, t % 2, 0, Access::ReadWrite}};
        generator.append({waitClass, 0, nullptr, 0, accesses, 2});
      }
    });
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    double seconds = time.count();
    transport_.max(&seconds, 1);
    return seconds / hops_;
  }

private:
  static Options options(Transport &transport) {
    Options options;
    options.threads = 1;
    options.transport = &transport;
    return options;
  }

  Transport &transport_;
  Executor executor_;
  Storage storage_;
  const int hops_;
};

struct Row {
  double median, min, max; ///< seconds
};

Row measure(Chain &chain, long wait, int repeat) {
  std::vector<double> seconds;
  for (int r = 0; r < repeat; ++r)
    seconds.push_back(chain.secondsPerHop(wait));
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

/// In steps of 20 %; the same on both ranks, whose times are.
Row measureMetg(Chain &chain, int repeat) {
  constexpr long longest = 10'000'000; // nanoseconds; a machine that is busy otherwise may never get there
  long wait = 1000;
  while (wait < longest && static_cast<double>(wait) * 1e-9 < 0.5 * measure(chain, wait, repeat).median)
    wait += wait / 5;
  const double seconds = static_cast<double>(wait) * 1e-9;
  return {seconds, seconds, seconds};
}

void print(const char *bench, const Row &row, bool json) {
  if (json)
    std::printf("{\"bench\": \"%s\", \"ns\": %.0f, \"min\": %.0f, \"max\": %.0f}\n", bench, 1e9 * row.median,
                1e9 * row.min, 1e9 * row.max);
  else
    std::printf("%-12s %8.2f us (%.2f .. %.2f)\n", bench, 1e6 * row.median, 1e6 * row.min, 1e6 * row.max);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("hops: what a chain of tasks between two ranks costs");
  bool json = false;
  int hops = 2000, repeat = 9, order = 1;
  app.add_flag("--json", json);
  app.add_option("--hops", hops)->check(CLI::PositiveNumber);
  app.add_option("--repeat", repeat)->check(CLI::PositiveNumber);
  app.add_option("--tile", order, "order of the tiles that travel")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const std::unique_ptr<Transport> transport = connect(detectLaunch());
  if (!transport || transport->size() != 2) {
    std::fprintf(stderr, "run it by mpirun -n 2\n");
    return 2;
  }
  Chain chain(*transport, order, hops);
  chain.secondsPerHop(0); // the first run starts threads and touches memory
  const Row empty = measure(chain, 0, repeat);
  const Row metg = measureMetg(chain, std::max(1, repeat / 3));
  if (transport->rank() == 0) {
    print("hop", empty, json);
    print("metg50_hop", metg, json);
  }
}
