#include "runtime/predict/commands/cost_report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/problem/task_order.hpp"
#include "runtime/predict/commands/cost_bounds.hpp"
#include "runtime/predict/commands/cost_count.hpp"
#include "runtime/predict/commands/machine_report.hpp"
#include "runtime/predict/plan/problem_object.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using runtime::Cost;
using runtime::NodeCost;

double sendsPerTile(const Cost &cost) {
  return double(cost.total().transfers.messages) / double(std::max<std::uint64_t>(1, cost.storedTiles));
}

std::uint64_t largestMemory(const Cost &cost) {
  std::uint64_t most = 0;
  for (const NodeCost &node : cost.nodes)
    most = std::max(most, node.foreignBytes);
  return most;
}

/// Bytes that all nodes together must receive, each with as much memory as the fullest has here.
std::optional<double> lowerBound(const Problem &problem, const Cost &cost) {
  const auto element = double(elementBytes(problem.algorithm->type));
  std::uint64_t most = 0;
  for (const NodeCost &node : cost.nodes)
    most = std::max(most, node.ownedBytes + node.temporaryBytes);
  const auto elements = requiredElements(problem, {.nodes = static_cast<int>(cost.nodes.size()),
                                                   .memory = double(most) / element,
                                                   .owned = double(cost.storedBytes) / element});
  return cost.nodes.size() > 1 && elements ? std::optional(*elements * element) : std::nullopt;
}

double movedBytes(const runtime::DeviceCost &device) {
  return static_cast<double>(device.in.bytes + device.out.bytes + device.peer.bytes);
}

/// The bytes that the device must load and store, at least, in whatever order its tasks are: each content that it has
/// not made itself comes once, and each that others need goes once; and it loads as much as its memory makes necessary
/// for so much work (requiredOnDevice()).
double leastBytes(const Problem &problem, const CostRecord &record, const runtime::DeviceCost &device, std::size_t d) {
  const double needed = static_cast<double>(device.in.bytes + device.peer.bytes - device.comingAgain.bytes);
  const double stored = static_cast<double>(device.out.bytes - device.makingRoom.bytes);
  const auto element = static_cast<double>(elementBytes(problem.algorithm->type));
  const double all = record.cost.total().updateFlops;
  const double part = all > 0 ? device.updateFlops / all : 0;
  const double memory = d < record.deviceBytes.size() ? static_cast<double>(record.deviceBytes[d]) / element : 0;
  return std::max(needed, requiredOnDevice(problem, part, memory).value_or(0) * element) + stored;
}

std::optional<double> songBytes(const Problem &problem, const Cost &cost) {
  const auto elements = songElements(problem, static_cast<int>(cost.nodes.size()));
  return elements ? std::optional(*elements * double(elementBytes(problem.algorithm->type))) : std::nullopt;
}

std::string bytesOrNone(const std::optional<double> &bytes) { return bytes ? formatBytes(*bytes) : "-"; }

std::string title(const Problem &problem) {
  const std::string sizes = sizesText(*problem.algorithm, problem.values);
  return format("%s, %s: ", problem.algorithm->name, typeName(problem.algorithm->type)) + sizes +
         (sizes.empty() ? "" : ", ") + tilesText(problem.nb, problem.cut) + "\n";
}

/// "name  min mean max total" of one figure over the nodes.
template <typename Figure> std::string line(const Cost &cost, const char *name, const char *pattern, Figure figure) {
  double least = figure(cost.nodes[0]), most = least, sum = 0;
  for (const NodeCost &node : cost.nodes) {
    least = std::min(least, figure(node));
    most = std::max(most, figure(node));
    sum += figure(node);
  }
  std::string text = format("  %-22s", name);
  for (const double value : {least, sum / double(cost.nodes.size()), most, sum})
    text += format(pattern, value);
  return text + "\n";
}

