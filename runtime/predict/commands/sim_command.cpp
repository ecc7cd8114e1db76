#include "runtime/predict/commands/sim_command.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/output/trace_output.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/predict/commands/cluster.hpp"
#include "runtime/predict/commands/counting.hpp"
#include "runtime/predict/commands/sim_report.hpp"
#include "runtime/predict/commands/time_choice.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/rates/calibration.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/error.hpp>

#include <CLI/CLI.hpp>

#include <cmath>

namespace tla::host {
namespace {

struct SimRequest {
  WantedOwners owners;
  std::vector<int> nodes;
  bool hasNetwork = false;                                          ///< --network
  bool weak = false;                                                ///< sizes are those of one node
  std::vector<std::optional<std::uint64_t>> noise = {std::nullopt}; ///< seeds; nothing: quiet cores
  std::vector<std::optional<Rival>> policies = {std::nullopt};      ///< nothing: hetc's own
  double watch = 3;                                                 ///< seconds of --calibrate, for the noise
  std::string calibrate;                                            ///< a file for this machine's profile; else empty
  Settings settings;
};

/// "1,4,16"
std::vector<int> nodesOf(const std::string &text) {
  std::vector<int> nodes;
  TextReader in(text);
  for (std::string word; std::getline(in, word, ',');)
    nodes.push_back(numberOf("--nodes", word, 1, mostNodes));
  if (nodes.empty())
    throw UsageError("--nodes needs a number, or several: --nodes 1,4,16");
  return nodes;
}

/// "7", "1..20"
std::vector<std::optional<std::uint64_t>> seedsOf(const std::string &text) {
  constexpr int most = 1000;
  const std::size_t dots = text.find("..");
  const int first = numberOf("--noise", text.substr(0, dots), 0, 1'000'000'000);
  const int last =
      dots == std::string::npos ? first : numberOf("--noise", text.substr(dots + 2), first, first + most - 1);
  std::vector<std::optional<std::uint64_t>> seeds;
  for (int seed = first; seed <= last; ++seed)
    seeds.push_back(seed);
  return seeds;
}

/// "static,write-back"
std::vector<std::optional<Rival>> policiesOf(const std::string &text) {
  std::vector<std::optional<Rival>> policies;
  TextReader in(text);
  for (std::string word; std::getline(in, word, ',');) {
    const std::optional<Rival> rival = rivalNamed(word);
    if (!rival && word != staticPolicy)
      throw UsageError("--policy has static, write-through, write-back and dmda, not '" + word + "'");
    policies.push_back(rival);
  }
  if (policies.empty())
    throw UsageError("--policy needs one of static, write-through, write-back and dmda, or several");
  return policies;
}

bool hasRivals(const SimRequest &request) {
  return std::ranges::any_of(request.policies, [](const auto &policy) { return policy.has_value(); });
}

/// Nothing when help was printed.
std::optional<SimRequest> parseRequest(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  SimRequest request;
  std::optional<WantedOwners> dist;
  std::string platform, network;
  CLI::App app(std::string(algorithm.name) + " sim: how long a cluster would take; nothing is computed",
               algorithm.name);
  app.allow_extras();
  app.add_option(
         "--platform", platform,
         "a node: what --devices profile: takes, NAME|FILE[,n=DEVICES|,speed=W:W...][,mem=SIZE][,order=arrival]")
      ->type_name("NODE")
      ->take_last();
  app.add_option("--network", network,
                 "what is between the nodes: a port's bandwidth and a message's latency, 23GB/s:1.5us, or a platform "
                 "file of SimGrid, whose hosts they are; default: the platform's own network")
      ->type_name("NETWORK")
      ->take_last();
  app.add_option_function<std::string>(
         "--nodes", [&](const std::string &text) { request.nodes = nodesOf(text); }, "how many, or several numbers")
      ->type_name("P,...")
      ->take_last();
  app.add_option_function<std::string>(
         "--dist", [&](const std::string &text) { dist = parseOwners(text); },
         "as 'hetc cost' takes it; default: auto, the best for --nodes")
      ->type_name("DIST")
      ->take_last();
  app.add_option_function<std::string>(
         "--noise", [&](const std::string &text) { request.noise = seedsOf(text); },
         "cores are disturbed, as the platform's \"noise\" says, else as those of shared machines: drawn from a seed, "
         "or "
         "once for each of several, 1..20")
      ->type_name("SEED")
      ->take_last();
  app.add_option_function<std::string>(
         "--policy", [&](const std::string &text) { request.policies = policiesOf(text); },
         "who computes what is static (default), or dynamic with caches of tiles on nodes and devices: write-through, "
         "write-back, dmda; or several to compare")
      ->type_name("NAME,...")
      ->take_last();
  app.add_flag("--weak", request.weak, "sizes are of one node: n grows with the square root of the nodes");
  app.add_option(
         "--calibrate", request.calibrate,
         "measures the kernels on this machine's cores, all at once, and writes a profile that --platform takes; "
         "stands alone, or with --threads, --kernels and --nb, whose tiles it then measures, too")
      ->type_name("FILE")
      ->take_last();
  // For tests, which do not wait; help does not show options of no group.
  app.add_option("--watch", request.watch, "seconds of --calibrate in which it looks at what disturbs the cores")
      ->group("")
      ->check(CLI::Range(0.0, 600.0))
      ->take_last();
  app.footer("Also -m, -n, -k, --nb, --slice, --threads, --set, --window, --device-weights, --node-weights, "
             "--generator, --json [FILE], "
             "--trace FILE and --quiet as for a run.");
  std::vector<std::string> rest = {algorithm.name};
  if (!parsePrinting(app, argc, argv))
    return std::nullopt;
  const bool calibrates = app.count("--calibrate") > 0;
  if (calibrates && (app.count("--platform") || app.count("--network") || app.count("--nodes") || app.count("--dist") ||
                     app.count("--noise") || request.weak))
    throw UsageError(
        "--calibrate measures this machine; leave out --platform, --network, --nodes, --dist, --noise and --weak");
  if (!calibrates && app.count("--watch"))
    throw UsageError("--watch is for --calibrate FILE");
  if (calibrates && request.calibrate.find_first_of("./") == std::string::npos) // findProfile()
    throw UsageError("--calibrate: which file? one with '.' or '/' in its name, as ./here.json");
  if (!calibrates && platform.empty())
    throw UsageError("which nodes? give --platform, for example --platform keeneland-m2070");
  for (const std::string &argument : app.remaining())
    rest.push_back(argument);
  if (!calibrates)
    for (std::string &word : devicesOfPlatform(platform))
      rest.push_back(std::move(word));
  std::optional<Settings> settings = settingsOf(algorithm, rest);
  if (!settings)
    return std::nullopt;
  request.settings = std::move(*settings);
  if (app.count("--network")) {
    setNetwork(request.settings, networkNamed(network));
    request.hasNetwork = true;
  }
  // Nodes of these speeds may have tiles by any distribution.
  if (request.settings.nodeWeights.empty() || !dist)
    dist = ownersOf(dist, request.settings, request.nodes.empty() ? 0 : request.nodes.front());
  request.owners = dist.value_or(Family::Any);
  return request;
}

/// Simulates a run on so many nodes.
SimRecord simulate(const runtime::Algorithm &algorithm, const SimRequest &request, int nodes,
                   std::optional<std::uint64_t> noiseSeed, std::optional<Rival> rival) {
  const double side = std::sqrt(static_cast<double>(nodes));
  const Settings whole = request.weak ? scaledSettings(request.settings, side) : request.settings;
  const Settings part = request.weak ? request.settings : scaledSettings(whole, 1 / side);
  ClusterPlan cluster = planFastestCluster(algorithm, whole, part, request.owners, nodes, mostTasksOfTrial);
  return rival ? runRival(std::move(cluster), whole, *rival) : runCluster(std::move(cluster), whole, noiseSeed);
}

void requireForRivals(const SimRequest &request) {
  const auto refuse = [](bool given, const char *what) {
    if (given)
      throw UsageError(
          std::string(
              "--policy: dynamic policies are without noise, trace, SimGrid and resident matrices: leave out ") +
          what);
  };
  refuse(request.noise.front().has_value(), "--noise");
  refuse(!request.settings.traceFile.empty(), "--trace");
  refuse(request.hasNetwork, "--network");
  refuse(request.settings.resident, "--resident");
}

/// This machine's profile into a file.
void calibrate(const runtime::Algorithm &algorithm, const SimRequest &request) {
  requireWritable(request.calibrate, "--calibrate", 0);
  const int cores = request.settings.threads ? request.settings.threads : runtime::defaultThreads();
  const std::string profile =
      calibratedProfile({.type = algorithm.type,
                         .hostKernels = hostKernelsText(kernels::installKernels(kernelsName(request.settings.kernels))),
                         .cores = cores,
                         .nb = static_cast<int>(request.settings.nb.value_or(0)),
                         .watch = request.watch});
  OutputFile file(request.calibrate);
  file.write(profile);
  file.commit();
  if (!request.settings.quiet)
    printOut(format("%s: %d cores of this machine; hetc sim FILE.tla --platform %s --nodes P takes it\n",
                    request.calibrate.c_str(), cores, request.calibrate.c_str()));
}

int simulateAll(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  std::optional<SimRequest> request = parseRequest(algorithm, argc, argv);
  if (!request)
    return Fine;
  if (!request->calibrate.empty())
    return calibrate(algorithm, *request), Fine;
  const Settings &settings = request->settings;
  prepareJson(algorithm, settings);
  if (request->nodes.empty() && hasRivals(*request))
    request->nodes = {1};
  if (request->nodes.empty()) {
    const auto *const distribution = std::get_if<Distribution>(&request->owners);
    if (!distribution)
      throw UsageError("how many nodes? give --nodes, or a --dist with numbers");
    request->nodes = {distribution->nodes()};
  }
  if (!settings.traceFile.empty()) {
    if (request->nodes.size() * request->noise.size() > 1)
      throw UsageError("--trace: which of the runs? give one number of --nodes, and of --noise");
    requireSeparateOutputs(algorithm, settings);
    requireTraceOutput(settings.traceFile);
  }
  if (hasRivals(*request))
    requireForRivals(*request);
  if (request->hasNetwork && std::ranges::all_of(request->nodes, [](int nodes) { return nodes == 1; }))
    throw UsageError("--network is between nodes, and one node has none; leave it out");
  std::vector<SimRecord> records;
  for (const int nodes : request->nodes)
    for (const auto policy : request->policies)
      for (const auto seed : request->noise)
        records.push_back(simulate(algorithm, *request, nodes, seed, policy));
  if (const SimRecord &run = records.front(); !settings.traceFile.empty())
    writeTrace(settings.traceFile, {*run.problem, run.nodes, run.seconds(), run.flops(), run.machine});
  writeReport(settings, simTable(records), simJson(records, records.size() > 1));
  return Fine;
}

} // namespace

bool asksForSimulation(int argc, const char *const *argv) { return argc > 1 && std::string_view(argv[1]) == "sim"; }

int runSimulation(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  return exitCodeOf(algorithm, [&] { return simulateAll(algorithm, argc - 1, argv + 1); });
}

} // namespace tla::host
