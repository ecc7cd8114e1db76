#include "runtime/predict/commands/cost_command.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/quantity.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/commands/copies_choice.hpp"
#include "runtime/predict/commands/cost_count.hpp"
#include "runtime/predict/commands/counting.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/owner_search.hpp"
#include "runtime/predict/plan/task_map_choice.hpp"

#include <tla/runtime/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <climits>
#include <cstring>

namespace tla::host {
namespace {
using Strings = std::vector<std::string>;

constexpr int stepsOfSearch = 5'000'000;
constexpr int tileSizeOfTiles = 256; // of --tiles, without --nb
constexpr int tilesOnMachine = 64;   // with --machine, where nobody says a size

/// The options of the command, beside those of a run.
struct CostRequest {
  std::optional<WantedOwners> owners; ///< --dist
  std::vector<WantedOwners> others;   ///< distributions to compare with
  bool compare = false;
  int nodes = 0;      ///< 0: not given
  int tiles = 0;      ///< 0: not given
  int iterations = 0; ///< number of iterations; 0: not given
  std::optional<std::pair<int, int>> fakeRank;
  std::string improved; ///< file for a better table of owners; empty: none is wanted
  int steps = stepsOfSearch;
  std::optional<MachineNumbers> machine;
  std::optional<double> memory; ///< bytes of a node
  Settings settings;
};

/// "R/P"
std::pair<int, int> rankOf(const std::string &text) {
  const auto slash = text.find('/');
  if (slash == text.npos)
    throw UsageError("--fake-rank needs R/P, rank R of P, not '" + text + "'");
  const int ranks = numberOf("--fake-rank: P", text.substr(slash + 1), 1, mostNodes);
  return {numberOf("--fake-rank: R", text.substr(0, slash), 0, ranks - 1), ranks};
}

/// At commas, but "2dbc:2x3,v=4,reflected" is one word.
Strings splitList(const std::string &text) {
  Strings words;
  TextReader in(text);
  for (std::string word; std::getline(in, word, ',');)
    if (!words.empty() && (word.starts_with("v=") || word.starts_with("reflected") || word.starts_with("columns=") ||
                           word.starts_with("copies=")))
      words.back() += "," + word;
    else
      words.push_back(word);
  return words;
}

MachineNumbers machineOf(const std::string &text) try { return findMachine(text); } catch (const UsageError &error) {
  throw UsageError(std::string("--machine ") + error.what());
}

bool namesDevices(const Strings &words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string &word) { return word == "--devices" || word.starts_with("--devices="); });
}

/// Deals updates by the machine's own numbers.
std::shared_ptr<const TaskMap> dealOn(const MachineNumbers &machine, const Problem &problem) {
  std::vector<Element> elements;
  for (const ComputeElement &element : machine.elements)
    elements.insert(elements.end(), element.count, numbersFor(element, machine, problem.algorithm->type));
  return dealBy(elements, problem);
}

/// Chooses the distribution for one node, or for as many as the machine has.
void chooseForMachine(CostRequest &request) {
  if (!request.machine || request.owners || request.compare)
    return;
  request.owners = request.machine->shared ? WantedOwners(Distribution()) : Family::Any;
  if (!request.machine->shared && !request.nodes)
    request.nodes = request.machine->count();
}

