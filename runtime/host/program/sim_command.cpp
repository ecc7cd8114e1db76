#include "runtime/host/program/sim_command.hpp"

#include "runtime/host/files/output_file.hpp"
#include "runtime/host/plan/node_loops.hpp"
#include "runtime/host/plan/virtual_run.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/program/counting.hpp"
#include "runtime/host/program/output_rules.hpp"
#include "runtime/host/program/session.hpp"
#include "runtime/host/program/sim_report.hpp"

#include <tla/runtime/error.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <sstream>

namespace tla::host {
namespace {

struct SimRequest {
  std::string distribution = "auto";
  std::vector<int> nodes;
  bool weak = false; ///< sizes are those of one node
  Settings settings;
};

/// "1,4,16"
std::vector<int> nodesOf(const std::string &text) {
  std::vector<int> nodes;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');)
    nodes.push_back(numberOf("--nodes", word, 1, mostNodes));
  if (nodes.empty())
    throw UsageError("--nodes needs a number, or several: --nodes 1,4,16");
  return nodes;
}

/// Nothing when help was printed.
std::optional<SimRequest> parseRequest(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  SimRequest request;
  std::string platform;
  CLI::App app(std::string(algorithm.name) + " sim: how long a cluster would take; nothing is computed",
               algorithm.name);
  app.allow_extras();
  app.add_option("--platform", platform, "a node: what --devices profile: takes, NAME|FILE[,n=DEVICES][,mem=SIZE]")
      ->type_name("NODE")
      ->take_last();
  app.add_option_function<std::string>(
         "--nodes", [&](const std::string &text) { request.nodes = nodesOf(text); }, "how many, or several numbers")
      ->type_name("P,...")
      ->take_last();
  app.add_option("--dist", request.distribution, "as 'hetc cost' takes it; default: auto, the best for --nodes")
      ->type_name("DIST")
      ->take_last();
  app.add_flag("--weak", request.weak, "sizes are of one node: n grows with the square root of the nodes");
  app.footer("Also -m, -n, -k, --nb, --slice, --threads, --set, --window, --device-weights, --generator, --json [FILE] "
             "and --quiet as for a run.");
  std::vector<std::string> rest = {algorithm.name};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    printOut(app.help());
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    throw UsageError(error.what());
  }
  if (platform.empty())
    throw UsageError("which nodes? give --platform, for example --platform keeneland-m2070");
  for (const std::string &argument : app.remaining())
    rest.push_back(argument);
  rest.insert(rest.end(), {"--devices", "profile:" + platform});
  std::vector<const char *> pointers;
  for (const std::string &argument : rest)
    pointers.push_back(argument.c_str());
  std::ostringstream asked;
  std::optional<Settings> settings =
      parseCommandLine(algorithm, static_cast<int>(pointers.size()), pointers.data(), asked);
  if (!settings) {
    printOut(asked.str());
    return std::nullopt;
  }
  request.settings = std::move(*settings);
  return request;
}

/// With all sizes times the factor.
Settings scaled(Settings settings, double factor) {
  for (std::optional<long> *const size : {&settings.m, &settings.n, &settings.k})
    if (*size)
      *size = std::max(1L, std::lround(static_cast<double>(**size) * factor));
  return settings;
}

/// On so many nodes. What depends on rates is chosen as one node does for its part of the problem.
SimRecord simulate(const runtime::Algorithm &algorithm, const SimRequest &request, int nodes) {
  const double side = std::sqrt(static_cast<double>(nodes));
  const Settings whole = request.weak ? scaled(request.settings, side) : request.settings;
  const runtime::VirtualOptions &machine = *whole.devices.machine;
  const auto part = describeProblem(algorithm, request.weak ? request.settings : scaled(whole, 1 / side));
  Plan plan = planCounting(*part, whole, runtime::describeDevices(whole.devices));

  const auto begin = std::chrono::steady_clock::now();
  SimRecord record;
  record.problem = describeProblem(algorithm, whole);
  Problem &problem = *record.problem;
  problem.nb = plan.nb;
  problem.cut = plan.cut;
  plan.distribution = resolveDistribution(request.distribution, problem, nodes);
  if (plan.distribution.nodes() != nodes)
    throw UsageError("--dist " + plan.distribution.name() + " has " + std::to_string(plan.distribution.nodes()) +
                     " nodes, --nodes says " + std::to_string(nodes));
  plan.algorithm = withNodeLoops(algorithm, plan.distribution, whole, nodes > 1);
  applyPlan(plan, problem);
  record.generator = generatorName(plan.algorithm, plan.distribution);
  record.machine = machine.profile.description;
  record.threads = plannedThreads(whole, 0);
  record.shares = plan.shares;
  const runtime::VirtualHardware hardware = runtime::hardwareOf(machine, static_cast<char>(algorithm.type));
  const std::vector<runtime::Outcome> outcomes =
      runClusterVirtually({.algorithm = plan.algorithm,
                           .values = onDistribution(problem, problem.values, plan.distribution),
                           .scalars = problem.scalars,
                           .nb = problem.nb,
                           .cut = problem.cut,
                           .shares = plan.shares,
                           .machine = hardware,
                           .threads = record.threads,
                           .window = whole.window},
                          plan.distribution, networkOf(machine.profile));
  for (const runtime::Outcome &outcome : outcomes) {
    if (outcome.kind != runtime::Outcome::Kind::Finished)
      throw Error(outcome.message);
    record.nodes.push_back(outcome.statistics);
  }
  record.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return record;
}

int simulateAll(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  std::optional<SimRequest> request = parseRequest(algorithm, argc, argv);
  if (!request)
    return Fine;
  const Settings &settings = request->settings;
  if (settings.json) {
    requireSeparateJson(algorithm, settings);
    requireWritable(settings.jsonFile, "--json", 0);
  }
  if (request->nodes.empty()) {
    std::string error;
    const auto distribution = parseDistribution(request->distribution, error);
    if (!distribution)
      throw UsageError("how many nodes? give --nodes, or a --dist with numbers");
    request->nodes = {distribution->nodes()};
  }
  std::vector<SimRecord> records;
  for (const int nodes : request->nodes)
    records.push_back(simulate(algorithm, *request, nodes));
  writeReport(settings, simTable(records), simJson(records, request->nodes.size() > 1));
  return Fine;
}

} // namespace

bool asksForSimulation(int argc, const char *const *argv) { return argc > 1 && std::string_view(argv[1]) == "sim"; }

int runSimulation(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  try {
    return simulateAll(algorithm, argc - 1, argv + 1);
  } catch (const UsageError &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
    return BadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s: %s\n", algorithm.name, error.what());
    return RuntimeFault;
  }
}

} // namespace tla::host
