#include "runtime/predict/rates/machine_numbers.hpp"

#include "dsl/base/shallow_json.hpp"
#include "dsl/base/streams.hpp"
#include "runtime/predict/machine/json_members.hpp"

#include <tla/runtime/error.hpp>

#include <cmath>
#include <numeric>
#include <utility>

namespace tla::host {
namespace {

using Json = nlohmann::ordered_json;
using runtime::Members;

constexpr int mostElements = 1 << 16;
constexpr std::size_t mostBytes = std::size_t(1) << 24; // of a file: a device is not read to its end

ComputeElement elementFrom(Members members) {
  ComputeElement element;
  element.name = members.text("name");
  if (members.find("count"))
    element.count = members.count("count", mostElements);
  element.rates = runtime::ratesFrom(members.object("gflops"));
  element.bandwidth = members.positive("bandwidthGBs", 1e6, 1e9);
  element.latency = members.positive("latencyUs", 1e6, 1e-6);
  element.memory = members.positive("memoryGB", 1e9, 1e9);
  members.done();
  return element;
}

MachineNumbers machineFrom(const nlohmann::json &json) {
  Members all(json, "", "a machine");
  MachineNumbers machine;
  machine.name = all.text("name");
  machine.description = all.text("description");
  const nlohmann::json *const elements = all.find("elements"), *const nodes = all.find("nodes");
  if (!elements == !nodes)
    throw std::runtime_error(elements ? "elements and nodes are there: a machine is either those of one node, or nodes"
                                      : "elements is missing: who computes around the memory of a node; or nodes");
  machine.shared = elements;
  const std::string key = elements ? "elements" : "nodes";
  const nlohmann::json &list = elements ? *elements : *nodes;
  if (!list.is_array() || list.empty())
    throw std::runtime_error(key + " is " + list.dump() + "; it must be a list of one at least");
  for (std::size_t i = 0; i < list.size(); ++i)
    machine.elements.push_back(elementFrom({list[i], key + "[" + std::to_string(i) + "]", "a machine"}));
  if (elements && machine.elements.front().count != 1)
    throw std::runtime_error("elements[0].count is " + std::to_string(machine.elements.front().count) +
                             "; the first element is the node's cores together");
  if (machine.count() > mostElements)
    throw std::runtime_error(key + " are " + std::to_string(machine.count()) + "; at most " +
                             std::to_string(mostElements) + " are counted");
  all.done();
  return machine;
}

bool isProfile(const std::string &json) {
  const nlohmann::json content = parseShallow(json);
  return content.is_object() && content.contains("host");
}

} // namespace

int MachineNumbers::count() const {
  return std::accumulate(elements.begin(), elements.end(), 0,
                         [](int sum, const ComputeElement &element) { return sum + element.count; });
}

MachineNumbers parseMachine(const std::string &json) try {
  const nlohmann::json content = parseShallow(json);
  if (content.is_discarded())
    throw UsageError("it is no JSON");
  return machineFrom(content);
} catch (const std::exception &failure) {
  throw UsageError(failure.what());
}

std::string machineText(const MachineNumbers &machine) {
  std::string text = "{\"name\": " + Json(machine.name).dump() +
                     ",\n \"description\": " + Json(machine.description).dump() + ",\n \"" +
                     (machine.shared ? "elements" : "nodes") + "\": [";
  std::string separator = "\n";
  for (const ComputeElement &element : machine.elements) {
    Json gflops = Json::object();
    for (const auto &[type, rate] : element.rates)
      gflops[std::string(1, type)] = rate * 1e-9;
    const Json object = {{"name", element.name},
                         {"count", element.count},
                         {"gflops", gflops},
                         {"bandwidthGBs", element.bandwidth * 1e-9},
                         {"latencyUs", element.latency * 1e6},
                         {"memoryGB", element.memory * 1e-9}};
    text += std::exchange(separator, ",\n") + "  " + object.dump();
  }
  return text + "]}\n";
}

MachineNumbers numbersOf(const runtime::MachineProfile &profile) {
  MachineNumbers machine{profile.name, profile.description, true, {}};
  ComputeElement cores{.name = "cores",
                       .count = 1,
                       .rates = profile.host.rates,
                       .bandwidth = profile.host.bandwidth * profile.host.cores,
                       .latency = 0,
                       .memory = INFINITY};
  for (auto &[type, rate] : cores.rates)
    rate *= profile.host.cores;
  machine.elements.push_back(std::move(cores));
  machine.elements.push_back(
      {.name = profile.device.model,
       .count = profile.device.count,
       .rates = profile.device.rates,
       .bandwidth = profile.links.in + profile.links.out + (profile.device.count > 1 ? profile.links.peer : 0),
       .latency = profile.links.latency,
       .memory = profile.device.memory});
  return machine;
}

MachineNumbers findMachine(const std::string &nameOrFile) {
  std::string json;
  if (FileReader in(nameOrFile); nameOrFile.find_first_of("./") != nameOrFile.npos && in) {
    json.resize(mostBytes);
    in.read(json.data(), static_cast<std::streamsize>(json.size()));
    json.resize(in.gcount());
  }
  if (json.empty() || isProfile(json))
    return numbersOf(runtime::findProfile(nameOrFile));
  try {
    return parseMachine(json);
  } catch (const UsageError &error) {
    throw UsageError(nameOrFile + ": " + error.what());
  }
}

} // namespace tla::host
