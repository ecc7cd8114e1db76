// Every algorithm of algorithms/, split into slices, on nodes with up to three emulated accelerators and on several
// ranks: bit by bit what one thread makes of the same program without any, which passes the algorithm's exact check.
// What moves between ranks, and to and from accelerators, is what counting has said. The loops that the compiler makes
// for nodes have the instances of the whole program (some algorithms in type d: they take isl a while, and are the same
// for all types).
//
//   split_algorithms TYPE SLICES [--rounds 2] [--seed 1] [NAME ...]
#include "runtime/core/passes/replay.hpp"
#include "runtime/device/choice/devices.hpp"
#include "runtime/host/check/check.hpp"
#include "runtime/host/problem/problem.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/interfaces/cost.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "tests/integration/load_algorithm.hpp"
#include "tests/support/transport/local_network.hpp"
#include "tests/unit/runtime/core/recording_sink.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

namespace {

namespace rt = tla::runtime;
using tla::Distribution;
using tla::Storage;
using tla::host::CheckMode;
using tla::host::DryCall;
using tla::host::Problem;
using tla::host::ProblemMatrix;
using tla::host::Settings;

/// Sizes that tiles and slices divide, and others; options of all kinds.
class CaseWriter {
public:
  explicit CaseWriter(std::uint64_t seed) : random_(seed) {}

