#include "runtime/predict/commands/plan_report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/settings.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/interfaces/starter.hpp"
#include "runtime/predict/plan/problem_object.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;

double nodeHours(const PlanRecord &record) { return record.time ? record.time->seconds * record.nodes() / 3600 : 0; }

/// Joules, of all nodes.
double energyOf(const PlanReport &report, const PlanRecord &record) {
  return record.time ? report.watts * record.nodes() * record.time->seconds : 0;
}

/// "12.5 kJ"; beyond a megajoule in kilowatt hours, as power is paid for.
std::string energyText(double joules) {
  if (joules >= 1e6)
    return format("%.4g kWh", joules / 3.6e6);
  return joules >= 1e3 ? format("%.4g kJ", joules * 1e-3) : format("%.4g J", joules);
}

bool fits(const PlanReport &report, const PlanRecord &record) {
  return !report.memory || record.bytesPerNode <= *report.memory;
}

std::string memoryText(const PlanReport &report, const PlanRecord &record) {
  if (!report.memory)
    return "";
  return fits(report, record) ? "fits" : formatBytes(record.bytesPerNode - *report.memory) + " short";
}

Json recordObject(const PlanReport &report, const PlanRecord &record) {
  const Problem &problem = *record.problem;
  const runtime::NodeCost total = record.cost.cost.total();
  Json object;
  object["nodes"] = record.nodes();
  for (const auto &[symbol, value] :
       {std::pair{"m", problem.values.m}, {"n", problem.values.n}, {"k", problem.values.k}})
    object[symbol] = std::string_view(problem.algorithm->sizes).find(*symbol) == std::string_view::npos ? Json(nullptr)
                                                                                                        : Json(value);
  object["dist"] = record.cost.distribution.name();
  object["tile"] = problem.nb;
  object["split"] = problem.cut.slices;
  object["slice"] = problem.cut.slices > 1 ? Json(problem.cut.width) : Json(nullptr);
  object["tasks"] = total.tasks;
  object["flops"] = total.flops;
  object["messages"] = total.transfers.messages;
  object["bytes"] = total.transfers.bytes;
  object["memory_bytes"] = record.bytesPerNode;
  object["fits"] = report.memory ? Json(fits(report, record)) : Json(nullptr);
  object["seconds"] = record.time ? Json(record.time->seconds) : Json(nullptr);
  object["gflops"] = record.time ? Json(record.time->gflops) : Json(nullptr);
  object["simulated_part"] = record.time ? Json(record.time->part) : Json(nullptr);
  object["joules"] = record.time && report.watts > 0 ? Json(energyOf(report, record)) : Json(nullptr);
  object["node_hours"] = record.time ? Json(nodeHours(record)) : Json(nullptr);
  object["price"] = record.time && report.nodeHour ? Json(nodeHours(record) * *report.nodeHour) : Json(nullptr);
  object["other_memories"] = Json::array();
  for (const PlanRecord::OtherMemory &other : record.otherMemories)
    object["other_memories"].push_back({{"device_bytes", other.bytes}, {"seconds", other.seconds}});
  object["generator"] = record.cost.generator;
  object["window"] = record.window;
  object["command"] = commandOf(report, record);
  object["planning"] = {{"choice_seconds", record.choiceSeconds},
                        {"count_seconds", record.countSeconds},
                        {"time_seconds", record.timeSeconds}};
  return object;
}

std::string headOf(const PlanReport &report) {
  const Problem &problem = *report.records.front().problem;
  const std::string sizes = report.largest ? "the largest n for " + formatBytes(*report.memory) + " of each node"
                                           : sizesText(*problem.algorithm, problem.values);
  std::string text = format("%s, %s: %s", problem.algorithm->name, typeName(problem.algorithm->type), sizes.c_str());
  if (!report.machine.empty())
    text += ", on nodes with " + report.machine;
  return text + "; nothing was run\n";
}

std::string lineOf(const PlanReport &report, const PlanRecord &record) {
  const runtime::NodeCost total = record.cost.cost.total();
  std::string text = report.largest ? format("  %8ld", record.problem->values.n) : std::string();
  text += format("  %5d  %-22s %5d %10s %-14s %10.0f %10s", record.nodes(), record.cost.distribution.name().c_str(),
                 record.problem->nb, formatBytes(record.bytesPerNode).c_str(), memoryText(report, record).c_str(),
                 double(total.transfers.messages), formatBytes(double(total.transfers.bytes)).c_str());
  if (record.time)
    text +=
        format(" %1s%11s %10.1f %9.1f", record.time->part < 1 ? "~" : "", formatSeconds(record.time->seconds).c_str(),
               record.time->gflops, record.time->gflops / record.nodes());
  else if (!report.machine.empty())
    text += format(" %12s %10s %9s", "-", "-", "-");
  if (record.time && report.watts > 0)
    text += format(" %11s", energyText(energyOf(report, record)).c_str());
  else if (report.watts > 0)
    text += format(" %11s", "-");
  if (record.time && report.nodeHour)
    text += format(" %10.4g", nodeHours(record) * *report.nodeHour);
  return text + "\n";
}

