#include "runtime/program/report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/problem/task_order.hpp"
#include "runtime/interfaces/starter.hpp"
#include "runtime/predict/plan/problem_object.hpp"

#include <tla/runtime/task_map.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char *checkName(CheckMode mode) {
  return mode == CheckMode::None ? "none" : mode == CheckMode::Probe ? "probe" : "full";
}

/// The tuning parameters' values.
Json tunedObject(const RunRecord &record) {
  Json object = Json::object();
  if (record.problem)
    for (const auto &[name, value] : tunedScalars(*record.algorithm, record.problem->scalars))
      object[name] = value;
  return object;
}

Json statisticsObject(const RunRecord &record) {
  const runtime::Statistics &statistics = record.statistics;
  Json object;
  object["seconds"] = statistics.seconds;
  object["generation"] = statistics.generation;
  object["renames"] = statistics.renames;
  object["window_full"] = statistics.windowFull;
  object["sleeps"] = statistics.sleeps;
  object["peak_tasks"] = statistics.peakTasks;
  object["window_bytes"] = statistics.windowBytes;
  object["rename_bytes"] = statistics.renameBytes;
  object["temporary_bytes"] = statistics.temporaryBytes;
  object["planned_bytes"] = record.neededBytes;
  object["busy"] = statistics.busy;
  object["classes"] = Json::array();
  for (const runtime::ClassStatistics &line : statistics.classes)
    object["classes"].push_back(Json{{"kernel", line.kernel},
                                     {"location", line.location},
                                     {"tasks", line.tasks},
                                     {"seconds", line.seconds},
                                     {"flops", line.flops}});
  return object;
}

Json pathObject(const RunRecord &record, const runtime::PathPart &part) {
  return Json{{"kernel", part.kernel},
              {"place", part.place ? record.statistics.devices[part.place - 1].name : "host"},
              {"waiting", part.waiting},
              {"seconds", part.seconds},
              {"tasks", part.tasks}};
}

Json rankObject(const runtime::Statistics &rank) {
  Json object = nodeObject(rank);
  object["delegated"] = rank.transfers.delegated;
  object["delegated_bytes"] = rank.transfers.delegatedBytes;
  object["forwarded"] = rank.transfers.forwarded;
  object["forwarded_bytes"] = rank.transfers.forwardedBytes;
  object["foreign_bytes"] = rank.foreignBytes;
  object["temporary_bytes"] = rank.temporaryBytes;
  object["seconds"] = rank.seconds;
  object["busy"] = std::accumulate(rank.busy.begin(), rank.busy.end(), 0.0);
  return object;
}

/// Null: the program deals none.
Json sharesOfUpdates(const runtime::DeviceShares &shares) {
  Json array = shares.taskMap ? Json::array() : Json(nullptr);
  for (std::size_t i = 0; shares.taskMap && i < shares.taskMap->elements().size(); ++i)
    array.push_back(shares.taskMap->share(static_cast<int>(i)));
  return array;
}

Json deviceObject(int rank, const runtime::DeviceStatistics &device) {
  Json object{{"rank", rank},          {"name", device.name}, {"tasks", device.tasks}, {"launches", device.launches},
              {"flops", device.flops}, {"busy", device.busy}};
  addCopies(object, device);
  object["memory_peak"] = device.peakBytes;
  object["bytes_resident"] = device.residentBytes;
  return object;
}
} // namespace

std::string jsonReport(const RunRecord &record) {
  const TimeSummary time = summarize(record.seconds);
  const Verdict &verdict = record.verdict;
  Json object = problemObject(*record.algorithm, record.problem ? &record.problem->values : nullptr);
  object["nb"] = record.problem ? Json(record.problem->nb) : Json(nullptr);
  object["threads"] = record.threads;
  object["ranks"] = record.ranks;
  object["dist"] = record.problem ? Json(record.problem->placement.distribution.name()) : Json(nullptr);
  object["seconds"] = time.median;
  object["gflops"] = time.median > 0 ? record.flops / time.median * 1e-9 : 0.0;
  object["residual"] = verdict.judged ? numberOrNull(verdict.residual) : Json(nullptr);
  object["passed"] = !record.error.empty() ? Json(false) : verdict.judged ? Json(verdict.passed) : Json(nullptr);
  object["info"] = record.info ? Json(*record.info) : Json(nullptr);
  object["tasks"] = record.statistics.tasks;
  object["messages"] = record.statistics.transfers.messages;
  object["bytes"] = record.statistics.transfers.bytes;
  const Starter starter = findStarter().value_or(Starter{});
  object["compile_seconds"] = starter.compileSeconds;
  object["cached"] = starter.cached;
  object["check"] = checkName(record.settings.check);
  object["kernels"] = record.kernels;
  object["march"] = record.ownKernels.march.empty() ? Json(nullptr) : Json(record.ownKernels.march);
  object["seed"] = record.settings.seed;
  object["repeat"] = record.settings.repeat;
  object["seconds_min"] = time.min;
  object["seconds_max"] = time.max;
  object["search_seconds"] = record.searchSeconds;
  object["tuned"] = tunedObject(record);
  object["per_rank"] = Json::array();
  for (const runtime::Statistics &rank : record.perRank)
    object["per_rank"].push_back(rankObject(rank));
  object["generator"] = record.generator.empty() ? Json(nullptr) : Json(record.generator);
  object["devices"] = Json::array();
  for (int rank = 0; rank < static_cast<int>(record.perRank.size()); ++rank)
    for (const runtime::DeviceStatistics &device : record.perRank[rank].devices)
      object["devices"].push_back(deviceObject(rank, device));
  object["tile"] = object["nb"];
  object["split"] = record.algorithm->slices();
  object["slice"] = record.problem && record.problem->cut.slices > 1 ? Json(record.problem->cut.width) : Json(nullptr);
  object["device_weights"] = record.shares.weights;
  object["host_weight"] = record.shares.hostWeight;
  object["device_grid_rows"] = record.shares.gridRows;
  object["task_order"] = nameOf(record.shares.order);
  object["task_shares"] = sharesOfUpdates(record.shares);
  object["machine"] = record.machine.empty() ? Json(nullptr) : Json(record.machine);
  object["critical_path"] = Json::array();
  for (const runtime::PathPart &part : record.statistics.criticalPath)
    object["critical_path"].push_back(pathObject(record, part));
  object["iterations"] =
      record.iterations >= 0 ? Json{{"run", record.iterations}, {"ended_early", record.endedEarly}} : Json(nullptr);
  const std::string &error = record.error.empty() ? record.infoText : record.error;
  object["error"] = error.empty() ? Json(nullptr) : Json(error);
  object["verdict"] = Json::array();
  for (const trace::Limit &limit : limitsOf(record))
    object["verdict"].push_back(Json{{"cause", limit.cause}, {"text", limit.text}});
  if (record.settings.stats)
    object["statistics"] = statisticsObject(record);
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tla::host