  Settings next(const rt::Algorithm &algorithm) {
    const bool large = between(0, 3) == 0; // kernels cut themselves into blocks
    Settings settings;
    settings.m = large ? between(100, 200) : between(1, 70);
    settings.n = large ? between(100, 200) : between(1, 70);
    tla::test::makeTall(algorithm, settings.m, settings.n);
    settings.k = between(1, 30);
    settings.nb = static_cast<int>(large ? between(50, 90) : between(algorithm.slices(), 24));
    if (const int widest = (*settings.nb - 1) / (algorithm.slices() - 1); between(0, 2))
      settings.slice = static_cast<int>(between(1, widest));
    settings.seed = static_cast<std::uint64_t>(between(1, 1000));
    for (int s = 0; s < algorithm.scalarCount; ++s)
      if (const std::string value = scalar(algorithm.scalars[s], *settings.n, algorithm.name); !value.empty())
        settings.scalars.push_back({algorithm.scalars[s].name, value});
    return settings;
  }

private:
  long between(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }
  /// Empty: the default, or what the checks ask for.
  std::string scalar(const rt::ScalarParameter &parameter, long n, const std::string &algorithm) {
    const std::string type = parameter.type;
    const auto one = [&](std::initializer_list<const char *> values) {
      return std::string(values.begin()[between(0, static_cast<long>(values.size()) - 1)]);
    };
    if (type == "Op")
      return one({"NoTrans", algorithm == "syrk" ? "Trans" : "ConjTrans"});
    if (type == "Uplo")
      return one({"Lower", "Upper"});
    if (type == "Side")
      return one({"Left", "Right"});
    if (type == "Diag")
      return "NonUnit";
    return type == "int" ? std::to_string(tla::test::settledOption(parameter.name, n, between(1, 20))) : "";
  }
  std::mt19937_64 random_;
};

std::string textOf(const Settings &settings) {
  std::string text = "m = " + std::to_string(*settings.m) + ", n = " + std::to_string(*settings.n) +
                     ", k = " + std::to_string(*settings.k) + ", nb = " + std::to_string(*settings.nb) +
                     ", slice = " + (settings.slice ? std::to_string(*settings.slice) : "default");
  for (const auto &[name, value] : settings.scalars)
    text += ", " + name + " = " + value;
  return text;
}

/// One rank of a run, with its devices.
class Node {
public:
  Node(const std::string &devices, int threads, rt::Transport *transport = nullptr) : local_({.threads = 1}) {
    rt::Options options{.threads = threads, .pin = false, .transport = transport};
    accelerators_ = rt::openDevices(rt::parseDevices(devices));
    for (const auto &accelerator : accelerators_) {
      const rt::AcceleratorProperties &properties = accelerator->properties();
      options.accelerators.push_back(accelerator.get());
      counted_.devices.push_back({properties.name, properties.memoryBytes, properties.granularity});
    }
    executor_ = std::make_unique<rt::Executor>(options);
  }
  int accelerators() const { return static_cast<int>(accelerators_.size()); }
  const rt::CostOptions &counted() const { return counted_; }
  tla::host::Team team(tla::host::Ranks &ranks) { return {local_, ranks, *executor_}; }

private:
  std::vector<std::unique_ptr<rt::Accelerator>> accelerators_;
  rt::CostOptions counted_;
  rt::Executor local_;
  std::unique_ptr<rt::Executor> executor_;
};

struct Result {
  std::unique_ptr<Problem> problem;
  rt::Outcome outcome;
};

/// The width of the default cut is that for two accelerators, wherever the program runs.
std::unique_ptr<Problem> describe(const rt::Algorithm &algorithm, const Settings &settings) {
  auto problem = tla::host::describeProblem(algorithm, settings);
  problem->nb = *settings.nb;
  problem->cut = chooseCut(algorithm, settings, problem->nb, 2);
  return problem;
}

/// As a rank's session has it. Collective.
Result run(const rt::Algorithm &algorithm, const Settings &settings, const Distribution &distribution,
           tla::host::Team team) {
  Result result{describe(algorithm, settings), {}};
  Problem &problem = *result.problem;
  problem.placement = {distribution, team.ranks.rank()};
  makeSources(problem, settings);
  allocateMatrices(problem);
  fillMatrices(problem, team);
  std::vector<Storage *> storages;
  for (const ProblemMatrix &matrix : problem.matrices)
    storages.push_back(&**matrix.storage);
  if (!team.ranks.alone())
    team.everybody.distribute(distribution);
  result.outcome = team.everybody.run(algorithm, {storages.data(), problem.scalars.data()});
  return result;
}

/// The tiles that `mine` has.
bool sameTiles(const Storage &mine, const Storage &other) {
  for (int j = 0; j < mine.nt(); ++j)
    for (int i = 0; i < mine.mt(); ++i)
      for (int c = 0; mine.tile(i, j) && c < mine.tileCols(j); ++c) {
        const auto column = [&](const Storage &storage) {
          return static_cast<const char *>(storage.tile(i, j)) +
                 static_cast<std::size_t>(c) * storage.ld(i) * storage.elementBytes();
        };
        if (std::memcmp(column(mine), column(other), mine.tileRows(i) * mine.elementBytes()) != 0)
          return false;
      }
  return true;
}

/// The fault in a rank's part; empty: there is none.
std::string fault(const Result &result, const Problem &expected, const rt::NodeCost &predicted) {
  if (result.outcome.kind != rt::Outcome::Kind::Finished)
    return "ended early: " + result.outcome.message + " info " + std::to_string(result.outcome.info) + " " +
           result.outcome.kernel + " " + result.outcome.location;
  for (std::size_t m = 0; m < expected.matrices.size(); ++m)
    if (!sameTiles(**result.problem->matrices[m].storage, **expected.matrices[m].storage))
      return std::string(expected.matrices[m].parameter->name) + " differs from that of one thread";
  return rt::isAsCounted(result.outcome.statistics, predicted) ? "" : "did other than what was counted";
}

/// Several ranks of this process.
class Team {
public:
  Team(const std::string &devices, int ranks) : devices_(devices), network_(ranks) {
    for (int rank = 0; rank < ranks; ++rank)
      nodes_.push_back(
          std::make_unique<Node>(devices, ranks == 1 ? 2 : 1, ranks == 1 ? nullptr : &network_.endpoint(rank)));
  }
  int size() const { return static_cast<int>(nodes_.size()); }
  bool withoutDevices() const { return nodes_[0]->accelerators() == 0; }

