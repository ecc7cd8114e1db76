// Every algorithm of algorithms/ against its serial elision, bitwise, on random sizes and options, with both sets of
// kernels: on tiles and on LAPACK arrays, with one and with several threads, with a tiny window; and spread over the
// ranks of a network inside this process, by all distributions for their number.
//
// There also by the loops of nodes that the compiler makes for one of the distributions, whose instances and releases
// are those of replay.
//
//   all_algorithms TYPE [--rounds 12] [--seed 1] [NAME ...]
#include "runtime/core/passes/replay.hpp"
#include "runtime/device/choice/devices.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/interfaces/cost.hpp"
#include "tests/integration/call_case.hpp"
#include "tests/integration/load_algorithm.hpp"
#include "tests/unit/runtime/core/ranks.hpp"
#include "tests/unit/runtime/core/recording_sink.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/executor.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>

namespace {

using tla::Storage;
using tla::StorageRef;
namespace rt = tla::runtime;

using tla::test::Case;

/// The algorithm's matrices, filled with numbers that depend on the position only: random, with a dominant diagonal
/// where the algorithm asks for more than random.
class Operands {
public:
  Operands(const rt::Algorithm &algorithm, const Case &c) : scalars_(c.scalars) {
    const rt::Values values{c.m, c.n, c.k, scalars_.data(), c.period};
    for (int i = 0; i < algorithm.matrixCount; ++i)
      add(algorithm.matrices[i], values, c, i);
    for (StorageRef &ref : refs_)
      pointers_.push_back(&*ref);
  }

  rt::Arguments arguments() const { return {pointers_.data(), scalars_.data()}; }

  /// Forgets the tiles of other ranks, on one of several.
  void keepTilesOf(const tla::Distribution &distribution, int rank) {
    for (StorageRef &ref : refs_)
      forEachTile(*ref, [&](int i, int j) {
        if (distribution.node(i, j) != rank)
          ref->setTile(i, j, nullptr);
      });
  }
  /// Takes those tiles of another rank's operands that are that rank's own.
  void gather(const Operands &rank) {
    for (std::size_t m = 0; m < refs_.size(); ++m)
      forEachTile(*refs_[m], [&](int i, int j) {
        if (void *const tile = rank.refs_[m]->tile(i, j))
          refs_[m]->setTile(i, j, tile);
      });
  }

  bool operator==(const Operands &other) const {
    for (std::size_t i = 0; i < refs_.size(); ++i)
      if (!same(*refs_[i], *other.refs_[i]))
        return false;
    return true;
  }

private:
  void add(const rt::MatrixParameter &matrix, const rt::Values &values, const Case &c, int number) {
    const std::size_t bytes = elementBytes(matrix.type);
    if (matrix.workspace) {
      refs_.push_back(tla::host::describeStorage(matrix, values, static_cast<int>(c.nb)));
      refs_.back()->allocate();
      clear(*refs_.back());
      return;
    }
    const int rows = static_cast<int>(matrix.rows(values)), cols = static_cast<int>(matrix.cols(values));
    refs_.emplace_back(new Storage(rows, cols, static_cast<int>(c.nb), static_cast<int>(c.nb), bytes, matrix.shape));
    refs_.back()->setPeriod(c.period);
    if (c.columns) {
      const int lda = rows + 3;
      arrays_.emplace_back(static_cast<std::size_t>(lda) * (cols + 1) * bytes);
      refs_.back()->wrap(arrays_.back().data(), lda);
    } else
      refs_.back()->allocate();
    clear(*refs_.back());
    if (matrix.type != rt::ElementType::I)
      fill(*refs_.back(), matrix, number);
  }

  template <typename Visit> static void forEachTile(const Storage &storage, Visit visit) {
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j))
          visit(i, j);
  }

  static void clear(Storage &storage) {
    forEachColumn(storage,
                  [&](char *column, int, int, int rows) { std::memset(column, 0, rows * storage.elementBytes()); });
  }

  static void fill(Storage &storage, const rt::MatrixParameter &matrix, int number) {
    const bool single = matrix.type == rt::ElementType::S || matrix.type == rt::ElementType::C;
    const int reals = matrix.type == rt::ElementType::C || matrix.type == rt::ElementType::Z ? 2 : 1;
    const bool dominant = std::strcmp(matrix.generator, "random") != 0;
    forEachColumn(storage, [&](char *column, int row, int j, int rows) {
      for (int e = 0; e < rows * reals; ++e) {
        const int i = row + e / reals;
        double value = noise(((number * 1009UL + i) * 1009UL + j) * 2UL + e % reals);
        if (i == j && dominant)
          value = e % reals == 0 ? value + storage.m() + storage.n() : 0;
        if (single)
          reinterpret_cast<float *>(column)[e] = static_cast<float>(value);
        else
          reinterpret_cast<double *>(column)[e] = value;
      }
    });
  }

  /// A number in [-1, 1), by the finalizer of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
  static double noise(std::uint64_t position) {
    std::uint64_t x = (position + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return static_cast<double>(x >> 11) * 0x1p-52 - 1;
  }

  /// visit(first element, its row, its column, rows) for every column of every stored tile.
  template <typename Visit> static void forEachColumn(const Storage &storage, Visit visit) {
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        for (int c = 0; storage.stores(i, j) && c < storage.tileCols(j); ++c)
          visit(static_cast<char *>(storage.tile(i, j)) +
                    static_cast<std::size_t>(c) * storage.ld(i) * storage.elementBytes(),
                i * storage.mb(), j * storage.nb() + c, storage.tileRows(i));
  }

  static bool same(const Storage &a, const Storage &b) {
    bool equal = true;
    std::vector<const char *> columns;
    forEachColumn(a, [&](const char *column, int, int, int) { columns.push_back(column); });
    std::size_t next = 0;
    forEachColumn(b, [&](const char *column, int, int, int rows) {
      equal &= std::memcmp(columns[next++], column, rows * b.elementBytes()) == 0;
    });
    return equal;
  }

  std::vector<rt::ScalarValue> scalars_;
  std::vector<std::vector<char>> arrays_;
  std::vector<StorageRef> refs_;
  std::vector<Storage *> pointers_;
};

