// What a rank costs in memory, as the ranks and the tiles of others become more: counted, and not measured, since each
// allocation of the process is seen. Ranks in virtual time run a short program, each its own part.
#include "runtime/distribution/distribution.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/network/virtual_network.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <malloc.h>

namespace {
/// The bytes that the process has of its heap, and the most of them at one time. One thread runs.
long inUse, mostInUse;
void *noted(void *memory) {
  if (memory)
    mostInUse = std::max(mostInUse, inUse += static_cast<long>(malloc_usable_size(memory)));
  return memory;
}
} // namespace

// They replace the library's, which are known by these names, too.
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);

void free(void *memory) noexcept {
  if (memory)
    inUse -= static_cast<long>(malloc_usable_size(memory));
  __libc_free(memory);
}
void *malloc(std::size_t bytes) noexcept { return noted(__libc_malloc(bytes)); }
void *calloc(std::size_t count, std::size_t bytes) noexcept { return noted(__libc_calloc(count, bytes)); }
void *realloc(void *memory, std::size_t bytes) noexcept {
  if (memory)
    inUse -= static_cast<long>(malloc_usable_size(memory));
  return noted(__libc_realloc(memory, bytes));
}
void *memalign(std::size_t alignment, std::size_t bytes) noexcept { return noted(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return memalign(alignment, bytes); }
int posix_memalign(void **memory, std::size_t alignment, std::size_t bytes) noexcept {
  *memory = memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
}

using namespace tla;
using namespace tla::runtime;

namespace {

constexpr int tilesOfRank = 8;
const TaskClass make{"gemm", "many_ranks_test.cpp:1", [](const TaskView &) { return 0; }, nullptr},
    use{"gemm", "many_ranks_test.cpp:2", [](const TaskView &) { return 0; }, nullptr};

/// Each rank writes the first tiles of its row, and reads those of the row above, which is another rank's. The matrix
/// may have many more columns, which nobody names.
void generateNode(Generator &generator, const Arguments &arguments, int x, int) {
  TileTable &table = generator.matrix(*arguments.matrices[0], "A");
  const int ranks = arguments.matrices[0]->mt(), above = (x + ranks - 1) % ranks, below = (x + 1) % ranks;
  for (int j = 0; j < tilesOfRank; ++j) {
    const TileAccess made{&table, x, j, Access::ReadWrite};
    generator.append({make, 0, nullptr, 0, &made, 1});
    generator.send(table, x, j, Region::Full, below);
    generator.receive(table, above, j, Region::Full, above);
    const TileAccess used[] = {{&table, x, j, Access::ReadWrite}, {&table, above, j, Access::Read}};
    generator.append({use, 0, nullptr, 0, used, 2});
  }
}

VirtualHardware hardware() {
  VirtualHardware machine;
  machine.coreSeconds = [](const TaskClass &, const TaskView &) { return 1e-3; };
  machine.busBytesPerSecond = 1e12;
  const VirtualLink link{1e12, 1e-6};
  machine.devices.push_back({.properties = {.name = "virtual:0", .memoryBytes = 1 << 20, .granularity = 64},
                             .has = [](const TaskClass &) { return true; },
                             .kernel = [](const TaskClass &, const TaskView &) { return KernelDemand{.work = 1e-3}; },
                             .in = link,
                             .out = link,
                             .peer = link});
  return machine;
}

/// Bytes of a rank: the most that all have at one time, divided by their number. `columns`: tiles of a row.
double bytesPerRank(int ranks, int columns) {
  const Distribution rows = Distribution::blockCyclic(ranks, 1);
  Storage storage(ranks, columns, 1, 1, sizeof(double), Shape::General);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < ranks; ++i)
      storage.setTile(i, j, reinterpret_cast<void *>(std::uintptr_t(64) * (1 + i + std::uintptr_t(j) * ranks)));
  Algorithm algorithm{};
  algorithm.distribution = rows.name().c_str();
  algorithm.generateNode = generateNode;
  Storage *const matrices[] = {&storage};

  VirtualTime time;
  VirtualCluster cluster(time);
  PortModel ports(time, ranks, 1e-6, 1e9);
  VirtualNetwork network(time, cluster, ports, ranks);
  const VirtualHardware machine = hardware();
  const long before = mostInUse = inUse;
  std::uint64_t received = 0;
  cluster.run(ranks, [&](int rank) {
    const VirtualNode node(machine, time, &cluster);
    Options options;
    options.threads = 1;
    options.window = 16;
    options.virtualMachine = &node.machine();
    options.accelerators = {node.accelerators()[0].get()};
    options.transport = &network.endpoint(rank);
    options.watchdogSeconds = 0;
    Executor executor(options);
    executor.distribute(rows);
    const Outcome outcome = executor.run(algorithm, {matrices, nullptr});
    EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
    received += outcome.statistics.transfers.received;
  });
  EXPECT_EQ(received, static_cast<std::uint64_t>(ranks) * tilesOfRank);
  return static_cast<double>(mostInUse - before) / ranks;
}

TEST(ManyRanks, ARanksMemoryDoesNotGrowWithTheTilesOfOthers) {
  const double few = bytesPerRank(64, tilesOfRank), many = bytesPerRank(64, 64 * tilesOfRank);
  EXPECT_LT(few, 200e3);
  EXPECT_LT(many, few + 256) << "32,768 tiles in place of 512, of which a rank names 16";
}

/// A rank knows of each other one where its tiles are (20 bytes of a grid), and how many messages went there and came.
TEST(ManyRanks, ARanksMemoryGrowsByStatedBytesForEachOther) {
  constexpr double stated = 40;
  const double few = bytesPerRank(64, tilesOfRank), many = bytesPerRank(1024, tilesOfRank);
  EXPECT_LT(many - few, stated * (1024 - 64)) << few << " bytes a rank of 64, " << many << " of 1,024";
}

} // namespace
