#include "runtime/predict/commands/counting.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/device/option_text.hpp"
#include "runtime/distribution/generalized.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/task_map_choice.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/error.hpp>

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

double memoryOfNode(const std::string &text) {
  const auto bytes = runtime::option::byteSize(text);
  if (!bytes)
    throw UsageError("--memory needs a size, as 64G or 500M, not '" + text + "'");
  return static_cast<double>(*bytes);
}

Distribution resolveDistribution(const std::string &text, const Problem &problem, int nodes) {
  if (text != "2dbc" && text != "g2dbc" && text != "sbc" && text != "auto") {
    std::string error;
    std::optional<Distribution> distribution = parseDistribution(text, error);
    if (!distribution)
      throw UsageError(error);
    requireCopies(*distribution, *problem.algorithm);
    if (distribution->nodes() > mostNodes)
      throw UsageError(text + " has " + std::to_string(distribution->nodes()) + " nodes; at most " +
                       std::to_string(mostNodes) + " are counted");
    return *distribution;
  }
  if (!nodes)
    throw UsageError("'" + text + "' without numbers is the best for a number of nodes: give --nodes");
  if (text == "sbc")
    return resolveDistribution("sbc:" + std::to_string(nodes), problem, nodes);
  if (text == "g2dbc" && nodes > mostGeneralizedNodes)
    return resolveDistribution("g2dbc:" + std::to_string(nodes), problem, nodes);
  const Family family = text == "2dbc" ? Family::Grid : text == "g2dbc" ? Family::Generalized : Family::Any;
  return chooseDistribution(problem, nodes, Effort::Thorough, family).distribution;
}

std::string distributionOf(const std::string &dist, const Settings &settings, int nodes) {
  if (!settings.distribution)
    return dist;
  const char *const other = settings.nodeWeights.empty() ? "--grid" : "--node-weights";
  if (!dist.empty())
    throw UsageError(std::string("give --dist or ") + other + ", not both: each says who owns which tile");
  const std::size_t weights = settings.nodeWeights.size();
  if (nodes && weights && static_cast<int>(weights) != nodes)
    throw UsageError(format("--node-weights has %zu nodes, --nodes says %d", weights, nodes));
  return settings.distribution->name();
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
  if (!needsRates && problem.algorithm->isDealt)
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