using Devices = std::vector<std::unique_ptr<rt::Accelerator>>;

/// Nodes with one to three emulated accelerators: all columns on these, or some on the host.
std::vector<Devices> makeDevices() {
  std::vector<Devices> devices;
  for (const char *text : {"emulated:1", "emulated:2,mem=3M", "emulated:3"}) {
    devices.push_back(rt::openDevices(rt::parseDevices(text)));
  }
  return devices;
}

struct Node {
  std::unique_ptr<rt::Executor> executor;
  rt::CostOptions devices; ///< options with the devices, for counting
};

std::vector<Node> makeNodes(const std::vector<Devices> &all) {
  std::vector<Node> nodes;
  for (const auto &[threads, window, renameBytes] : {std::tuple{1, 4096, std::size_t{0}},
                                                     {2, 4096, std::size_t{1} << 20},
                                                     {5, 4096, std::size_t{1} << 20},
                                                     {3, 2, std::size_t{1} << 20}}) {
    rt::Options options;
    options.threads = threads;
    options.window = window;
    options.renameBytes = renameBytes;
    options.pin = false;
    nodes.push_back({std::make_unique<rt::Executor>(options), {}});
  }
  for (const Devices &devices : all) {
    rt::Options options;
    rt::CostOptions counted;
    options.threads = 2;
    options.pin = false;
    options.hostWeight = counted.hostWeight = devices.size() == 3;
    for (const auto &device : devices) {
      const rt::AcceleratorProperties &properties = device->properties();
      options.accelerators.push_back(device.get());
      counted.devices.push_back({properties.name, properties.memoryBytes, properties.granularity});
    }
    nodes.push_back({std::make_unique<rt::Executor>(options), std::move(counted)});
  }
  return nodes;
}

/// The run did what a count beforehand says.
bool asCounted(const rt::Algorithm &algorithm, const Operands &operands, const rt::CostOptions &devices,
               const rt::Statistics &done) {
  const rt::Cost cost = rt::predictCost(algorithm, operands.arguments(), tla::Distribution(), devices);
  return rt::isAsCounted(done, cost.nodes[0]);
}

/// Prints what differs. With these operands no algorithm stops: a run that does is wrong, too.
bool agrees(const rt::Algorithm &algorithm, const Case &c, std::vector<Node> &executors) {
  const Operands expected(algorithm, c);
  algorithm.serial(expected.arguments());
  for (const auto &[executor, devices] : executors) {
    const Operands actual(algorithm, c);
    const rt::Outcome outcome = executor->run(algorithm, actual.arguments());
    const bool finished = outcome.kind == rt::Outcome::Kind::Finished;
    if (finished && actual == expected && asCounted(algorithm, actual, devices, outcome.statistics))
      continue;
    std::cout << algorithm.name << ": " << executor->threads() << " threads, " << outcome.statistics.devices.size()
              << " accelerators, " << c << ": ";
    if (finished)
      std::cout << (actual == expected ? "differs from what was counted\n" : "differs from the serial elision\n");
    else
      std::cout << "ended early: " << outcome.message << " info " << outcome.info << " " << outcome.kernel << " "
                << outcome.location << "\n";
    return false;
  }
  return true;
}

/// Runs on the ranks of a network. Each call takes the next distribution.
class Nodes {
public:
  Nodes() {
    for (const auto &[ranks, window] : {std::pair{2, 4096}, {3, 2}, {4, 64}, {5, 4096}, {6, 4096}, {7, 3}, {8, 4096}})
      for (tla::Distribution &distribution : tla::candidateDistributions(ranks, true, {7, 6})) {
        if (networks_.empty() || networks_.back()->count() != ranks)
          networks_.push_back(std::make_unique<tla::test::Ranks>(ranks, rt::Options{.threads = 1, .window = window}));
        distributions_.emplace_back(networks_.back().get(), std::move(distribution));
      }
  }

