#include "runtime/host/plan/plan.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/slices.hpp"

#include <nlohmann/json.hpp>

namespace tla::host {

namespace {

using Json = nlohmann::ordered_json;

/// The parameters that a search may choose, as NAME and value.
std::vector<std::pair<std::string, long>> tunedOf(const runtime::Algorithm &algorithm, const Plan &plan) {
  std::vector<std::pair<std::string, long>> tuned;
  for (int s = 0; s < algorithm.scalarCount; ++s)
    if (algorithm.scalars[s].candidateCount > 0)
      tuned.emplace_back(algorithm.scalars[s].name, plan.scalars[s].integer);
  return tuned;
}

/// The sizes that the algorithm uses, as symbol and value.
std::vector<std::pair<char, long>> sizesOf(const Problem &problem) {
  std::vector<std::pair<char, long>> sizes;
  const runtime::Values &values = problem.values;
  for (const auto &[symbol, value] : {std::pair{'m', values.m}, {'n', values.n}, {'k', values.k}})
    if (std::string_view(problem.algorithm->sizes).find(symbol) != std::string_view::npos)
      sizes.emplace_back(symbol, value);
  return sizes;
}

std::string tilesLine(const Problem &problem, const Plan &plan) {
  std::string line = tilesText(plan.nb, plan.cut);
  for (const auto &[name, value] : tunedOf(*problem.algorithm, plan))
    line += format(", %s = %ld", name.c_str(), value);
  return line + (plan.searched ? ", searched in " + formatSeconds(plan.searchSeconds) : "");
}

} // namespace

std::string planText(const Problem &problem, const Plan &plan, const Machine &machine) {
  std::string title = std::string(problem.algorithm->name) + ", " + typeName(problem.algorithm->type) + ":";
  for (const auto &[symbol, value] : sizesOf(problem))
    title += format("%s%c = %ld", title.ends_with(':') ? " " : ", ", symbol, value);
  std::string text = title + "\n";
  const auto line = [&](const char *name, const std::string &what) {
    text += format("  %-9s %s\n", name, what.c_str());
  };
  line("tiles", tilesLine(problem, plan));
  line("kernels", machine.hostKernels);
  line("threads", format("%d", machine.threads) + (machine.ranks.size() > 1 ? " on each rank" : ""));
  if (machine.ranks.size() > 1)
    line("ranks", format("%d, %s, %s", machine.ranks.size(), plan.distribution.name().c_str(),
                         plan.generator() == "nodes" ? "each by loops of its own" : "by replay"));
  if (!machine.devices.empty()) {
    std::string devices;
    for (const runtime::AcceleratorProperties &device : machine.devices)
      devices += (devices.empty() ? "" : ", ") + device.name;
    line("devices", devices + ", weights " + sharesText(plan.shares));
  }
  line("memory", "at most " + formatBytes(plan.bytes) + (machine.ranks.size() > 1 ? " on rank 0" : ""));
  return text;
}

std::string planJson(const Problem &problem, const Plan &plan, const Machine &machine) {
  Json object;
  object["algorithm"] = problem.algorithm->name;
  object["type"] = std::string(1, static_cast<char>(problem.algorithm->type));
  for (const char *symbol : {"m", "n", "k"})
    object[symbol] = nullptr;
  for (const auto &[symbol, value] : sizesOf(problem))
    object[std::string(1, symbol)] = value;
  object["ranks"] = machine.ranks.size();
  object["threads"] = machine.threads;
  object["tile"] = plan.nb;
  object["split"] = plan.cut.slices;
  object["slice"] = plan.cut.slices > 1 ? Json(plan.cut.width) : Json(nullptr);
  object["tuned"] = Json::object();
  for (const auto &[name, value] : tunedOf(*problem.algorithm, plan))
    object["tuned"][name] = value;
  object["dist"] = plan.distribution.name();
  object["generator"] = plan.generator().empty() ? Json(nullptr) : Json(plan.generator());
  object["kernels"] = machine.hostKernels;
  object["device_weights"] = plan.shares.weights;
  object["host_weight"] = plan.shares.hostWeight;
  object["planned_bytes"] = plan.bytes;
  object["search_seconds"] = plan.searchSeconds;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tla::host
