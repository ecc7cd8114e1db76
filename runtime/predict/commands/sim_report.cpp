#include "runtime/predict/commands/sim_report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/problem/task_order.hpp"
#include "runtime/predict/plan/problem_object.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using runtime::Statistics;

constexpr double giga = 1e-9;

template <typename Figure> double sumOf(const SimRecord &record, Figure figure) {
  double sum = 0;
  for (const Statistics &node : record.nodes)
    sum += figure(node);
  return sum;
}

double busyOf(const Statistics &node) { return std::accumulate(node.busy.begin(), node.busy.end(), 0.0); }
double messagesOf(const Statistics &node) { return static_cast<double>(node.transfers.messages); }
double bytesOf(const Statistics &node) { return static_cast<double>(node.transfers.bytes); }
double tasksOf(const Statistics &node) { return static_cast<double>(node.tasks); }

/// The bytes copied to devices and back, of all nodes.
double copiedBytes(const Statistics &node) {
  double bytes = 0;
  for (const runtime::DeviceStatistics &device : node.devices)
    bytes += static_cast<double>(device.in.bytes + device.out.bytes + device.peer.bytes);
  return bytes;
}
bool isOfPolicies(const std::vector<SimRecord> &records) {
  return std::ranges::any_of(records, [](const SimRecord &record) { return record.policy != staticPolicy; });
}

double rateOf(const SimRecord &record) { return record.seconds() > 0 ? record.flops() / record.seconds() : 0; }

/// The part of the time that all cores which compute are busy, and that all devices are.
double hostUse(const SimRecord &record) {
  const double all = record.seconds() * record.threads * static_cast<double>(record.nodes.size());
  return all > 0 ? sumOf(record, busyOf) / all : 0;
}
double deviceUse(const SimRecord &record) {
  double devices = 0, busy = 0;
  for (const Statistics &node : record.nodes)
    for (const runtime::DeviceStatistics &device : node.devices) {
      ++devices;
      busy += device.busy;
    }
  return devices > 0 && record.seconds() > 0 ? busy / (devices * record.seconds()) : 0;
}

Json objectOf(const Statistics &node) {
  Json object = nodeObject(node);
  object["foreign_bytes"] = node.foreignBytes;
  object["seconds"] = node.seconds;
  object["busy"] = busyOf(node);
  object["devices"] = Json::array();
  for (const runtime::DeviceStatistics &device : node.devices)
    object["devices"].push_back(Json{{"tasks", device.tasks},
                                     {"busy", device.busy},
                                     {"bytes_in", device.in.bytes},
                                     {"bytes_out", device.out.bytes},
                                     {"bytes_peer", device.peer.bytes},
                                     {"memory_peak", device.peakBytes},
                                     {"bytes_resident", device.residentBytes}});
  return object;
}

Json objectOf(const SimRecord &record) {
  const Problem &problem = *record.problem;
  Json object = problemObject(*problem.algorithm, &problem.values);
  object["machine"] = record.machine;
  object["nodes"] = record.nodes.size();
  object["dist"] = problem.placement.distribution.name();
  object["generator"] = record.generator;
  object["policy"] = record.policy;
  object["threads"] = record.threads;
  object["tile"] = problem.nb;
  object["split"] = problem.algorithm->slices();
  object["slice"] = problem.cut.slices > 1 ? Json(problem.cut.width) : Json(nullptr);
  object["noise"] = record.noiseSeed ? Json(*record.noiseSeed) : Json(nullptr);
  object["device_weights"] = record.shares.weights;
  object["host_weight"] = record.shares.hostWeight;
  object["device_grid_rows"] = record.shares.gridRows;
  object["task_order"] = nameOf(record.shares.order);
  object["seconds"] = record.seconds();
  object["gflops"] = rateOf(record) * giga;
  object["tasks"] = static_cast<std::uint64_t>(sumOf(record, tasksOf));
  object["messages"] = static_cast<std::uint64_t>(sumOf(record, messagesOf));
  object["bytes"] = static_cast<std::uint64_t>(sumOf(record, bytesOf));
  object["host_busy"] = hostUse(record);
  object["device_busy"] = deviceUse(record);
  object["wall_seconds"] = record.wallSeconds;
  object["per_node"] = Json::array();
  for (const Statistics &node : record.nodes)
    object["per_node"].push_back(objectOf(node));
  return object;
}

