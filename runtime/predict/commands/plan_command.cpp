#include "runtime/predict/commands/plan_command.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/predict/commands/cluster.hpp"
#include "runtime/predict/commands/copies_choice.hpp"
#include "runtime/predict/commands/cost_count.hpp"
#include "runtime/predict/commands/counting.hpp"
#include "runtime/predict/commands/plan_report.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

#include <tla/runtime/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace tla::host {
namespace {

/// Tasks that are run in virtual time for each number of nodes, at most: a fraction of a second. Of a larger problem
/// two smaller ones are run.
constexpr double mostSimulated = 150e3;

struct PlanRequest {
  WantedOwners owners;
  std::vector<int> nodes;
  std::optional<double> memory, nodeHour;
  Settings settings;
};

/// "1,4,16", "1..64": powers of two times the first, and the last.
std::vector<int> nodesOf(const std::string &text) {
  std::set<int> nodes;
  TextReader in(text);
  for (std::string word; std::getline(in, word, ',');) {
    const std::size_t dots = word.find("..");
    const int first = numberOf("--nodes", word.substr(0, dots), 1, mostNodes);
    const int last = dots == word.npos ? first : numberOf("--nodes", word.substr(dots + 2), first, mostNodes);
    for (int count = first; count < last; count *= 2)
      nodes.insert(count);
    nodes.insert(last);
  }
  if (nodes.empty())
    throw UsageError("--nodes needs a number, or several: --nodes 1..64, --nodes 1,4,16");
  return {nodes.begin(), nodes.end()};
}

double priceOf(const std::string &text) {
  const std::optional<double> price = parseReal(text);
  if (!price || !(*price >= 0) || std::isinf(*price))
    throw UsageError("--node-hour needs a price, not '" + text + "'");
  return *price;
}

/// Nothing when help was printed.
std::optional<PlanRequest> parseRequest(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  PlanRequest request;
  std::optional<WantedOwners> dist;
  std::string platform;
  CLI::App app(std::string(algorithm.name) + " plan: how many nodes a problem wants; nothing is run", algorithm.name);
  app.allow_extras();
  const auto value = [&app](const char *name, const char *type, const char *help, auto handler) {
    app.add_option_function<std::string>(name, handler, help)->type_name(type)->take_last();
  };
  value("--nodes", "P,...|P..Q", "how many: several numbers, or doubled from one to the other",
        [&](const std::string &text) { request.nodes = nodesOf(text); });
  value("--platform", "NODE", "a node, as 'hetc sim' takes it: without one nothing is said of time",
        [&](const std::string &text) { platform = text; });
  value("--memory", "SIZE", "of a node, as 64G: whether the problem fits, and whether nodes may stand in copies",
        [&](const std::string &text) { request.memory = memoryOfNode(text); });
  value("--node-hour", "PRICE", "of a node for an hour: what a run costs",
        [&](const std::string &text) { request.nodeHour = priceOf(text); });
  value("--dist", "DIST", "2dbc, g2dbc, sbc or auto (default): the best of the kind for each number of nodes",
        [&](const std::string &text) { dist = parseOwners(text); });
  app.footer("Also -m, -n, -k, --nb, --slice, --threads, --set, --window, --device-weights, --node-weights, "
             "--generator, --json [FILE] "
             "and --quiet as for a run.");
  if (!parsePrinting(app, argc, argv))
    return std::nullopt;
  if (request.nodes.empty())
    throw UsageError("how many nodes? give --nodes, for example --nodes 1..64");
  if (request.nodeHour && platform.empty())
    throw UsageError("--node-hour: how long a run takes is known of a --platform only; give one");
  std::vector<std::string> rest = {algorithm.name};
  for (const std::string &argument : app.remaining())
    rest.push_back(argument);
  if (!platform.empty())
    rest.insert(rest.end(), {"--devices", "profile:" + platform});
  std::optional<Settings> settings = settingsOf(algorithm, rest);
  if (!settings)
    return std::nullopt;
  request.settings = std::move(*settings);
  request.owners = ownersOf(dist, request.settings, request.nodes.front()).value_or(Family::Any);
  return request;
}

class Stopwatch {
public:
  /// Seconds since the last time.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

double flopsOf(const Problem &problem, const runtime::Cost &cost) {
  const double nominal = nominalFlops(problem);
  return nominal > 0 ? nominal : cost.total().flops;
}

/// Extrapolates the time of a problem that is too large to be run in virtual time: seconds per flop approach their
/// limit with the inverse of the side, as the distribution's unevenness and the ends of the run do (cost_choice.hpp);
/// two sizes show how.
class Extrapolation {
public:
  Extrapolation(const runtime::Algorithm &algorithm, const Settings &settings, const PlanRecord &record)
      : algorithm_(algorithm), settings_(settings), distribution_(record.cost.distribution) {
    settings_.nb = record.problem->nb;
  }

