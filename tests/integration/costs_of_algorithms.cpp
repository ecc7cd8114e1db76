// Every algorithm of algorithms/ on several ranks of this process: each does exactly what its predicted cost says, and
// no more of other nodes' tiles are in memory. And the loops that the compiler makes for nodes predict the same as the
// whole program. And no node and no accelerator moves fewer words than [Ballard11] has for it.
//
//   costs_of_algorithms TYPE [--rounds 6] [--seed 1] [NAME ...]
#include "runtime/distribution/distribution.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/interfaces/cost.hpp"
#include "tests/integration/load_algorithm.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>

namespace {

using tla::Distribution;
using tla::Storage;
using tla::StorageRef;
namespace rt = tla::runtime;

struct Case {
  long m, n, k;
  int nb, window;
  Distribution distribution;
  std::vector<rt::ScalarValue> scalars;
};

std::ostream &operator<<(std::ostream &out, const Case &c) {
  return out << "m = " << c.m << ", n = " << c.n << ", k = " << c.k << ", nb = " << c.nb << ", window " << c.window
             << ", " << c.distribution.name();
}

class CaseWriter {
public:
  explicit CaseWriter(std::uint64_t seed) : random_(seed) {}

  Case next(const rt::Algorithm &algorithm) {
    Case c{between(0, 60), between(0, 60), between(0, 25), int(between(3, 12)), int(oneOf({1, 3, 30, 8192})), {}, {}};
    const int P = int(between(1, 3)), Q = int(between(1, 3)), v = int(between(1, 2));
    switch (between(0, 3)) {
    case 0:
      c.distribution = Distribution::blockCyclic(P, Q, v);
      break;
    case 1:
      c.distribution = Distribution::reflected(P, Q, {int(between(0, 5)), int(between(0, 5))}, v);
      break;
    case 2: {
      std::string weights = "weighted:" + std::to_string(between(1, 5));
      for (int node = 1; node < P * Q; ++node)
        weights += ":" + std::to_string(between(1, 5));
      c.distribution = tla::parseDistribution(weights);
      break;
    }
    default:
      c.distribution = *Distribution::symmetricBlockCyclic(int(oneOf({3, 6, 8})));
    }
    tla::test::makeTall(algorithm, c.m, c.n);
    for (int s = 0; s < algorithm.scalarCount; ++s)
      c.scalars.push_back(scalar(algorithm.scalars[s], c.n, std::strcmp(algorithm.name, "syrk") == 0));
    return c;
  }

private:
  long between(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }
  long oneOf(std::initializer_list<long> values) { return values.begin()[between(0, long(values.size()) - 1)]; }
  rt::ScalarValue scalar(const rt::ScalarParameter &parameter, long n, bool symmetric) {
    const std::string type = parameter.type;
    if (type == "Op")
      return {oneOf({111, symmetric ? 112 : 113}), 0, 0};
    if (type == "Uplo")
      return {oneOf({121, 122}), 0, 0};
    if (type == "Diag")
      return {oneOf({131, 132}), 0, 0};
    if (type == "Side")
      return {oneOf({141, 142}), 0, 0};
    return {tla::test::settledOption(parameter.name, n, between(1, 8)), 0.5, 0};
  }
  std::mt19937_64 random_;
};

/// One rank's matrices: dominant diagonals, with which no algorithm stops.
class Operands {
public:
  /// rank -1: no memory.
  Operands(const rt::Algorithm &algorithm, const Case &c, int rank) : scalars_(c.scalars) {
    const rt::Values values{c.m, c.n, c.k, scalars_.data(), c.distribution.period()};
    for (int i = 0; i < algorithm.matrixCount; ++i) {
      refs_.push_back(tla::host::describeStorage(algorithm.matrices[i], values, c.nb));
      pointers_.push_back(&*refs_.back());
      if (rank >= 0)
        fill(*refs_.back(), algorithm.matrices[i].type, c.distribution, rank);
    }
  }
  rt::Arguments arguments() const { return {pointers_.data(), scalars_.data()}; }

private:
  static void fill(Storage &storage, rt::ElementType type, const Distribution &distribution, int rank) {
    storage.allocate();
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i) {
        if (!storage.stores(i, j))
          continue;
        std::memset(storage.tile(i, j), 0, storage.tileBytes(i, j));
        if (i == j && type != rt::ElementType::I)
          tla::host::withNumberType(type, [&](auto zero) {
            auto *const tile = static_cast<decltype(zero) *>(storage.tile(i, j));
            for (int d = 0; d < std::min(storage.tileRows(i), storage.tileCols(j)); ++d)
              tile[d + d * storage.ld(i)] = 4;
          });
        if (distribution.node(i, j) != rank)
          storage.setTile(i, j, nullptr);
      }
  }

  std::vector<rt::ScalarValue> scalars_;
  std::vector<StorageRef> refs_;
  std::vector<Storage *> pointers_;
};