  /// Prints what differs.
  bool agrees(const rt::Algorithm &algorithm, const Settings &settings, const Distribution &distribution,
              const Problem &expected) {
    const DryCall dry(algorithm, expected.values, expected.scalars, expected.nb, expected.cut, size());
    const rt::Cost cost = rt::predictCost(algorithm, dry.arguments(), distribution, nodes_[0]->counted());
    std::vector<std::string> faults(nodes_.size());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size(); ++rank)
      threads.emplace_back([&, rank] {
        tla::host::Ranks ranks(size() == 1 ? nullptr
                                           : std::shared_ptr<rt::Transport>(&network_.endpoint(rank), [](auto *) {}));
        const Result result = run(algorithm, settings, distribution, nodes_[rank]->team(ranks));
        faults[rank] = fault(result, expected, cost.nodes[rank]);
      });
    for (std::thread &thread : threads)
      thread.join();
    const rt::NodeCost total = cost.total();
    messages_ += total.transfers.messages;
    for (const rt::DeviceCounts &device : total.devices)
      deviceTasks_ += device.tasks;
    for (int rank = 0; rank < size(); ++rank)
      if (!faults[rank].empty()) {
        std::cout << algorithm.name << " in " << algorithm.slices() << " slices, " << textOf(settings) << ", "
                  << devices_ << ", " << distribution.name() << ", rank " << rank << ": " << faults[rank] << "\n";
        return false;
      }
    return true;
  }

  std::uint64_t messages() const { return messages_; }
  std::uint64_t deviceTasks() const { return deviceTasks_; }

private:
  std::string devices_;
  std::uint64_t messages_ = 0, deviceTasks_ = 0;
  rt::LocalNetwork network_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

class Teams {
public:
  Teams() {
    for (const auto &[devices, ranks] : {std::pair{"none", 1},
                                         {"emulated:1", 1},
                                         {"emulated:2,mem=3M", 1},
                                         {"emulated:3", 1},
                                         {"none", 2},
                                         {"emulated:2", 2},
                                         {"emulated:1", 4}})
      teams_.push_back(std::make_unique<Team>(devices, ranks));
  }

  /// `ofNodes`: the algorithm with loops for the nodes of nodesGrid(), or null. Prints what differs.
  bool agree(const rt::Algorithm &algorithm, const rt::Algorithm *ofNodes, Settings settings) {
    if (algorithm.asksPeriod) // the one that loops of nodes are for
      settings.period = nodesGrid().period();
    tla::host::Ranks alone;
    const Result expected = run(algorithm, settings, Distribution(), one_.team(alone));
    const auto say = [&](const std::string &what) {
      std::cout << algorithm.name << " in " << algorithm.slices() << " slices, " << textOf(settings)
                << ", one thread: " << what << "\n";
      return false;
    };
    if (expected.outcome.kind != rt::Outcome::Kind::Finished)
      return say("ended early: " + expected.outcome.message + " info " + std::to_string(expected.outcome.info));
    const tla::host::Verdict verdict = checkResult(*expected.problem, CheckMode::Full, one_.team(alone));
    if (!verdict.passed)
      return say("residual " + std::to_string(verdict.residual));
    for (const auto &team : teams_) {
      const std::vector<Distribution> distributions = tla::candidateDistributions(team->size(), true, {7, 5});
      if (!team->agrees(algorithm, settings, distributions[turn_++ % distributions.size()], *expected.problem))
        return false;
    }
    return !ofNodes || (sameInstances(*ofNodes, settings, *expected.problem) &&
                        teams_.back()->agrees(*ofNodes, settings, nodesGrid(), *expected.problem));
  }
  static Distribution nodesGrid() { return Distribution::blockCyclic(2, 2); }
  /// Whether all kinds of teams had something to do.
  bool busy() const {
    return std::all_of(teams_.begin(), teams_.end(), [](const auto &team) {
      return (team->size() == 1 || team->messages() > 0) && (team->withoutDevices() || team->deviceTasks() > 0);
    });
  }

private:
  /// Compares the instances of nodes by loops of their own and by replay.
  static bool sameInstances(const rt::Algorithm &algorithm, const Settings &settings, const Problem &problem) {
    const DryCall dry(algorithm, problem.values, problem.scalars, problem.nb, problem.cut, 0);
    const rt::Arguments arguments = dry.arguments();
    const Distribution grid = nodesGrid();
    const auto generate = [&](rt::Generator &generator) { algorithm.generate(generator, arguments); };
    for (int node = 0; node < grid.nodes(); ++node) {
      tla::test::RecordingSink whole(grid), own(grid);
      rt::generateInstances(rt::replay(generate, grid, node), grid, node, whole);
      rt::generateInstances(rt::nodeProgram(algorithm, arguments, grid, node), grid, node, own);
      if (own.lines == whole.lines)
        continue;
      const auto [first, other] =
          std::mismatch(own.lines.begin(), own.lines.end(), whole.lines.begin(), whole.lines.end());
      std::cout << algorithm.name << " in " << algorithm.slices() << " slices, " << textOf(settings) << ", node "
                << node << ": its own loops say \"" << (first == own.lines.end() ? "end" : *first)
                << "\", the whole program \"" << (other == whole.lines.end() ? "end" : *other) << "\"\n";
      return false;
    }
    return true;
  }