  /// Nothing: the smaller ones are too far from the limit to say where it is.
  std::optional<PlannedTime> carry(double flops, double part) const {
    const double near = secondsPerFlop(part), far = secondsPerFlop(part / 2);
    if (far > mostAbove * near)
      return std::nullopt;
    const double limit = std::min(2 * near - far, near);
    const double seconds = flops * (limit + (near - limit) * part);
    return PlannedTime{seconds, flops / seconds * 1e-9, part};
  }

private:
  static constexpr double mostAbove = 1.5;

  /// Shares are chosen for each size, as what is best for a large one leaves devices idle on a small one.
  double secondsPerFlop(double part) const {
    const Settings smaller = scaledSettings(settings_, part);
    const int nodes = distribution_.nodes();
    const SimRecord record =
        runCluster(planCluster(algorithm_, smaller, scaledSettings(smaller, 1 / std::sqrt(static_cast<double>(nodes))),
                               distribution_, nodes),
                   smaller);
    return record.seconds() / record.flops();
  }

  const runtime::Algorithm &algorithm_;
  Settings settings_;
  const Distribution distribution_;
};

std::optional<PlannedTime> timeOf(const runtime::Algorithm &algorithm, const Settings &settings, ClusterPlan cluster,
                                  const PlanRecord &record) {
  const auto tasks = static_cast<double>(record.cost.cost.total().tasks);
  const double flops = flopsOf(*record.problem, record.cost.cost);
  if (tasks > mostSimulated)
    return Extrapolation(algorithm, settings, record).carry(flops, std::cbrt(mostSimulated / tasks));
  const double seconds = runCluster(std::move(cluster), settings).seconds();
  return PlannedTime{seconds, flops / seconds * 1e-9, 1};
}

PlanRecord planProgram(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  const Settings &settings = request.settings;
  const Settings part = scaledSettings(settings, 1 / std::sqrt(static_cast<double>(nodes)));
  Stopwatch stopwatch;
  PlanRecord record;
  ClusterPlan cluster = planCluster(algorithm, settings, part, request.owners, nodes);
  record.choiceSeconds = stopwatch.lap();
  record.cost =
      countCost(*cluster.problem, settings, cluster.plan.distribution, costOptions(settings, cluster.plan.shares));
  record.bytesPerNode = bytesOfNode(record.cost.cost);
  record.countSeconds = stopwatch.lap();
  record.problem = describeProblem(algorithm, settings);
  applyPlan(cluster.plan, *record.problem);
  if (settings.devices.machine)
    record.time = timeOf(algorithm, settings, std::move(cluster), record);
  record.timeSeconds = stopwatch.lap();
  return record;
}

CopiesCandidate candidateOf(const PlanRecord &record) {
  CopiesCandidate candidate = host::candidateOf(record.cost.cost);
  if (record.time)
    candidate.seconds = record.time->seconds;
  return candidate;
}

/// With memory to spare also in copies of the nodes.
PlanRecord planNodes(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  PlanRecord best = planProgram(algorithm, request, nodes);
  if (!request.memory || request.owners != WantedOwners(Family::Any) || algorithm.copies() > 1)
    return best;
  for (const runtime::Algorithm *const program : programsInCopies(algorithm, nodes)) {
    PlanRecord record = planProgram(*program, request, nodes);
    if (record.cost.distribution.copies() > 1 && isBetter(candidateOf(record), candidateOf(best), *request.memory))
      best = std::move(record);
  }
  return best;
}

int planAll(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  const std::optional<PlanRequest> request = parseRequest(algorithm, argc, argv);
  if (!request)
    return Fine;
  const Settings &settings = request->settings;
  prepareJson(algorithm, settings);
  PlanReport report{.machine = settings.devices.machine ? settings.devices.machine->profile.description : "",
                    .memory = request->memory,
                    .watts = settings.devices.machine ? settings.devices.machine->profile.watts : 0,
                    .nodeHour = request->nodeHour,
                    .records = {}};
  for (const int nodes : request->nodes)
    report.records.push_back(planNodes(algorithm, *request, nodes));
  writeReport(settings, planTable(report), plansJson(report));
  return Fine;
}

} // namespace

bool asksForPlan(int argc, const char *const *argv) { return argc > 1 && std::string_view(argv[1]) == "plan"; }

int runPlanning(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  return exitCodeOf(algorithm, [&] { return planAll(algorithm, argc - 1, argv + 1); });
}

} // namespace tla::host
