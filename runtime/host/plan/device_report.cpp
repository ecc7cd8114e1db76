#include "runtime/host/plan/device_report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/device/cuda/open_cuda.hpp"
#include "runtime/host/plan/cut_search.hpp"
#include "runtime/host/plan/device_shares.hpp"

#include <tla/runtime/error.hpp>

#include <cmath>

namespace tla::host {
namespace {
using Lines = std::vector<std::pair<std::string, std::string>>;

constexpr const char *kernel = "gemm";
constexpr int nb = 512; // that weights and cut are shown for

/// Of the largest tiles that were measured.
std::string rateText(const UnitRates &unit) {
  const auto found = unit.seconds.find(kernel);
  if (found == unit.seconds.end() || found->second.empty())
    return "not measured";
  const auto [size, seconds] = *found->second.rbegin();
  std::string text = format("%s %.4g Gflop/s (nb = %d)", kernel, 2e-9 * std::pow(size, 3) / seconds, size);
  if (unit.bandwidth > 0)
    text += format(", copies %.3g GB/s and %s", unit.bandwidth * 1e-9, formatSeconds(unit.latency).c_str());
  return text;
}

Lines cudaLines(const DeviceReport &report) {
  if (!report.whyNoCuda.empty())
    return {{"cuda", report.whyNoCuda}};
  Lines lines;
  for (const runtime::AcceleratorProperties &device : report.cuda)
    lines.emplace_back(lines.empty() ? "cuda" : "", device.name + ", " + device.library + ", " +
                                                        formatBytes(static_cast<double>(device.memoryBytes)) +
                                                        " for tiles");
  return lines;
}

Lines rateLines(const DeviceReport &report) {
  Lines lines{{"rates", report.ratesFile.string()}};
  for (const auto &[key, unit] : report.rates)
    if (key.ends_with(", d"))
      lines.emplace_back("", key + ": " + rateText(unit));
  if (lines.size() == 1)
    lines.front().second += ", nothing measured yet";
  return lines;
}

Lines cutLines(const DeviceReport &report) {
  Lines lines;
  for (const auto &[key, cut] : report.cuts)
    lines.emplace_back(lines.empty() ? "cuts found" : "", key + ": " + cut);
  return lines;
}

Lines shareLines(const DeviceReport &report) {
  if (report.devices.empty())
    return {};
  const CutChoice &cut = report.cut;
  return {{"weights", sharesText(report.shares) + format(" for --devices %s, by %s on tiles of %d",
                                                         report.choice.c_str(), report.kernel.c_str(), report.nb)},
          {"cut", cut.slices > 1 ? format("--split %d --slice %d: %d of %d columns of each tile for the host",
                                          cut.slices, cut.width, cut.hostColumns(), report.nb)
                                 : "whole tiles: the host's part would be too narrow"}};
}

} // namespace

DeviceReport reportDevices(const runtime::DeviceChoice &choice) {
  DeviceReport report;
  try {
    for (const auto &device : runtime::openCuda({}))
      report.cuda.push_back(device->properties());
  } catch (const Error &error) {
    report.whyNoCuda = error.what();
  }
  report.choice = choice.name;
  report.devices = runtime::describeDevices(choice);
  const NodeRates rates =
      obtainRates({.kernels = {kernel},
                   .hostKernels = hostKernelsText(kernels::installKernels("auto")),
                   .devices = report.devices,
                   .open = [faultless = choice.withoutFaults()] { return runtime::openDevices(faultless); }});
  report.ratesFile = ratesFile();
  report.rates = rememberedRates();
  report.cuts = rememberedCuts();
  report.kernel = kernel;
  report.nb = nb;
  const int threads = runtime::defaultThreads();
  if (!report.devices.empty())
    report.shares = sharesOf(rates, report.devices, {kernel, nb, threads, sizeof(double)});
  report.cut = cutFor(rates, kernel, threads, nb);
  return report;
}

Lines linesOf(const DeviceReport &report) {
  Lines lines;
  for (const Lines &more : {cudaLines(report), rateLines(report), cutLines(report), shareLines(report)})
    lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

} // namespace tla::host
