#include "runtime/predict/commands/plan_command.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/quantity.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/interfaces/plan_help.hpp"
#include "runtime/predict/commands/plan_search.hpp"

#include <tla/runtime/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace tla::host {
namespace {

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

/// The values of plan's own options.
struct PlanOptions {
  std::vector<int> nodes;
  std::optional<double> memory, nodeHour;
  std::optional<WantedOwners> dist;
  std::string platform;
  std::optional<runtime::MachineProfile::Network> network;
};

void declare(CLI::App &app, PlanOptions &options) {
  const auto value = [&app](const char *name, const char *type, const char *help, auto handler) {
    app.add_option_function<std::string>(name, handler, help)->type_name(type)->take_last();
  };
  value("--nodes", "P,...|P..Q", "how many: several numbers, or doubled from one to the other",
        [&](const std::string &text) { options.nodes = nodesOf(text); });
  value("--platform", "NODE", "a node, as 'hetc sim' takes it: without one nothing is said of time",
        [&](const std::string &text) { options.platform = text; });
  value("--network", "NETWORK",
        "between the nodes, as 'hetc sim' takes it: 23GB/s:1.5us of each port, or a platform file of SimGrid",
        [&](const std::string &text) { options.network = networkNamed(text); });
  value(
      "--memory", "SIZE",
      "of a node, as 64G or 64GB: what fits, by a smaller window, smaller tiles or other owners if need be; without -n "
      "the largest n",
      [&](const std::string &text) { options.memory = memoryOfNode(text); });
  value("--node-hour", "PRICE", "of a node for an hour: what a run costs",
        [&](const std::string &text) { options.nodeHour = priceOf(text); });
  value("--dist", "DIST", "2dbc, g2dbc, sbc or auto (default): the best of the kind for each number of nodes",
        [&](const std::string &text) { options.dist = parseOwners(text); });
  app.footer("Also -m, -n, -k, --nb, --slice, --threads, --set, --window, --device-weights, --node-weights, "
             "--generator, --json [FILE] "
             "and --quiet as for a run.");
}

/// Whether one of the words is the option, or it with a value.
bool hasOption(const std::vector<std::string> &words, const std::string &option) {
  return std::ranges::any_of(words, [&](const std::string &word) {
    return word == option || word.starts_with(option + "=") ||
           (option.size() == 2 && word.starts_with(option) && word.size() > 2);
  });
}

/// Gives the nodes a usual network where the profile has none: nothing could be said of several nodes.
void assumeNetwork(Settings &settings, const PlanOptions &options) {
  const bool isNeeded = std::ranges::any_of(options.nodes, [](int nodes) { return nodes > 1; });
  if (!settings.devices.machine || settings.devices.machine->profile.network || !isNeeded)
    return;
  constexpr const char *assumed = "12.5GB/s:1.5us";
  std::fprintf(stderr,
               "hetc: remark: the profile %s says nothing of a network, and nodes are taken to be connected by %s "
               "(InfiniBand of 100 Gbit/s); --network says another\n",
               settings.devices.machine->profile.name.c_str(), assumed);
  setNetwork(settings, networkNamed(assumed));
}

/// Whether no option or file says how large the problem is.
bool lacksSize(const runtime::Algorithm &algorithm, const std::vector<std::string> &words) {
  return std::string_view(algorithm.sizes).find('n') != std::string_view::npos && !algorithm.sizeDefaults.n &&
         !hasOption(words, "-n") && !hasOption(words, "--input");
}

/// Nothing when help was printed.
std::optional<PlanRequest> parseRequest(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  PlanOptions options;
  CLI::App app(std::string(algorithm.name) + " plan: how many nodes a problem wants; nothing is run", algorithm.name);
  app.allow_extras();
  declare(app, options);
  if (!parsePrinting(app, argc, argv))
    return std::nullopt;
  if (options.nodes.empty())
    throw UsageError("how many nodes? give --nodes, for example --nodes 1..64");
  if (options.nodeHour && options.platform.empty())
    throw UsageError("--node-hour: how long a run takes is known of a --platform only; give one");
  if (options.network && options.platform.empty())
    throw UsageError("--network is between nodes of a --platform; give one");
  const std::vector<std::string> given = app.remaining();
  PlanRequest request{.owners = Family::Any,
                      .nodes = options.nodes,
                      .memory = options.memory,
                      .nodeHour = options.nodeHour,
                      .largest = lacksSize(algorithm, given),
                      .windowGiven = hasOption(given, "--window"),
                      .settings = {}};
  if (request.largest && !request.memory)
    throw UsageError("how large? give -n, or --memory of a node for the largest n that fits, as --memory 64G");
  std::vector<std::string> rest = {algorithm.name};
  rest.insert(rest.end(), given.begin(), given.end());
  if (!options.platform.empty())
    for (std::string &word : devicesOfPlatform(options.platform))
      rest.push_back(std::move(word));
  std::optional<Settings> settings = settingsOf(algorithm, rest);
  if (!settings)
    return std::nullopt;
  request.settings = std::move(*settings);
  if (options.network)
    setNetwork(request.settings, *options.network);
  assumeNetwork(request.settings, options);
  request.owners = ownersOf(options.dist, request.settings, request.nodes.front()).value_or(Family::Any);
  return request;
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
                    .largest = request->largest,
                    .settings = &settings,
                    .records = {}};
  for (const int nodes : request->nodes)
    report.records.push_back(planNodes(algorithm, *request, nodes));
  writeReport(settings, planTable(report), plansJson(report));
  return Fine;
}

} // namespace

bool asksForPlan(int argc, const char *const *argv) { return argc > 1 && std::string_view(argv[1]) == "plan"; }

std::string planHelp() {
  PlanOptions options;
  CLI::App app("Options of the plan", "hetc plan FILE.tla");
  declare(app, options);
  return app.help();
}

int runPlanning(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  return exitCodeOf(algorithm, [&] { return planAll(algorithm, argc - 1, argv + 1); });
}

} // namespace tla::host
