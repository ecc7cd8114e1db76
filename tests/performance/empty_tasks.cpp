// What a task costs when its kernel does nothing: nanoseconds per task and bytes per task in flight, for independent
// tasks, one chain, and the Cholesky pattern. Kernels that only wait give METG(50%), the task length at which half of
// all threads' time is work (Slaughter et al., Task Bench, SC20).
#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {
const TaskClass emptyClass{"empty", "empty_tasks.cpp:1", [](const TaskView &) { return 0; }, nullptr};

/// Waits as many nanoseconds as the run's parameter says.
const TaskClass waitClass{"wait", "empty_tasks.cpp:2",
                          [](const TaskView &task) {
                            using Clock = std::chrono::steady_clock;
                            const auto end = Clock::now() + std::chrono::nanoseconds(task.parameters<long>());
                            while (Clock::now() < end)
                              ;
                            return 0;
                          },
                          nullptr};
const TaskClass *taskClass = &emptyClass;

using Pattern = long (*)(Generator &, TileTable &, int tiles);

void append(Generator &generator, std::initializer_list<TileAccess> accesses) {
  generator.append({*taskClass, 0, nullptr, 0, accesses.begin(), static_cast<int>(accesses.size())});
}

/// Far fewer in flight at once than there are tiles.
long independent(Generator &generator, TileTable &A, int tiles) {
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round)
    for (int j = 0; j < tiles; ++j)
      for (int i = 0; i < tiles; ++i)
        append(generator, {{&A, i, j, Access::ReadWrite}});
  return static_cast<long>(tiles) * tiles * rounds;
}

long chain(Generator &generator, TileTable &A, int tiles) {
  const long tasks = static_cast<long>(tiles) * tiles;
  for (long t = 0; t < tasks; ++t)
    append(generator, {{&A, 0, 0, Access::ReadWrite}});
  return tasks;
}

/// The tasks of algorithms/cholesky.tla.
long cholesky(Generator &generator, TileTable &A, int tiles) {
  long tasks = 0;
  for (int k = 0; k < tiles; ++k) {
    append(generator, {{&A, k, k, Access::ReadWrite}});
    for (int i = k + 1; i < tiles; ++i)
      append(generator, {{&A, k, k, Access::Read}, {&A, i, k, Access::ReadWrite}});
    for (int j = k + 1; j < tiles; ++j) {
      append(generator, {{&A, j, k, Access::Read}, {&A, j, j, Access::ReadWrite}});
      for (int i = j + 1; i < tiles; ++i)
        append(generator, {{&A, i, k, Access::Read}, {&A, j, k, Access::Read}, {&A, i, j, Access::ReadWrite}});
      tasks += tiles - j;
    }
    tasks += tiles - k;
  }
  return tasks;
}

struct Row {
  std::string bench;
  int threads;
  double ns, min, max;
  double bytes;
};

Row measure(const char *name, Pattern pattern, int tiles, int threads, int repetitions) {
  Options options;
  options.threads = threads;
  Executor executor(options);
  Storage storage(tiles, tiles, 1, 1, sizeof(double), Shape::General);
  storage.allocate();
  std::vector<double> ns;
  double bytes = 0;
  for (int r = 0; r < repetitions + 1; ++r) { // the first run starts threads and touches memory
    long tasks = 0;
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome =
        executor.run([&](Generator &generator) { tasks = pattern(generator, generator.matrix(storage, "A"), tiles); });
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    if (r)
      ns.push_back(time.count() / static_cast<double>(tasks));
    // Memory comes in blocks: it says what a task takes only when the window was full.
    if (outcome.statistics.peakTasks == static_cast<std::size_t>(options.window))
      bytes = static_cast<double>(outcome.statistics.windowBytes) / static_cast<double>(outcome.statistics.peakTasks);
  }
  std::sort(ns.begin(), ns.end());
  return {name, threads, ns[ns.size() / 2], ns.front(), ns.back(), bytes};
}