/// "4 nodes, noise 1..20: 12.31 s, 11.92 .. 13.05" for each number of nodes with several runs.
std::string noiseLines(const std::vector<SimRecord> &records) {
  std::string text;
  for (std::size_t begin = 0, end; begin < records.size(); begin = end) {
    std::vector<double> seconds;
    for (end = begin; end < records.size() && records[end].nodes.size() == records[begin].nodes.size(); ++end)
      seconds.push_back(records[end].seconds());
    if (seconds.size() < 2 || !records[begin].noiseSeed)
      continue;
    std::sort(seconds.begin(), seconds.end());
    const double middle = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
    text += format("  %zu nodes, noise %lu..%lu: %.4f s in the middle, %.4f .. %.4f\n", records[begin].nodes.size(),
                   static_cast<unsigned long>(*records[begin].noiseSeed),
                   static_cast<unsigned long>(*records[end - 1].noiseSeed), middle, seconds.front(), seconds.back());
  }
  return text;
}

} // namespace

std::string choiceText(const std::string &name, const OwnersByTime &choice) {
  std::string text = name + format(" is chosen by time among %d distributions", choice.tried);
  if (choice.part < 1)
    text += format(", compared on sides of %.2g of the problem's", choice.part);
  return text + (name == choice.fewestBytes ? std::string("; it sends least, too")
                                            : format(": %.1f%% earlier than ", 100 * choice.saved) +
                                                  choice.fewestBytes + ", which sends least");
}

double SimRecord::seconds() const {
  double most = 0;
  for (const Statistics &node : nodes)
    most = std::max(most, node.seconds);
  return most;
}

double SimRecord::flops() const {
  const double nominal = nominalFlops(*problem);
  return nominal > 0 ? nominal : sumOf(*this, [](const Statistics &node) { return node.flops; });
}

std::string simTable(const std::vector<SimRecord> &records) {
  const runtime::Algorithm &algorithm = *records.front().problem->algorithm;
  std::string text = format("%s, %s, on nodes with %s, in virtual time\n", algorithm.name, typeName(algorithm.type),
                            records.front().machine.c_str());
  const bool policies = isOfPolicies(records);
  text += format("  %5s  %-22s %-19s %12s%12s%12s%7s%9s%12s%10s%s\n", "nodes", policies ? "policy" : "distribution",
                 "size, tiles", "seconds", "Gflop/s", "a node", "cores", "devices", policies ? "GB sent" : "messages",
                 policies ? "GB copied" : "GB sent", records.front().noiseSeed ? "   noise" : "");
  for (const SimRecord &record : records) {
    const auto nodes = static_cast<double>(record.nodes.size());
    const std::string size =
        sizesText(*record.problem->algorithm, record.problem->values) + ", " + std::to_string(record.problem->nb);
    text += format("  %5.0f  %-22s %-19s %12.4f%12.1f%12.1f%6.0f%%%8.0f%%", nodes,
                   policies ? record.policy.c_str() : record.problem->placement.distribution.name().c_str(),
                   size.c_str(), record.seconds(), rateOf(record) * giga, rateOf(record) * giga / nodes,
                   100 * hostUse(record), 100 * deviceUse(record));
    text += policies ? format("%12.3f%10.3f", sumOf(record, bytesOf) * giga, sumOf(record, copiedBytes) * giga)
                     : format("%12.0f%10.3f", sumOf(record, messagesOf), sumOf(record, bytesOf) * giga);
    text += record.noiseSeed ? format("%8lu\n", static_cast<unsigned long>(*record.noiseSeed)) : "\n";
  }
  for (std::size_t i = 0; i < records.size(); ++i) // one line for all runs on one number of nodes
    if (const SimRecord &record = records[i];
        record.byTime && (i == 0 || records[i - 1].nodes.size() != record.nodes.size()))
      text += format("  %zu nodes: ", record.nodes.size()) +
              choiceText(record.problem->placement.distribution.name(), *record.byTime) + "\n";
  return text + noiseLines(records);
}

std::string simJson(const std::vector<SimRecord> &records, bool list) {
  Json all = Json::array();
  for (const SimRecord &record : records)
    all.push_back(objectOf(record));
  return (list ? all : all.front()).dump() + "\n";
}

} // namespace tla::host
