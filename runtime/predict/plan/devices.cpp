#include "dsl/base/text.hpp"
#include "runtime/device/cuda/open_cuda.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/cut_choice.hpp"
#include "runtime/predict/plan/cut_search.hpp"
#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/plan/named_devices.hpp"
#include "runtime/predict/plan/plan.hpp"

#include <tla/kernels/traits.hpp>
#include <tla/runtime/devices.hpp>
#include <tla/runtime/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using Lines = std::vector<std::pair<std::string, std::string>>;

constexpr int nb = 512; // that weights and cut are shown for

struct Findings {
  std::vector<runtime::AcceleratorProperties> cuda; ///< CUDA devices that can be used
  std::string whyNoCuda;                            ///< empty: they can be
  std::filesystem::path ratesFile;
  std::map<std::string, UnitRates> rates;                ///< all that are known, by unit, library and type
  std::vector<std::pair<std::string, std::string>> cuts; ///< cuts that trials have found (rememberedCuts())

  std::string choice;                                  ///< the choice that was asked about, as it was written
  std::vector<runtime::AcceleratorProperties> devices; ///< devices of the choice
  std::string kernel;                                  ///< kernel by whose rates, in double, weights and cut are chosen
  int nb = 0;                                          ///< tile size for which weights and cut are
  runtime::DeviceShares shares;                        ///< shares of the devices
  CutChoice cut;                                       ///< [Song12] 3.2
};

/// The rate on the largest tiles that were measured.
std::string rateText(const UnitRates &unit) {
  const auto found = unit.seconds.find(kernels::productKernel);
  if (found == unit.seconds.end() || found->second.empty())
    return "not measured";
  const auto [size, seconds] = *found->second.rbegin();
  std::string text =
      format("%s %.4g Gflop/s (nb = %d)", kernels::productKernel, 2e-9 * std::pow(size, 3) / seconds, size);
  if (unit.bandwidth > 0)
    text += format(", copies %.3g GB/s and %s", unit.bandwidth * 1e-9, formatSeconds(unit.latency).c_str());
  return text;
}

Lines cudaLines(const Findings &report) {
  if (!report.whyNoCuda.empty())
    return {{"cuda", report.whyNoCuda}};
  Lines lines;
  for (const runtime::AcceleratorProperties &device : report.cuda)
    lines.emplace_back(lines.empty() ? "cuda" : "", device.name + ", " + device.library + ", " +
                                                        formatBytes(static_cast<double>(device.memoryBytes)) +
                                                        " for tiles");
  return lines;
}

Lines rateLines(const Findings &report) {
  Lines lines{{"rates", report.ratesFile.string()}};
  for (const auto &[key, unit] : report.rates)
    if (key.ends_with(", d"))
      lines.emplace_back("", key + ": " + rateText(unit));
  if (lines.size() == 1)
    lines.front().second += ", nothing measured yet";
  return lines;
}

Lines cutLines(const Findings &report) {
  Lines lines;
  for (const auto &[key, cut] : report.cuts)
    lines.emplace_back(lines.empty() ? "cuts found" : "", key + ": " + cut);
  return lines;
}

Lines shareLines(const Findings &report) {
  if (report.devices.empty())
    return {};
  const CutChoice &cut = report.cut;
  return {{"weights", sharesText(report.shares) + format(" for --devices %s, by %s on tiles of %d",
                                                         report.choice.c_str(), report.kernel.c_str(), report.nb)},
          {"cut", cut.slices > 1 ? format("--split %d --slice %d: %d of %d columns of each tile for the host",
                                          cut.slices, cut.width, cut.hostColumns(), report.nb)
                                 : "whole tiles: the host's part would be too narrow"}};
}

Json jsonOf(const std::vector<runtime::AcceleratorProperties> &devices) {
  Json list = Json::array();
  for (const auto &device : devices)
    list.push_back({{"name", device.name},
                    {"model", device.model},
                    {"library", device.library},
                    {"memory_bytes", device.memoryBytes}});
  return list;
}