/// The shortest wait, in steps of 20 %, with which the Cholesky pattern spends half of its threads' time waiting.
Row measureMetg(int tiles, int threads) {
  taskClass = &waitClass;
  Options options;
  options.threads = threads;
  Executor executor(options);
  Storage storage(tiles, tiles, 1, 1, sizeof(double), Shape::General);
  storage.allocate();
  constexpr long longest = 20000; // a machine that is busy otherwise may never get there
  long wait = 50;
  for (double efficiency = 0; efficiency < 0.5 && wait < longest; wait += wait / 5) {
    long tasks = 0;
    std::vector<double> seconds;
    for (int r = 0; r < 3; ++r)
      seconds.push_back(executor
                            .run([&](Generator &generator) {
                              generator.setParameters(&wait);
                              tasks = cholesky(generator, generator.matrix(storage, "A"), tiles);
                            })
                            .statistics.seconds);
    std::sort(seconds.begin(), seconds.end());
    efficiency = static_cast<double>(tasks) * static_cast<double>(wait) * 1e-9 / (threads * seconds[1]);
  }
  taskClass = &emptyClass;
  const double ns = static_cast<double>(wait) / 1.2;
  return {"metg50_cholesky", threads, ns, ns, ns, 0};
}

int usage() {
  std::fprintf(stderr, "usage: empty_tasks [--json] [--threads N] [--tiles N] [--repeat N] [--only PATTERN]\n");
  return 2;
}

void print(const Row &row, bool json, bool last) {
  if (json)
    std::printf("{\"bench\": \"%s\", \"threads\": %d, \"ns\": %.1f, \"min\": %.1f, \"max\": %.1f, \"bytes_per_task\": "
                "%.0f}%s\n",
                row.bench.c_str(), row.threads, row.ns, row.min, row.max, row.bytes, last ? "" : ",");
  else
    std::printf("%-24s %d threads  %7.1f ns/task  (%.1f .. %.1f)  %4.0f bytes per task in flight\n", row.bench.c_str(),
                row.threads, row.ns, row.min, row.max, row.bytes);
  std::fflush(stdout);
}
} // namespace

int main(int argc, char **argv) {
  bool json = false;
  int threads = 0, tiles = 100, repetitions = 15;
  std::string only;
  for (int a = 1; a < argc; ++a) {
    const auto is = [&](const char *name) { return std::strcmp(argv[a], name) == 0 && a + 1 < argc; };
    if (std::strcmp(argv[a], "--json") == 0)
      json = true;
    else if (is("--threads"))
      threads = std::atoi(argv[++a]);
    else if (is("--tiles"))
      tiles = std::atoi(argv[++a]);
    else if (is("--repeat"))
      repetitions = std::atoi(argv[++a]);
    else if (is("--only"))
      only = argv[++a];
    else
      return usage();
  }
  if (tiles < 1 || repetitions < 1 || threads < 0)
    return usage();
  const struct {
    const char *name;
    Pattern pattern;
    int tiles;
  } patterns[] = {{"empty_independent", independent, 3 * tiles},
                  {"empty_chain", chain, 3 * tiles},
                  {"empty_cholesky", cholesky, tiles}};
  std::vector<Row> rows;
  for (const auto &[name, pattern, size] : patterns)
    for (int t : threads ? std::vector<int>{threads} : std::vector<int>{1, 2})
      if (only.empty() || std::string(name).find(only) != std::string::npos)
        rows.push_back(measure(name, pattern, size, t, repetitions));
  for (int t : threads ? std::vector<int>{threads} : std::vector<int>{1, 2})
    if (only.empty() || std::string("metg50_cholesky").find(only) != std::string::npos)
      rows.push_back(measureMetg(std::min(tiles, 60), t));
  if (json)
    std::printf("[\n");
  for (std::size_t r = 0; r < rows.size(); ++r)
    print(rows[r], json, r + 1 == rows.size());
  if (json)
    std::printf("]\n");
}