/// Nothing when help was printed.
std::optional<CostRequest> parseRequest(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  CostRequest request;
  CLI::App app(std::string(algorithm.name) + " cost: what a distribution costs; nothing is run", algorithm.name);
  app.allow_extras();
  const auto value = [&app](const char *name, const char *type, const char *help, auto handler) {
    return app.add_option_function<std::string>(name, handler, help)->type_name(type)->take_last();
  };
  value("--dist", "DIST",
        "2dbc:PxQ[,reflected], g2dbc:P[,reflected], row:P, col:Q, sbc:P, file:PATH; 2dbc, g2dbc, sbc or auto: the best "
        "for --nodes",
        [&](const std::string &text) { request.owners = parseOwners(text); });
  value("--compare", "DIST,...", "distributions to compare, ranked by bytes sent", [&](const std::string &text) {
    request.compare = true;
    for (const std::string &word : splitList(text))
      request.others.push_back(parseOwners(word));
  });
  value("--nodes", "P", "nodes, for 2dbc, g2dbc, sbc and auto",
        [&](const std::string &text) { request.nodes = numberOf("--nodes", text, 1, mostNodes); });
  value("--memory", "SIZE", "of a node, as 64G: whether it is enough, and for auto whether nodes may stand in copies",
        [&](const std::string &text) { request.memory = memoryOfNode(text); });
  value("--tiles", "T", "n in tiles of --nb (default 256) instead of elements",
        [&](const std::string &text) { request.tiles = numberOf("--tiles", text, 1, INT_MAX); });
  // For tests and benchmarks; help does not show options of no group.
  value("--fake-rank", "R/P", "only time how rank R of P generates its tasks", [&](const std::string &text) {
    request.fakeRank = rankOf(text);
  })->group("");
  value("--improve", "FILE",
        "search owners that cost less than those of --dist, and write their table, for --dist file:FILE",
        [&](const std::string &text) { request.improved = text; });
  value("--steps", "N", "of that search (default 5000000)",
        [&](const std::string &text) { request.steps = numberOf("--steps", text, 1, INT_MAX); });
  if (algorithm.stages)
    value("--iterations", "N",
          "the loop ends early in its N-th iteration (default, or if it has fewer: it runs to its end)",
          [&](const std::string &text) { request.iterations = numberOf("--iterations", text, 1, INT_MAX); });
  std::string machine;
  value("--machine", "NAME|FILE", "alpha, beta, gamma, M of a machine: what must be moved there, and for how long",
        [&](const std::string &text) { machine = text; });
  app.footer("Also -m, -n, -k, --nb, --slice, --set, --window, --devices, --device-weights, --node-weights, "
             "--generator, --json [FILE] and "
             "--quiet as for a run.");
  Strings rest = {algorithm.name};
  if (!parsePrinting(app, argc, argv))
    return std::nullopt;
  for (const std::string &argument : app.remaining())
    rest.push_back(argument);
  if (!machine.empty()) {
    request.machine = machineOf(machine);
    if (runtime::knownProfiles().contains(machine) && !namesDevices(rest))
      rest.insert(rest.end(), {"--devices", "profile:" + machine});
  }
  std::optional<Settings> settings = settingsOf(algorithm, rest);
  if (!settings)
    return std::nullopt;
  if (settings->plan)
    throw UsageError("--plan is of a run: 'hetc run FILE --plan'; a cost is counted for any number of nodes");
  request.settings = std::move(*settings);
  request.owners = ownersOf(request.owners, request.settings, request.nodes);
  return request;
}

/// On a machine it is the ratio that is asked for, of a problem that fills it: where nobody gives a size there is one.
void chooseSize(const runtime::Algorithm &algorithm, CostRequest &request) {
  const Settings &settings = request.settings;
  const bool isGiven = request.tiles || settings.m || settings.n || settings.k || !settings.inputs.empty() ||
                       algorithm.sizeDefaults.m || algorithm.sizeDefaults.n;
  if (!request.machine || isGiven || !std::strpbrk(algorithm.sizes, "mn"))
    return;
  request.tiles = tilesOnMachine;
  std::fprintf(stderr, "hetc: remark: no size is given: counted for --tiles %d\n", tilesOnMachine);
}

/// n from --tiles; the other sizes follow it as they do without.
void applyTiles(const runtime::Algorithm &algorithm, CostRequest &request) {
  if (!request.tiles)
    return;
  Settings &settings = request.settings;
  if (settings.n)
    throw UsageError("give -n or --tiles, not both");
  if (!settings.nb)
    settings.nb = tileSizeOfTiles;
  if (request.tiles > INT_MAX / *settings.nb)
    throw UsageError(format("--tiles %d of %d elements are more than 2^31 - 1", request.tiles, *settings.nb));
  const long elements = static_cast<long>(request.tiles) * *settings.nb;
  const std::string sizes = algorithm.sizes;
  if (sizes.find('n') != sizes.npos)
    settings.n = elements;
  else if (sizes.find('m') != sizes.npos && !settings.m)
    settings.m = elements;
}

/// How the costs of a plan are counted.
struct Counting {
  runtime::CostOptions options;
  std::shared_ptr<const runtime::VirtualHardware> timing; ///< Plan::timing
};

Counting planCosts(Problem &problem, const Settings &settings) {
  const Plan plan = planCounting(problem, settings, runtime::describeAnyDevices(settings.devices));
  applyPlan(plan, problem);
  return {costOptions(settings, plan.shares), plan.timing};
}