  bool agree(const rt::Algorithm &algorithm, const Case &c) {
    OnRanks &on = distributions_[turn_++ % distributions_.size()];
    return agree(algorithm, c.on(on.second), on);
  }
  /// With the generators of nodes that the algorithm was compiled with.
  bool agreeSpecialized(const rt::Algorithm &algorithm, const Case &c) {
    const auto same = [&](const auto &one) { return one.second.name() == algorithm.distribution; };
    OnRanks &on = *std::find_if(distributions_.begin(), distributions_.end(), same);
    const Case mine = c.on(on.second);
    return sameInstances(algorithm, mine, on.second) && agree(algorithm, mine, on);
  }

private:
  using OnRanks = std::pair<tla::test::Ranks *, tla::Distribution>;

  static bool sameInstances(const rt::Algorithm &algorithm, const Case &c, const tla::Distribution &distribution) {
    const Operands operands(algorithm, c);
    const rt::Arguments arguments = operands.arguments();
    const auto generate = [&](rt::Generator &generator) { algorithm.generate(generator, arguments); };
    for (int node = 0; node < distribution.nodes(); ++node) {
      tla::test::RecordingSink whole(distribution), own(distribution);
      rt::generateInstances(rt::replay(generate, distribution, node), distribution, node, whole);
      rt::generateInstances(rt::nodeProgram(algorithm, arguments, distribution, node), distribution, node, own);
      if (own.lines == whole.lines)
        continue;
      const auto [first, other] =
          std::mismatch(own.lines.begin(), own.lines.end(), whole.lines.begin(), whole.lines.end());
      std::cout << algorithm.name << ": node " << node << " of " << distribution.name() << ", " << c
                << ": its own loops say \"" << (first == own.lines.end() ? "end" : *first) << "\", the whole program \""
                << (other == whole.lines.end() ? "end" : *other) << "\"\n";
      return false;
    }
    return true;
  }

  static bool agree(const rt::Algorithm &algorithm, const Case &c, OnRanks &on) {
    auto &[ranks, distribution] = on;
    const Operands expected(algorithm, c);
    algorithm.serial(expected.arguments());
    std::vector<std::unique_ptr<Operands>> operands;
    for (int rank = 0; rank < ranks->count(); ++rank) {
      operands.push_back(std::make_unique<Operands>(algorithm, c));
      operands.back()->keepTilesOf(distribution, rank);
    }
    const auto outcomes = ranks->run([&](int rank, rt::Executor &executor) {
      executor.distribute(distribution);
      return executor.run(algorithm, operands[rank]->arguments());
    });
    Operands actual(algorithm, c);
    for (const auto &rank : operands)
      actual.gather(*rank);
    if (outcomes[0].kind == rt::Outcome::Kind::Finished && actual == expected)
      return true;
    std::cout << algorithm.name << ": " << distribution.name() << ", " << c << ": "
              << (outcomes[0].kind == rt::Outcome::Kind::Finished ? "differs from the serial elision"
                                                                  : "ended early: " + outcomes[0].message)
              << "\n";
    return false;
  }

  std::vector<std::unique_ptr<tla::test::Ranks>> networks_;
  std::vector<OnRanks> distributions_;
  std::size_t turn_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  tla::test::compileAsHetc();
  CLI::App app("every algorithm against its serial elision");
  std::string type = "d";
  unsigned rounds = 12;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  app.add_option("type", type, "s, d, c or z")->required()->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("--rounds", rounds, "cases for each algorithm and set of kernels")->capture_default_str();
  app.add_option("--seed", seed, "of the cases")->capture_default_str();
  app.add_option("names", names, "algorithms; all by default");
  CLI11_PARSE(app, argc, argv);

  const std::vector<Devices> devices = makeDevices();
  auto executors = makeNodes(devices);
  Nodes nodes;
  unsigned failures = 0, algorithms = 0, specialized = 0;
  for (const std::filesystem::path &file : tla::test::algorithmFiles(names)) {
    const rt::Algorithm *const algorithm = tla::test::loadAlgorithm(file, type[0], 1, "");
    // The generators of nodes are the same for all types, and take isl a while.
    const rt::Algorithm *const ofNodes =
        type == "d" ? tla::test::loadAlgorithm(file, type[0], 1, tla::test::gridOf(algorithms)) : algorithm;
    ++algorithms;
    specialized += ofNodes && ofNodes->generateNode;
    if (!algorithm || !ofNodes) {
      ++failures;
      continue;
    }
    for (const char *kernels : {"reference", "auto"}) {
      tla::kernels::installKernels(kernels);
      tla::test::CaseWriter cases(seed);
      for (unsigned round = 0; round < rounds; ++round) {
        const Case next = cases.next(*algorithm);
        failures += !agrees(*algorithm, next, executors);
        failures += !nodes.agree(*algorithm, next);
        if (ofNodes->generateNode)
          failures += !nodes.agreeSpecialized(*ofNodes, next);
      }
    }
  }
  std::cout << algorithms << " algorithms, " << specialized << " with generators of nodes, " << failures
            << " failures\n";
  // The comparison with the generators of nodes must not become idle: most algorithms have them.
  const bool idle = type == "d" && algorithms > 10 && 2 * specialized < algorithms;
  return failures || !algorithms || idle ? 1 : 0;
}