std::string oneTable(const Problem &problem, const CostRecord &record) {
  constexpr const char *whole = "%14.0f", *real = "%14.3f";
  constexpr double mega = 1e-6, giga = 1e-9;
  const Cost &cost = record.cost;
  std::string text = format("  %s, %zu %s\n", record.distribution.name().c_str(), cost.nodes.size(),
                            cost.nodes.size() == 1 ? "node" : "nodes");
  text += format("  %-22s%14s%14s%14s%14s\n", "per node", "min", "mean", "max", "total");
  text += line(cost, "tasks", whole, [](const NodeCost &node) { return double(node.tasks); });
  text += line(cost, "Gflop", real, [](const NodeCost &node) { return node.flops * giga; });
  text += line(cost, "messages sent", whole, [](const NodeCost &node) { return double(node.transfers.messages); });
  text += line(cost, "MB sent", real, [](const NodeCost &node) { return double(node.transfers.bytes) * mega; });
  text += line(cost, "messages received", whole, [](const NodeCost &node) { return double(node.transfers.received); });
  text +=
      line(cost, "MB received", real, [](const NodeCost &node) { return double(node.transfers.receivedBytes) * mega; });
  text += line(cost, "MB of own tiles", real, [](const NodeCost &node) { return double(node.ownedBytes) * mega; });
  text +=
      line(cost, "MB of others' at most", real, [](const NodeCost &node) { return double(node.foreignBytes) * mega; });
  text +=
      line(cost, "MB with workspaces", real, [](const NodeCost &node) { return double(node.temporaryBytes) * mega; });
  text += line(cost, "MB of these needed", real,
               [](const NodeCost &node) { return double(node.leastTemporaryBytes) * mega; });
  text += line(cost, "MB of a node at most", real,
               [&](const NodeCost &node) { return memoryOf(cost, node).bytes() * mega; });
  const bool resident = std::ranges::any_of(cost.total().devices,
                                            [](const runtime::DeviceCost &device) { return device.residentBytes > 0; });
  for (std::size_t d = 0; d < cost.nodes[0].devices.size(); ++d) {
    const auto megabytes = [&](const char *what, runtime::CopyCounts runtime::DeviceCounts::*counts) {
      return line(cost, format("device %zu: MB %s", d, what).c_str(), real,
                  [=](const NodeCost &node) { return double((node.devices[d].*counts).bytes) * mega; });
    };
    text += line(cost, format("device %zu: tasks", d).c_str(), whole,
                 [d](const NodeCost &node) { return double(node.devices[d].tasks); });
    text += megabytes("in", &runtime::DeviceCounts::in) + megabytes("out", &runtime::DeviceCounts::out) +
            megabytes("from others", &runtime::DeviceCounts::peer);
    text += line(cost, format("device %zu: MB of its link", d).c_str(), real,
                 [d](const NodeCost &node) { return movedBytes(node.devices[d]) * mega; });
    text += line(cost, format("device %zu: at least", d).c_str(), real,
                 [&, d](const NodeCost &node) { return leastBytes(problem, record, node.devices[d], d) * mega; });
    if (resident)
      text += line(cost, format("device %zu: MB at home", d).c_str(), real,
                   [d](const NodeCost &node) { return double(node.devices[d].residentBytes) * mega; });
  }
  text += format("  %-22s%14.3f\n", "sends per stored tile", sendsPerTile(cost));
  text += format("  %-22s%14llu tasks, %.3f Gflop\n", "critical path",
                 static_cast<unsigned long long>(cost.criticalPathTasks), cost.criticalPathFlops * giga);
  text += format("  %-22s%14s\n", "lower bound", bytesOrNone(lowerBound(problem, cost)).c_str());
  text += format("  %-22s%14s\n", "[Song12] Table 1", bytesOrNone(songBytes(problem, cost)).c_str());
  return record.machine ? text + machineTable(*record.machine) : text;
}

std::string comparison(const Problem &problem, const std::vector<CostRecord> &records) {
  const bool onMachine = records[0].machine.has_value();
  std::size_t width = 18;
  for (const CostRecord &record : records)
    width = std::max(width, record.distribution.name().size());
  const int names = static_cast<int>(width);
  std::string text = format("  %-*s%7s%12s%12s%12s%12s%12s%12s%12s", names, "distribution", "nodes", "messages", "sent",
                            "sends/tile", "flops max", "memory", "bound", "[Song12]");
  text += onMachine ? format("%12s%12s\n", "time", "of (4)") : "\n";
  for (const CostRecord &record : records) {
    const Cost &cost = record.cost;
    const NodeCost total = cost.total();
    double most = 0;
    for (const NodeCost &node : cost.nodes)
      most = std::max(most, node.flops);
    const double mean = total.flops / double(cost.nodes.size());
    text += format("  %-*s%7zu%12llu%12s%12.3f%12.3f%12s%12s%12s", names, record.distribution.name().c_str(),
                   cost.nodes.size(), static_cast<unsigned long long>(total.transfers.messages),
                   formatBytes(double(total.transfers.bytes)).c_str(), sendsPerTile(cost), mean > 0 ? most / mean : 1,
                   formatBytes(double(largestMemory(cost))).c_str(), bytesOrNone(lowerBound(problem, cost)).c_str(),
                   bytesOrNone(songBytes(problem, cost)).c_str());
    text += onMachine ? format("%12s%12s\n", formatSeconds(record.machine->seconds).c_str(),
                               ratioText(*record.machine).c_str())
                      : "\n";
  }
  return text + "  flops max: of the node with most, in means; memory: others' tiles on the node with most\n";
}