std::vector<rt::Outcome> runOnRanks(const rt::Algorithm &algorithm, const Case &c, std::size_t lookahead) {
  tla::test::Ranks ranks(c.distribution.nodes(), {.threads = 1, .window = c.window, .lookaheadBytes = lookahead});
  return ranks.run([&](int rank, rt::Executor &executor) {
    executor.distribute(c.distribution);
    return executor.run(algorithm, Operands(algorithm, c, rank).arguments());
  });
}

bool sameTransfers(const rt::TransferCounts &a, const rt::TransferCounts &b) {
  return a.messages == b.messages && a.bytes == b.bytes && a.received == b.received &&
         a.receivedBytes == b.receivedBytes;
}

/// Every other case runs without a look ahead, and sums what is said of its memory, and what it takes.
struct Sums {
  std::uint64_t messages = 0;
  double said = 0, taken = 0;
};

/// Prints what differs.
bool agrees(const rt::Algorithm &algorithm, const Case &c, std::size_t lookahead, Sums &sums) {
  const Operands dry(algorithm, c, -1);
  const rt::Cost cost =
      rt::predictCost(algorithm, dry.arguments(), c.distribution, {.window = c.window, .lookaheadBytes = lookahead});
  const std::vector<rt::Outcome> outcomes = runOnRanks(algorithm, c, lookahead);
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    const rt::NodeCost &predicted = cost.nodes[rank];
    const rt::Statistics &run = outcomes[rank].statistics;
    sums.messages += run.transfers.messages;
    const bool finished = outcomes[rank].kind == rt::Outcome::Kind::Finished;
    if (finished && predicted.tasks == run.tasks && sameTransfers(predicted.transfers, run.transfers) &&
        std::abs(predicted.flops - run.flops) <= 1e-9 * run.flops && run.foreignBytes <= predicted.foreignBytes &&
        run.temporaryBytes <= predicted.temporaryBytes + predicted.renamedBytes) {
      sums.said += double(predicted.temporaryBytes);
      sums.taken += double(run.temporaryBytes);
      continue;
    }
    std::cout << algorithm.name << ": rank " << rank << ", " << c << ": ";
    if (finished)
      std::cout << "predicted " << predicted.tasks << " tasks, " << predicted.transfers.messages << " messages, "
                << predicted.transfers.bytes << " bytes, " << predicted.foreignBytes << " and "
                << predicted.temporaryBytes << " bytes of memory, renamed " << predicted.renamedBytes << "; did "
                << run.tasks << ", " << run.transfers.messages << ", " << run.transfers.bytes << ", "
                << run.foreignBytes << " and " << run.temporaryBytes << "\n";
    else
      std::cout << "ended early: " << outcomes[rank].message << " info " << outcomes[rank].info << "\n";
    return false;
  }
  return true;
}

bool sameCost(const rt::NodeCost &a, const rt::NodeCost &b) {
  return a.tasks == b.tasks && a.flops == b.flops && sameTransfers(a.transfers, b.transfers) &&
         a.ownedBytes == b.ownedBytes && a.foreignBytes == b.foreignBytes && a.temporaryBytes == b.temporaryBytes &&
         a.leastTemporaryBytes == b.leastTemporaryBytes && a.renamedBytes == b.renamedBytes;
}

/// By the loops of the nodes that the algorithm was compiled with, and without them. Prints what differs.
bool agreesWithReplay(const rt::Algorithm &algorithm, const Case &c) {
  rt::Algorithm whole = algorithm;
  whole.generateNode = nullptr;
  const Operands dry(algorithm, c, -1);
  const rt::CostOptions options{.window = c.window};
  const rt::Cost loops = rt::predictCost(algorithm, dry.arguments(), c.distribution, options),
                 replay = rt::predictCost(whole, dry.arguments(), c.distribution, options);
  const auto [node, other] = std::mismatch(loops.nodes.begin(), loops.nodes.end(), replay.nodes.begin(), sameCost);
  if (node == loops.nodes.end() && loops.storedTiles == replay.storedTiles &&
      loops.criticalPathTasks == replay.criticalPathTasks && loops.criticalPathFlops == replay.criticalPathFlops)
    return true;
  std::cout << algorithm.name << ": " << c << ": the loops of nodes and the whole program differ";
  if (node != loops.nodes.end())
    std::cout << " at node " << node - loops.nodes.begin() << ": " << node->tasks << " and " << other->tasks
              << " tasks, " << node->transfers.messages << " and " << other->transfers.messages << " messages, "
              << node->foreignBytes << " and " << other->foreignBytes << " bytes of memory";
  std::cout << "\n";
  return false;
}