/// "  1 node: with devices of 40.0 GiB 60 s, of 160.0 GiB 50 s"
std::string otherMemoriesText(const PlanRecord &record) {
  std::string text;
  for (const PlanRecord::OtherMemory &other : record.otherMemories)
    text += (text.empty() ? " with devices of " : ", of ") + formatBytes(static_cast<double>(other.bytes)) + " " +
            formatSeconds(other.seconds);
  return text.empty() ? ""
                      : format("  %d %s, tiles come and go:", record.nodes(), record.nodes() == 1 ? "node" : "nodes") +
                            text + "\n";
}

std::string notesOf(const PlanReport &report) {
  std::string text;
  if (const auto from = saturation(report))
    text += format("  from %d %s on, twice as many are less than half as much again as fast\n",
                   report.records[*from].nodes(), report.records[*from].nodes() == 1 ? "node" : "nodes");
  double part = 1;
  for (const PlanRecord &record : report.records)
    part = record.time ? std::min(part, record.time->part) : part;
  if (part < 1)
    text += format(
        "  ~: run in virtual time on sides of %.2g of the problem's and less, and carried over to the whole\n", part);
  if (!report.machine.empty() && std::ranges::any_of(report.records, [](const auto &record) { return !record.time; }))
    text += "  -: what can be run in virtual time within a moment is too small to tell; 'hetc sim' runs the whole\n";
  if (report.machine.empty())
    text += "  how long it takes: give --platform, for example --platform keeneland-m2070\n";
  for (const PlanRecord &record : report.records)
    text += otherMemoriesText(record);
  for (const PlanRecord &record : report.records)
    if (record.byTime)
      text +=
          format("  %d nodes: ", record.nodes()) + choiceText(record.cost.distribution.name(), *record.byTime) + "\n";
  for (const PlanRecord &record : report.records)
    if (!record.usual.empty())
      text += format("  %d %s: --window %d and tiles of %d, as with %s\n", record.nodes(),
                     record.nodes() == 1 ? "node" : "nodes", record.window, record.problem->nb, record.usual.c_str());
  for (const PlanRecord &record : report.records)
    if (fits(report, record))
      text += "  to run it: " + commandOf(report, record) + "\n";
  return text;
}

} // namespace

std::string commandOf(const PlanReport &report, const PlanRecord &record) {
  const Problem &problem = *record.problem;
  const std::optional<Starter> starter = findStarter();
  std::string text = starter ? "hetc run " + starter->file : "./" + std::string(problem.algorithm->name);
  if (starter && !starter->algorithm.empty())
    text += " --algorithm " + starter->algorithm;
  if (starter && problem.algorithm->type != runtime::ElementType::D)
    text += std::string(" --type ") + static_cast<char>(problem.algorithm->type);
  for (const auto &[symbol, value] : usedSizes(*problem.algorithm, problem.values))
    text += format(" -%c %ld", symbol, value);
  text += format(" --nb %d", problem.nb);
  if (record.window != Settings().window)
    text += format(" --window %d", record.window);
  for (const Assignment &scalar : report.settings->scalars)
    text += " --set " + scalar.name + "=" + scalar.value;
  if (record.nodes() == 1)
    return text;
  return format("mpirun -n %d --map-by ppr:1:node --bind-to none ", record.nodes()) + text + " --dist " +
         record.cost.distribution.name();
}

std::optional<std::size_t> saturation(const PlanReport &report) {
  for (std::size_t i = 0; i + 1 < report.records.size(); ++i) {
    const PlanRecord &record = report.records[i], &next = report.records[i + 1];
    if (!record.time || !next.time)
      return std::nullopt;
    const double doublings = std::log2(double(next.nodes()) / record.nodes());
    if (next.time->gflops < record.time->gflops * std::pow(1.5, doublings))
      return i;
  }
  return std::nullopt;
}

std::string planTable(const PlanReport &report) {
  const bool isTimed = !report.machine.empty();
  std::string text = headOf(report);
  if (report.largest)
    text += format("  %8s", "n");
  text += format("  %5s  %-22s %5s %10s %-14s %10s %10s", "nodes", "distribution", "tile", "memory", "", "messages",
                 "sent");
  if (isTimed)
    text += format("  %11s %10s %9s", "time", "Gflop/s", "a node");
  if (isTimed && report.watts > 0)
    text += format(" %11s", "energy");
  if (isTimed && report.nodeHour)
    text += format(" %10s", "price");
  text += "\n";
  for (const PlanRecord &record : report.records)
    text += lineOf(report, record);
  return text + notesOf(report);
}

std::string plansJson(const PlanReport &report) {
  const Problem &problem = *report.records.front().problem;
  Json object = problemObject(*problem.algorithm, &problem.values);
  object["machine"] = report.machine.empty() ? Json(nullptr) : Json(report.machine);
  object["memory_limit_bytes"] = report.memory ? Json(*report.memory) : Json(nullptr);
  object["node_watts"] = report.watts > 0 ? Json(report.watts) : Json(nullptr);
  object["node_hour"] = report.nodeHour ? Json(*report.nodeHour) : Json(nullptr);
  const auto from = saturation(report);
  object["saturated_from"] = from ? Json(report.records[*from].nodes()) : Json(nullptr);
  object["plans"] = Json::array();
  for (const PlanRecord &record : report.records)
    object["plans"].push_back(recordObject(report, record));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tla::host
