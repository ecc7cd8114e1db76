#include "runtime/predict/plan/plan.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/predict/plan/problem_object.hpp"

#include <nlohmann/json.hpp>

namespace tla::host {

namespace {

using Json = nlohmann::ordered_json;

std::string tilesLine(const Problem &problem, const Plan &plan) {
  std::string line = tilesText(plan.nb, plan.cut);
  for (const auto &[name, value] : tunedScalars(*problem.algorithm, plan.scalars))
    line += format(", %s = %ld", name.c_str(), value);
  return line + (plan.searched ? ", searched in " + formatSeconds(plan.searchSeconds) : "");
}

} // namespace

std::string planText(const Problem &problem, const Plan &plan, const Machine &machine) {
  std::string text = format("%s, %s: %s\n", problem.algorithm->name, typeName(problem.algorithm->type),
                            sizesText(*problem.algorithm, problem.values).c_str());
  const auto line = [&](const char *name, const std::string &what) {
    text += format("  %-9s %s\n", name, what.c_str());
  };
  line("tiles", tilesLine(problem, plan));
  line("kernels", machine.hostKernels);
  line("threads", format("%d", machine.threads) +
                      (machine.devices.empty() ? "" : format(" of %d cores", machine.cores)) +
                      (machine.ranks.size() > 1 ? " on each rank" : ""));
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
  Json object = problemObject(*problem.algorithm, &problem.values);
  object["ranks"] = machine.ranks.size();
  object["threads"] = machine.threads;
  object["cores"] = machine.cores;
  object["tile"] = plan.nb;
  object["split"] = plan.cut.slices;
  object["slice"] = plan.cut.slices > 1 ? Json(plan.cut.width) : Json(nullptr);
  object["tuned"] = Json::object();
  for (const auto &[name, value] : tunedScalars(*problem.algorithm, plan.scalars))
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