Json devicesOf(const Problem &problem, const CostRecord &record, const NodeCost &node) {
  Json devices = Json::array();
  for (std::size_t d = 0; d < node.devices.size(); ++d) {
    const runtime::DeviceCost &device = node.devices[d];
    Json object{{"tasks", device.tasks}};
    addCopies(object, device);
    object["bytes_resident"] = device.residentBytes;
    object["evicted_bytes"] = device.comingAgain.bytes + device.makingRoom.bytes;
    object["least_bytes"] = leastBytes(problem, record, device, d);
    devices.push_back(std::move(object));
  }
  return devices;
}

Json object(const Problem &problem, const CostRecord &record) {
  const Cost &cost = record.cost;
  const NodeCost total = cost.total();
  const std::optional<double> bound = lowerBound(problem, cost);
  Json object;
  object["dist"] = record.distribution.name();
  object["nodes"] = cost.nodes.size();
  object["tasks"] = total.tasks;
  object["flops"] = total.flops;
  object["messages"] = total.transfers.messages;
  object["bytes"] = total.transfers.bytes;
  object["sends_per_tile"] = sendsPerTile(cost);
  object["critical_path_tasks"] = cost.criticalPathTasks;
  object["critical_path_flops"] = cost.criticalPathFlops;
  object["memory_bytes"] = largestMemory(cost);
  object["lower_bound_bytes"] = bound ? Json(*bound) : Json(nullptr);
  object["per_node"] = Json::array();
  for (const NodeCost &node : cost.nodes) {
    Json &each = object["per_node"].emplace_back(nodeObject(node));
    each["memory_bytes"] = node.foreignBytes;
    each["owned_bytes"] = node.ownedBytes;
    each["temporary_bytes"] = node.temporaryBytes;
    each["least_temporary_bytes"] = node.leastTemporaryBytes;
    each["node_bytes"] = memoryOf(cost, node).bytes();
    each["devices"] = devicesOf(problem, record, node);
  }
  object["generator"] = record.generator;
  object["task_order"] = nameOf(record.order);
  object["tile"] = problem.nb;
  object["split"] = problem.cut.slices;
  object["slice"] = problem.cut.slices > 1 ? Json(problem.cut.width) : Json(nullptr);
  if (record.machine)
    object["machine"] = machineJson(*record.machine);
  return object;
}

std::string print(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace

std::string costTable(const Problem &problem, const std::vector<CostRecord> &records) {
  return title(problem) + (records.size() == 1 ? oneTable(problem, records[0]) : comparison(problem, records));
}

std::string costJson(const Problem &problem, const std::vector<CostRecord> &records, bool list) {
  if (!list)
    return print(object(problem, records[0]));
  Json array = Json::array();
  for (const CostRecord &record : records)
    array.push_back(object(problem, record));
  return print(array);
}

std::string fakeRankText(const FakeRankRecord &record) {
  const runtime::GenerationCost &cost = record.cost;
  return format("rank %d of %s: %s%s, %llu %s looked at; own: %llu tasks, %llu sends, %llu receives\n", record.rank,
                record.distribution.name().c_str(), formatSeconds(cost.seconds).c_str(),
                cost.byNodeLoops ? "" : " by replay", static_cast<unsigned long long>(cost.visited),
                cost.byNodeLoops ? "tasks and messages" : "tasks", static_cast<unsigned long long>(cost.tasks),
                static_cast<unsigned long long>(cost.sends), static_cast<unsigned long long>(cost.receives));
}

std::string fakeRankJson(const FakeRankRecord &record) {
  Json object;
  object["dist"] = record.distribution.name();
  object["nodes"] = record.distribution.nodes();
  object["rank"] = record.rank;
  object["visited"] = record.cost.visited;
  object["own_tasks"] = record.cost.tasks;
  object["own_sends"] = record.cost.sends;
  object["own_receives"] = record.cost.receives;
  object["seconds"] = record.cost.seconds;
  object["generator"] = record.generator;
  return print(object);
}

} // namespace tla::host