/// Seconds of a task by kernel and tile size.
Json jsonOf(const UnitRates &unit) {
  Json seconds = Json::object();
  for (const auto &[kernel, sizes] : unit.seconds)
    for (const auto &[nb, value] : sizes)
      seconds[kernel][std::to_string(nb)] = value;
  return {{"seconds", seconds}, {"latency", unit.latency}, {"bandwidth", unit.bandwidth}};
}

std::string jsonOf(const Findings &report) {
  Json units = Json::object(), cuts = Json::object();
  for (const auto &[unit, rates] : report.rates)
    units[unit] = jsonOf(rates);
  for (const auto &[key, cut] : report.cuts)
    cuts[key] = cut;
  const Json all = {
      {"cuda", {{"devices", jsonOf(report.cuda)}, {"problem", report.whyNoCuda}}},
      {"rates", {{"file", report.ratesFile.string()}, {"units", units}}},
      {"cuts_found", cuts},
      {"devices",
       {{"choice", report.choice},
        {"list", jsonOf(report.devices)},
        {"kernel", report.kernel},
        {"tile", report.nb},
        {"weights", report.shares.weights},
        {"host_weight", report.shares.hostWeight},
        {"split", report.cut.slices},
        {"slice", report.cut.slices > 1 ? Json(report.cut.width) : Json()}}},
  };
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Findings findOut(const runtime::DeviceChoice &choice) {
  Findings report;
  try {
    for (const auto &device : runtime::openCuda({}))
      report.cuda.push_back(device->properties());
  } catch (const Error &error) {
    report.whyNoCuda = error.what();
  }
  report.choice = choice.name;
  report.devices = runtime::describeAnyDevices(choice);
  const NodeRates rates =
      obtainRates({.kernels = {kernels::productKernel},
                   .hostKernels = hostKernelsText(kernels::installKernels("auto")),
                   .devices = report.devices,
                   .open = [faultless = choice.forMeasuring()] { return runtime::openDevices(faultless); },
                   .machine = choice.machine});
  report.ratesFile = ratesFile();
  report.rates = rememberedRates();
  report.cuts = rememberedCuts();
  report.kernel = kernels::productKernel;
  report.nb = nb;
  const int threads = threadsBeside(choice, report.devices);
  if (!report.devices.empty())
    report.shares = sharesOf(rates, report.devices, {kernels::productKernel, nb, threads, sizeof(double)});
  report.cut = cutFor(rates, kernels::productKernel, threads, nb);
  return report;
}

Lines linesOf(const Findings &report) {
  Lines lines;
  for (const Lines &more : {cudaLines(report), rateLines(report), cutLines(report), shareLines(report)})
    lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

} // namespace

runtime::DeviceChoice namedDevices(const std::string &choice) try {
  return runtime::parseDevices(choice, runtime::readProfile);
} catch (const UsageError &error) {
  throw UsageError(std::string("--devices: ") + error.what());
}

int threadsBeside(const runtime::DeviceChoice &choice, const std::vector<runtime::AcceleratorProperties> &devices) {
  Settings settings;
  settings.devices = choice;
  return plannedThreads(settings, devices.size());
}

std::string whyNoDevices(const std::string &choice) try {
  runtime::parseDevices(choice, runtime::readProfile);
  return "";
} catch (const UsageError &error) {
  return error.what();
}

DeviceReport reportDevices(const std::string &choice) {
  const Findings report = findOut(namedDevices(choice));
  return {linesOf(report), jsonOf(report)};
}

int chooseSliceCount(const std::string &choice, runtime::ElementType type, int nb, int threads) {
  const runtime::DeviceChoice devices = namedDevices(choice);
  const auto properties = runtime::describeAnyDevices(devices);
  if (properties.empty())
    return 1;
  const RatesRequest request{.type = type,
                             .kernels = {kernels::productKernel},
                             .hostKernels = hostKernelsText(kernels::installKernels()),
                             .devices = properties,
                             .open = [faultless = devices.forMeasuring()] { return runtime::openDevices(faultless); },
                             .machine = devices.machine};
  return cutFor(obtainRates(request), kernels::productKernel, threads ? threads : threadsBeside(devices, properties),
                nb)
      .slices;
}

} // namespace tla::host