/// An algorithm as large as its memory is small: n in 8 tiles, on accelerators with room for `tiles` of them.
rt::Cost costOnDevices(const rt::Algorithm &algorithm, Case c, int tiles) {
  c.nb = 6;
  c.m = c.n = 8 * c.nb;
  c.k = 3 * c.nb;
  const Operands dry(algorithm, c, -1);
  const std::size_t memory = std::size_t(tiles) * (c.nb * c.nb * tla::host::elementBytes(algorithm.type) + 64);
  return rt::predictCost(algorithm, dry.arguments(), c.distribution,
                         {.window = c.window, .devices = {{"0", memory}, {"1", memory}}, .deviceWeights = {2, 1}});
}

/// [Ballard11] (1) and its section 2, word for word: F / (8 sqrt(M)) to and from an accelerator, less by M for nodes.
/// Prints what is below. `bounded`: how many bounds said something.
bool movesWhatItMust(const rt::Algorithm &algorithm, const Case &c, int tiles, int &bounded) {
  const rt::Cost cost = costOnDevices(algorithm, c, tiles);
  const double word = tla::host::elementBytes(algorithm.type), flop = tla::host::flopFactor(algorithm.type);
  const auto enough = [&](const char *who, double updates, double memoryBytes, double keptBytes, double movedBytes) {
    const double memory = memoryBytes / word;
    const double least = memory > 0 ? updates / flop / (8 * std::sqrt(memory)) - keptBytes / word : 0;
    bounded += least > 1;
    if (movedBytes / word >= least)
      return true;
    std::cout << algorithm.name << ": " << c << ": " << who << " moves " << movedBytes / word << " words, at least "
              << least << " were said\n";
    return false;
  };
  bool all = true;
  for (const rt::NodeCost &node : cost.nodes) {
    const double held = double(node.ownedBytes + node.temporaryBytes);
    all &= enough("a node", node.updateFlops, held, held, double(node.transfers.bytes + node.transfers.receivedBytes));
    for (const rt::DeviceCost &device : node.devices) {
      const double bytes = double(device.in.bytes + device.out.bytes + device.peer.bytes);
      all &= enough("a device", device.updateFlops, tiles * (36 * word + 64), 0, bytes);
    }
  }
  return all && cost.inputBytes <= cost.storedBytes && cost.outputBytes <= cost.storedBytes;
}

} // namespace

int main(int argc, char **argv) {
  tla::test::compileAsHetc();
  CLI::App app("every algorithm on several ranks against its predicted cost");
  std::string type = "d";
  unsigned rounds = 6;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  app.add_option("type", type, "s, d, c or z")->required()->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("--rounds", rounds, "cases for each algorithm")->capture_default_str();
  app.add_option("--seed", seed, "of the cases")->capture_default_str();
  app.add_option("names", names, "algorithms; all by default");
  CLI11_PARSE(app, argc, argv);

  tla::kernels::installKernels("reference");
  unsigned failures = 0, algorithms = 0, specialized = 0;
  int bounded = 0;
  Sums near, far; // without a look ahead, and with
  for (const std::filesystem::path &file : tla::test::algorithmFiles(names)) {
    const std::string name = file.stem().string();
    const std::string gridName = tla::test::gridOf(algorithms++);
    const Distribution grid = tla::parseDistribution(gridName);
    const rt::Algorithm *const algorithm = tla::test::loadAlgorithm(file, type[0], 1, "");
    // The loops of nodes are the same for all types, and take isl a while.
    const rt::Algorithm *const ofNodes = type == "d" ? tla::test::loadAlgorithm(file, 'd', 1, gridName) : algorithm;
    if (!algorithm || !ofNodes) {
      std::cout << name << ": cannot be compiled or loaded\n";
      ++failures;
      continue;
    }
    CaseWriter cases(seed);
    for (unsigned round = 0; round < rounds; ++round)
      failures += round % 2 ? !agrees(*algorithm, cases.next(*algorithm), 0, near)
                            : !agrees(*algorithm, cases.next(*algorithm), rt::Options::usualLookahead, far);
    for (const Distribution &distribution : {Distribution(), grid}) {
      Case next = cases.next(*algorithm);
      next.distribution = distribution;
      failures += !movesWhatItMust(*algorithm, next, 20, bounded);
    }
    specialized += ofNodes->generateNode != nullptr;
    for (unsigned round = 0; round < rounds && ofNodes->generateNode; ++round) {
      Case next = cases.next(*ofNodes);
      next.distribution = grid;
      failures += !agreesWithReplay(*ofNodes, next);
    }
  }
  std::cout << algorithms << " algorithms, " << specialized << " with loops of nodes, " << near.messages + far.messages
            << " messages, " << bounded << " bounds on words, tiles without a look ahead " << near.said / near.taken
            << " times what they take, " << failures << " failures\n";
  constexpr double mostSaid = 1.5; // of what runs without a look ahead take
  failures += !(near.said <= mostSaid * near.taken);
  constexpr unsigned fewestSpecialized = 15; // else the comparison with the loops of nodes has become idle
  const bool idle = type == "d" && (names.empty() || names.size() > 10) && specialized < fewestSpecialized;
  return failures || !algorithms || !near.messages || !bounded || idle ? 1 : 0;
}