void sayWhetherFits(const CostRecord &record, double memory) {
  const double most = bytesOfNode(record.cost), least = leastBytesOfNode(record.cost);
  std::string text = record.distribution.name() + " takes " + formatBytes(most) + " of a node, which fits";
  if (most > memory && least <= memory)
    text = record.distribution.name() + " needs " + formatBytes(least) +
           " of a node, which fits; a run with --memory " + "looks less far ahead than one that takes " +
           formatBytes(most);
  else if (most > memory)
    text = record.distribution.name() + " needs " + formatBytes(least) + " of a node, " + formatBytes(least - memory) +
           " more than there is";
  std::fprintf(stderr, "hetc: remark: %s\n", text.c_str());
}

int reportCosts(const CostRequest &request, const Problem &problem, const Counting &counting,
                const std::vector<Distribution> &distributions) {
  std::vector<CostRecord> records;
  for (const Distribution &distribution : distributions) {
    records.push_back(countCost(problem, request.settings, distribution, counting.options, counting.timing.get()));
    for (const runtime::DeviceDescription &device : counting.options.devices)
      records.back().deviceBytes.push_back(device.memoryBytes);
    if (request.machine)
      records.back().machine = costOn(*request.machine, problem, records.back().cost, counting.options);
  }
  std::stable_sort(records.begin(), records.end(), [](const CostRecord &a, const CostRecord &b) {
    return a.cost.total().transfers.bytes < b.cost.total().transfers.bytes;
  });
  writeReport(request.settings, costTable(problem, records), costJson(problem, records, request.compare));
  if (request.memory)
    sayWhetherFits(records[0], *request.memory);
  return Fine;
}

void writeTable(OutputFile &file, const Distribution &table, const std::string &comment) {
  std::string text = "# " + comment + "\n";
  for (int I = 0; I < table.rows(); ++I)
    for (int J = 0; J < table.columns(); ++J)
      text += std::to_string(table.node(I, J)) + (J + 1 < table.columns() ? " " : "\n");
  file.write(text);
  file.commit();
}

/// A table of owners that costs less, written to the file.
Distribution improve(const CostRequest &request, const Problem &problem, const Distribution &from) {
  if (request.others.size() != 1)
    throw UsageError("--improve begins with one distribution: give --dist and no --compare");
  OutputFile file(request.improved); // before the search: it may be that it cannot be written
  Distribution table = searchOwners(problem, from, request.steps, "file:" + request.improved);
  writeTable(file, table,
             std::string(problem.algorithm->name) + " on " + std::to_string(from.nodes()) + " nodes, from " +
                 from.name());
  return table;
}

int reportFakeRank(const CostRequest &request, const Problem &problem, const Distribution &distribution) {
  const auto [rank, ranks] = *request.fakeRank;
  if (distribution.nodes() != ranks)
    throw UsageError("--fake-rank says " + std::to_string(ranks) + " ranks, but " + distribution.name() + " has " +
                     std::to_string(distribution.nodes()) + " nodes");
  const runtime::Algorithm algorithm = withNodeLoops(*problem.algorithm, distribution, request.settings, true);
  const DryCall call = dryCall(problem, algorithm, distribution);
  const FakeRankRecord record{distribution, generatorName(algorithm, distribution), rank,
                              runtime::measureGeneration(algorithm, call.arguments(), distribution, rank)};
  writeReport(request.settings, fakeRankText(record), fakeRankJson(record));
  return Fine;
}

/// The best distribution of the program.
struct Owners {
  const runtime::Algorithm *program;
  Distribution distribution;
  CopiesCandidate cost;
};

Owners bestOwners(const runtime::Algorithm &program, const CostRequest &request) {
  const auto problem = describeProblem(program, request.settings);
  const Counting counting = planCosts(*problem, request.settings);
  const Distribution distribution = resolveOwners(Family::Any, *problem, request.nodes);
  return {
      &program, distribution,
      candidateOf(countCost(*problem, request.settings, distribution, counting.options, counting.timing.get()).cost)};
}

