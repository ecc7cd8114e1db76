#include "runtime/bootstrap/device_report.hpp"

#include "runtime/bootstrap/cut_choice.hpp"
#include "runtime/bootstrap/cut_search.hpp"
#include "runtime/bootstrap/device_shares.hpp"
#include "runtime/bootstrap/text.hpp"
#include "runtime/device/cuda/open_cuda.hpp"

#include <tla/runtime/error.hpp>

#include <cmath>

namespace tla::bootstrap {
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

/// Why not, unless they can be used and are listed.
Lines cudaLines() {
  try {
    Lines lines;
    for (const auto &device : runtime::openCuda({})) {
      const runtime::AcceleratorProperties &properties = device->properties();
      lines.emplace_back(lines.empty() ? "cuda" : "", properties.name + ", " + properties.library + ", " +
                                                          formatBytes(static_cast<double>(properties.memoryBytes)) +
                                                          " for tiles");
    }
    return lines;
  } catch (const Error &error) {
    return {{"cuda", error.what()}};
  }
}

Lines rateLines() {
  Lines lines{{"rates", ratesFile().string()}};
  for (const auto &[key, unit] : rememberedRates())
    if (key.ends_with(", d"))
      lines.emplace_back("", key + ": " + rateText(unit));
  if (lines.size() == 1)
    lines.front().second += ", nothing measured yet";
  return lines;
}

/// Those that trials have found.
Lines cutLines() {
  Lines lines;
  for (const auto &[key, cut] : rememberedCuts())
    lines.emplace_back(lines.empty() ? "cuts found" : "", key + ": " + cut);
  return lines;
}

Lines shareLines(const runtime::DeviceChoice &choice, const RatesRequest &request, const NodeRates &rates) {
  const int threads = runtime::defaultThreads();
  const auto shares = sharesOf(rates, request.devices, {kernel, nb, threads, sizeof(double)});
  const CutChoice cut = cutFor(rates, kernel, threads, nb);
  return {{"weights",
           sharesText(shares) + format(" for --devices %s, by %s on tiles of %d", choice.name.c_str(), kernel, nb)},
          {"cut", cut.slices > 1 ? format("--split %d --slice %d: %d of %d columns of each tile for the host",
                                          cut.slices, cut.width, cut.hostColumns(), nb)
                                 : "whole tiles: the host's part would be too narrow"}};
}

} // namespace

Lines deviceReport(const runtime::DeviceChoice &choice) {
  Lines lines = cudaLines();
  RatesRequest request{.kernels = {kernel},
                       .hostKernels = hostKernelsText(kernels::installKernels("auto")),
                       .devices = runtime::describeDevices(choice),
                       .open = [faultless = choice.withoutFaults()] { return runtime::openDevices(faultless); }};
  const NodeRates rates = obtainRates(request);
  const auto append = [&lines](const Lines &more) { lines.insert(lines.end(), more.begin(), more.end()); };
  append(rateLines());
  append(cutLines());
  if (!request.devices.empty())
    append(shareLines(choice, request, rates));
  return lines;
}

} // namespace tla::bootstrap