  Node one_{"none", 1};
  std::vector<std::unique_ptr<Team>> teams_;
  std::size_t turn_ = 0;
};

/// The algorithms that are compiled with loops for nodes, too.
constexpr std::string_view specialized[] = {"cholesky", "getrf_nopiv", "potrs"};

} // namespace

int main(int argc, char **argv) {
  tla::test::compileAsHetc();
  CLI::App app("every algorithm on slices against one thread");
  std::string type = "d";
  int slices = 3;
  unsigned rounds = 2;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  app.add_option("type", type, "s, d, c or z")->required()->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("slices", slices, "of each tile")->required()->check(CLI::Range(2, 16));
  app.add_option("--rounds", rounds, "cases for each algorithm")->capture_default_str();
  app.add_option("--seed", seed, "of the cases")->capture_default_str();
  app.add_option("names", names, "algorithms; all by default");
  CLI11_PARSE(app, argc, argv);

  tla::kernels::installKernels("auto");
  Teams teams;
  unsigned failures = 0, algorithms = 0;
  for (const std::filesystem::path &file : tla::test::algorithmFiles(names)) {
    const std::string name = file.stem().string();
    ++algorithms;
    const rt::Algorithm *const algorithm = tla::test::loadAlgorithm(file, type[0], slices, "");
    const bool loops =
        type == "d" && std::find(std::begin(specialized), std::end(specialized), name) != std::end(specialized);
    const rt::Algorithm *const ofNodes =
        loops ? tla::test::loadAlgorithm(file, type[0], slices, Teams::nodesGrid().name()) : nullptr;
    if (loops && !(ofNodes && ofNodes->generateNode)) {
      std::cout << name << ": has no loops for nodes\n";
      ++failures;
      continue;
    }
    if (!algorithm || algorithm->slices() != slices) {
      std::cout << name << ": cannot be compiled for " << slices << " slices\n";
      ++failures;
      continue;
    }
    CaseWriter cases(seed);
    for (unsigned round = 0; round < rounds; ++round)
      try {
        failures += !teams.agree(*algorithm, ofNodes, cases.next(*algorithm));
      } catch (const std::exception &error) {
        std::cout << name << ": " << error.what() << "\n";
        ++failures;
      }
  }
  std::cout << algorithms << " algorithms, " << failures << " failures\n";
  if (algorithms > 10 && !teams.busy()) { // fewer may leave some without work
    std::cout << "some ranks or accelerators had nothing to do in any case\n";
    return 1;
  }
  return failures || !algorithms ? 1 : 0;
}
