#include "runtime/predict/commands/counting.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/distribution/generalized.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/quantity.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/task_map_choice.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace tla::host {

int numberOf(const std::string &option, const std::string &text, long low, long high) {
  const std::optional<long> value = parseInteger(text);
  if (!value || *value < low || *value > high)
    throw UsageError(option + " must be a number from " + std::to_string(low) + " to " + std::to_string(high) +
                     ", not '" + text + "'");
  return static_cast<int>(*value);
}

runtime::MachineProfile::Network networkNamed(const std::string &text) {
  if (text.empty())
    throw UsageError("--network names no file");
  if (text.find_first_of("0123456789") != 0 || text.find(':') == text.npos)
    return {.model = "SimGrid", .bandwidth = 0, .latency = 0, .platform = text};
  const auto bandwidth =
      quantity(text.substr(0, text.find(':')), {{"GB/s", 1e9}, {"MB/s", 1e6}, {"Gbit/s", 1e9 / 8}, {"Gb/s", 1e9 / 8}});
  const auto latency = quantity(text.substr(text.find(':') + 1), {{"us", 1e-6}, {"ns", 1e-9}, {"ms", 1e-3}});
  if (!bandwidth || !latency)
    throw UsageError("--network needs a file of SimGrid, or what a node's port carries and a message's latency, as "
                     "23GB/s:1.5us, not '" +
                     text + "'");
  return {.model = text, .bandwidth = *bandwidth, .latency = *latency, .platform = {}};
}

std::vector<std::string> devicesOfPlatform(const std::string &platform) try {
  const std::string devices = "profile:" + platform;
  runtime::readProfile(devices);
  return {"--devices", devices};
} catch (const UsageError &error) {
  throw UsageError(std::string("--platform: ") + error.what());
}

void setNetwork(Settings &settings, const runtime::MachineProfile::Network &network) {
  runtime::VirtualOptions machine = *settings.devices.machine;
  machine.profile.network = network;
  settings.devices.machine = std::make_shared<const runtime::VirtualOptions>(std::move(machine));
}

struct NamedFamily {
  std::string_view name;
  Family family;
};
constexpr NamedFamily families[] = {
    {"auto", Family::Any}, {"2dbc", Family::Grid}, {"g2dbc", Family::Generalized}, {"sbc", Family::Symmetric}};

WantedOwners parseOwners(const std::string &text) {
  for (const auto &[name, family] : families)
    if (text == name)
      return family;
  Distribution distribution = parseDistribution(text);
  if (distribution.nodes() > mostNodes)
    throw UsageError(text + " has " + std::to_string(distribution.nodes()) + " nodes; at most " +
                     std::to_string(mostNodes) + " are counted");
  return distribution;
}

std::string nameOf(const WantedOwners &owners) {
  if (const auto *distribution = std::get_if<Distribution>(&owners))
    return distribution->name();
  return std::string(std::ranges::find(families, std::get<Family>(owners), &NamedFamily::family)->name);
}

Distribution resolveOwners(const WantedOwners &owners, const Problem &problem, int nodes) {
  if (const auto *distribution = std::get_if<Distribution>(&owners)) {
    requireCopies(*distribution, *problem.algorithm);
    return *distribution;
  }
  const std::string name = nameOf(owners);
  if (!nodes)
    throw UsageError("'" + name + "' without numbers is the best for a number of nodes: give --nodes");
  const Family family = std::get<Family>(owners);
  if (family == Family::Symmetric || (family == Family::Generalized && nodes > mostGeneralizedNodes)) // one, or none
    return resolveOwners(parseOwners(name + ":" + std::to_string(nodes)), problem, nodes);
  return chooseDistribution(problem, nodes, Effort::Thorough, family).distribution;
}

std::optional<WantedOwners> ownersOf(std::optional<WantedOwners> dist, const Settings &settings, int nodes) {
  if (!settings.distribution)
    return dist;
  const char *const other = settings.nodeWeights.empty() ? "--grid" : "--node-weights";
  if (dist)
    throw UsageError(std::string("give --dist or ") + other + ", not both: each says who owns which tile");
  const std::size_t weights = settings.nodeWeights.size();
  if (nodes && weights && static_cast<int>(weights) != nodes)
    throw UsageError(format("--node-weights has %zu nodes, --nodes says %d", weights, nodes));
  return *settings.distribution;
}

bool parsePrinting(CLI::App &app, int argc, const char *const *argv) {
  TextWriter help;
  const bool parsed = parseOptions(app, argc, argv, help);
  if (!parsed)
    printOut(help.str());
  return parsed;
}

Plan planCounting(const Problem &problem, const Settings &settings,
                  const std::vector<runtime::AcceleratorProperties> &devices) {
  Ranks ranks;
  Machine machine{.ranks = ranks, .threads = plannedThreads(settings, devices.size()), .devices = devices};
  const bool needsRates = !devices.empty() && settings.deviceWeights.empty();
  if (needsRates)
    machine.hostKernels = hostKernelsText(kernels::installKernels(kernelsName(settings.kernels)));
  const auto remark = [](const std::string &text) { std::fprintf(stderr, "hetc: remark: %s\n", text.c_str()); };
  Plan plan = planRun(problem, machine, settings, Purpose::Count, {.remark = remark});
  if (!needsRates)
    plan.shares = onGrid({settings.deviceWeights, 0}, settings, *problem.algorithm, static_cast<int>(devices.size()));
  if (!needsRates && problem.algorithm->isDealt())
    plan.shares.taskMap = dealBy(plan.shares, devices, problem.algorithm->type);
  return plan;
}

std::optional<Settings> settingsOf(const runtime::Algorithm &algorithm, const std::vector<std::string> &words) {
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  TextWriter asked;
  std::optional<Settings> settings =
      parseCommandLine(algorithm, static_cast<int>(pointers.size()), pointers.data(), asked, runtime::readProfile);
  if (!settings)
    printOut(asked.str());
  if (settings && settings->memory) // cost and plan have one of their own
    throw UsageError(
        "--memory is of a run; 'hetc cost --memory' and 'hetc plan --memory' say whether nodes have enough");
  return settings;
}

void prepareJson(const runtime::Algorithm &algorithm, const Settings &settings) {
  if (!settings.json)
    return;
  requireSeparateJson(algorithm, settings);
  requireWritable(settings.jsonFile, "--json", 0);
}

int exitCodeOf(const runtime::Algorithm &algorithm, const std::function<int()> &command) {
  try {
    return command();
  } catch (const UsageError &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
    return BadInput;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s: %s\n", algorithm.name, error.what());
    return RuntimeFault;
  }
}

void writeReport(const Settings &settings, const std::string &text, const std::string &json) {
  const bool taken = (settings.json && isStandardOutput(settings.jsonFile)) ||
                     (!settings.traceFile.empty() && isStandardOutput(settings.traceFile));
  if (!settings.quiet && taken)
    std::fputs(text.c_str(), stderr);
  else if (!settings.quiet)
    printOut(text);
  if (settings.json) {
    OutputFile file(settings.jsonFile);
    file.write(json);
    file.commit();
  }
}

} // namespace tla::host