/// The program that is to be counted, and whose nodes stand in copies if there is memory for it; the request says on
/// which distribution.
const runtime::Algorithm &chooseByMemory(const runtime::Algorithm &algorithm, CostRequest &request) {
  if (!request.memory)
    return algorithm;
  if (request.compare || !request.improved.empty())
    throw UsageError("--memory is for one distribution: give --dist, without --compare and --improve");
  if (request.owners != WantedOwners(Family::Any))
    return algorithm;
  if (!canAskForLoops())
    std::fprintf(stderr, "hetc: remark: copies of the nodes take another program, which hetc makes: 'hetc cost FILE' "
                         "counts them, too\n");
  const Owners plain = bestOwners(algorithm, request);
  Owners best = plain;
  if (algorithm.copies() == 1)
    for (const runtime::Algorithm *const program : programsInCopies(algorithm, request.nodes))
      if (Owners other = bestOwners(*program, request);
          other.distribution.copies() > 1 && isBetter(other.cost, best.cost, *request.memory))
        best = std::move(other);
  const std::string name = best.distribution.name(), bytes = formatBytes(best.cost.bytesPerNode);
  std::string text = name + " takes " + bytes + " of a node";
  if (best.cost.bytesPerNode > *request.memory)
    text += ", " + formatBytes(best.cost.bytesPerNode - *request.memory) + " more than there is";
  else if (best.program != &algorithm)
    text += format(", %s %s; bytes sent, by the most that a node computes, are %.2f of those there",
                   plain.distribution.name().c_str(), formatBytes(plain.cost.bytesPerNode).c_str(),
                   best.cost.weighted / plain.cost.weighted);
  std::fprintf(stderr, "hetc: remark: %s\n", text.c_str());
  request.owners = best.distribution;
  request.memory.reset(); // all is said of it
  return *best.program;
}

/// Throws unless all distributions need the same program: one whose updates are dealt to copies of the nodes is
/// another.
void requireOneProgram(const std::vector<Distribution> &distributions) {
  for (const Distribution &distribution : distributions)
    if (distribution.copies() != distributions[0].copies())
      throw UsageError("--compare: " + distributions[0].name() + " and " + distribution.name() +
                       " have other numbers of copies, and their programs other tasks: count each with --dist");
}

int count(const runtime::Algorithm &started, int argc, const char *const *argv) {
  const bool command = argc > 1 && std::string_view(argv[1]) == "cost";
  std::optional<CostRequest> request = parseRequest(started, argc - command, argv + command);
  if (!request)
    return Fine;
  chooseForMachine(*request);
  const bool hasDevices = request->settings.devices.name != "none" && !request->settings.devices.automatic();
  if ((started.isDealt() || (hasDevices && !request->nodes)) && !request->owners && !request->compare)
    request->owners = Distribution(); // it is for one node
  if (!request->owners && !request->compare)
    throw UsageError("which distribution? give --dist, for example --dist 2dbc:2x3, or several with --compare");
  if (request->fakeRank && !request->nodes)
    request->nodes = request->fakeRank->second;
  prepareJson(started, request->settings);
  chooseSize(started, *request);
  applyTiles(started, *request);
  const runtime::Algorithm &algorithm = chooseByMemory(started, *request);
  const auto problem = describeProblem(algorithm, request->settings);
  Counting counting = planCosts(*problem, request->settings);
  counting.options.iterations = request->iterations;
  std::vector<Distribution> distributions;
  if (request->owners)
    request->others.insert(request->others.begin(), *request->owners);
  for (const WantedOwners &owners : request->others)
    distributions.push_back(resolveOwners(owners, *problem, request->nodes));
  if (distributions.empty())
    throw UsageError("--compare names no distribution");
  requireOneProgram(distributions);
  for (const Distribution &distribution : distributions)
    requireOneNode(distribution.nodes(), algorithm);
  if (request->machine && request->settings.deviceWeights.empty() && algorithm.isDealt())
    counting.options.taskMap = dealOn(*request->machine, *problem);
  if (request->fakeRank)
    return reportFakeRank(*request, *problem, distributions[0]);
  if (!request->improved.empty()) {
    distributions.push_back(improve(*request, *problem, distributions[0]));
    request->compare = true;
  }
  return reportCosts(*request, *problem, counting, distributions);
}

} // namespace

bool asksForCost(int argc, const char *const *argv) {
  return (argc > 1 && std::string_view(argv[1]) == "cost") || std::any_of(argv, argv + argc, [](std::string_view word) {
           return word == "--fake-rank" || word.starts_with("--fake-rank=");
         });
}

int runCost(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  return exitCodeOf(algorithm, [&] { return count(algorithm, argc, argv); });
}

} // namespace tla::host
