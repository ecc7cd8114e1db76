#include "runtime/predict/rates/device_rates.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/shallow_json.hpp"
#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/predict/rates/kernel_check.hpp"
#include "runtime/predict/rates/profile_rates.hpp"
#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/rate_probes.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <set>

namespace tla::host {
namespace {
using Json = nlohmann::json;
using runtime::AcceleratorProperties;

constexpr int version = 6;                      // since 6 of launches that take several tasks
using Units = std::map<std::string, UnitRates>; // by key

std::string coreKey(const RatesRequest &request) {
  std::string key = "core: " + processorModel() + ", " + request.hostKernels;
  if (const char *pinned = std::getenv("OPENBLAS_CORETYPE"))
    key += std::string(" as ") + pinned;
  return key + ", " + static_cast<char>(request.type);
}

std::string deviceKey(const RatesRequest &request, const AcceleratorProperties &device) {
  if (device.usesHost)
    return device.model + ": " + coreKey(request);
  return device.model + ": " + device.library + ", " + static_cast<char>(request.type);
}

/// Positive and finite, or 0.
double positive(const Json &value) {
  const double number = value.is_number() ? value.get<double>() : 0;
  return std::isfinite(number) && number > 0 ? number : 0;
}

using Seconds = std::map<std::string, std::map<int, double>>; // by kernel and nb

Seconds secondsFrom(const Json &kernels) {
  Seconds all;
  for (const auto &[kernel, sizes] : kernels.items())
    for (const auto &[nb, seconds] : sizes.items())
      if (const long size = parseInteger(nb).value_or(0); size > 0 && size <= INT_MAX && positive(seconds) > 0)
        all[kernel][static_cast<int>(size)] = positive(seconds);
      else
        all[kernel]; // known to be impossible
  return all;
}

UnitRates unitFrom(const Json &object) {
  UnitRates unit;
  if (!object.is_object())
    return unit;
  unit.seconds = secondsFrom(object.value("seconds", Json::object()));
  unit.alone = secondsFrom(object.value("alone", Json::object()));
  unit.tall = secondsFrom(object.value("tall", Json::object()));
  unit.waits = secondsFrom(object.value("waits", Json::object()));
  unit.launch = positive(object.value("launch", Json()));
  unit.latency = positive(object.value("latency", Json()));
  unit.bandwidth = positive(object.value("bandwidth", Json()));
  return unit;
}

/// Nothing: it is no such text.
std::optional<Units> unitsFrom(const std::string &text) {
  const Json content = parseShallow(text);
  if (!content.is_object() || content.value("version", Json()) != version || !content.contains("units") ||
      !content["units"].is_object())
    return std::nullopt;
  Units units;
  for (const auto &[key, object] : content["units"].items())
    units[key] = unitFrom(object);
  return units;
}

Json jsonOf(const Seconds &all) {
  Json seconds = Json::object();
  for (const auto &[kernel, sizes] : all) {
    seconds[kernel] = Json::object();
    for (const auto &[nb, value] : sizes)
      seconds[kernel][std::to_string(nb)] = value;
  }
  return seconds;
}

std::string textOf(const Units &units) {
  Json content = {{"version", version}, {"units", Json::object()}};
  for (const auto &[key, unit] : units)
    content["units"][key] = {{"seconds", jsonOf(unit.seconds)}, {"alone", jsonOf(unit.alone)},
                             {"tall", jsonOf(unit.tall)},       {"waits", jsonOf(unit.waits)},
                             {"launch", unit.launch},           {"latency", unit.latency},
                             {"bandwidth", unit.bandwidth}};
  return content.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A file that is not there is an empty one, and so is one that others may have written.
Units readFile(const RatesRequest &request) {
  FileReader in(ratesFile());
  if (!in || !whyNotPrivate(ratesFile().parent_path()).empty())
    return {};
  TextWriter text;
  text << in.rdbuf();
  std::optional<Units> units = unitsFrom(text.str());
  if (!units && request.remark)
    request.remark(ratesFile().string() +
                   " holds no measured rates that this version of hetc can read: what is needed " +
                   "is measured again");
  return units.value_or(Units());
}

/// The request's kernels that can be measured and that the unit has nothing about.
std::vector<std::string> missingKernels(const RatesRequest &request, const Units &units, const std::string &key) {
  const auto unit = units.find(key);
  std::vector<std::string> missing;
  for (const RateProbe &probe : probesOf(request.type, request.kernels))
    if (unit == units.end() || !unit->second.seconds.contains(probe.taskClass.kernel))
      missing.emplace_back(probe.taskClass.kernel);
  return missing;
}

bool isComplete(const RatesRequest &request, const Units &units) {
  return missingKernels(request, units, coreKey(request)).empty() &&
         std::all_of(request.devices.begin(), request.devices.end(), [&](const AcceleratorProperties &device) {
           return missingKernels(request, units, deviceKey(request, device)).empty();
         });
}

/// Adds what is measured; kernels that cannot be are known to be so.
void add(const UnitRates &measured, const std::vector<std::string> &kernels, UnitRates &unit) {
  for (const std::string &kernel : kernels)
    unit.seconds[kernel];
  for (const auto &[kernel, sizes] : measured.seconds)
    unit.seconds[kernel] = sizes;
  if (measured.seconds.contains(kernels::productKernel)) // with which it is measured
    unit.launch = measured.launch;
  for (const auto &[kernel, sizes] : measured.alone)
    unit.alone[kernel] = sizes;
  for (const auto &[kernel, sizes] : measured.tall)
    unit.tall[kernel] = sizes;
  for (const auto &[kernel, sizes] : measured.waits)
    unit.waits[kernel] = sizes;
  if (measured.bandwidth > 0) {
    unit.latency = measured.latency;
    unit.bandwidth = measured.bandwidth;
  }
}

/// Whether the device has the memory that it is used with, or as much as any measurement takes: matrices of the program
/// may fill it.
bool hasRoom(const runtime::Accelerator &device, const AcceleratorProperties &used) {
  constexpr std::size_t enough = std::size_t(2) << 30;
  return device.properties().memoryBytes >= std::min(used.memoryBytes, enough);
}

/// False: what is missing now was for want of memory, or a kernel failed, and nothing is to be remembered.
bool measureMissing(const RatesRequest &request, Units &units) {
  const auto missing = [&](const std::string &key) {
    return RateTask{
        .type = request.type, .kernels = missingKernels(request, units, key), .checkpoint = request.checkpoint};
  };
  if (const RateTask task = missing(coreKey(request)); !task.kernels.empty())
    add(measureCore(task), task.kernels, units[coreKey(request)]);
  const auto devices = request.open();
  bool all = true;
  for (std::size_t d = 0; d < devices.size(); ++d) // before any is measured: those of one model each
    if (const RateTask task = missing(deviceKey(request, request.devices[d]));
        !request.devices[d].usesHost && !task.kernels.empty())
      all &=
          requireSameResults(*devices[d], {.type = task.type, .kernels = task.kernels, .checkpoint = task.checkpoint});
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const std::string key = deviceKey(request, request.devices[d]);
    if (const RateTask task = missing(key); !task.kernels.empty()) {
      add(measureAccelerator(*devices[d], task), task.kernels, units[key]);
      all &= hasRoom(*devices[d], request.devices[d]);
    }
  }
  return all;
}

NodeRates select(const RatesRequest &request, const Units &units) {
  const auto unit = [&](const std::string &key) {
    const auto found = units.find(key);
    return found == units.end() ? UnitRates() : found->second;
  };
  NodeRates rates{unit(coreKey(request)), {}};
  for (const AcceleratorProperties &device : request.devices)
    rates.accelerators.push_back(unit(deviceKey(request, device)));
  return rates;
}

} // namespace

std::filesystem::path ratesFile() { return cacheFolder() / "device_rates.json"; }

std::map<std::string, UnitRates> rememberedRates() { return readFile({}); }

NodeRates obtainRates(const RatesRequest &request) {
  if (request.devices.empty())
    return {};
  if (request.machine)
    return profileRates(request);
  RatesRequest silent = request;
  silent.remark = nullptr;
  if (Units units = readFile(silent); isComplete(request, units))
    return select(request, units);
  const FileLock lock(ratesFile().string() + ".lock");
  Units units = readFile(request); // maybe somebody else has measured in the meantime
  if (!isComplete(request, units)) {
    const bool isToKeep = measureMissing(request, units);
    if (lock.held() && isToKeep)
      replaceFile(ratesFile(), textOf(units));
  }
  return select(request, units);
}

std::string ratesText(const RatesRequest &request, const NodeRates &rates) {
  Units units{{coreKey(request), rates.core}};
  for (std::size_t d = 0; d < rates.accelerators.size(); ++d)
    units[deviceKey(request, request.devices[d])] = rates.accelerators[d];
  return textOf(units);
}

std::optional<NodeRates> readRates(const RatesRequest &request, const std::string &text) {
  const std::optional<Units> units = unitsFrom(text);
  if (!units || !isComplete(request, *units))
    return std::nullopt;
  return select(request, *units);
}

} // namespace tla::host
