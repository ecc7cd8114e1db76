#include "runtime/predict/plan/device_shares.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/plan/cut_choice.hpp"
#include "runtime/predict/rates/dominant_kernel.hpp"

#include <tla/kernels/traits.hpp>
#include <tla/runtime/task_map.hpp>

#include <algorithm>
#include <numeric>

namespace tla::host {

/// The kernel whose rates decide where nothing is known of the algorithm's own kernels.

/// The detail of the reference kernels says why there are no others.
std::string hostKernelsText(const kernels::KernelStatus &status) {
  const std::string backEnd = status.backEnd == "reference" ? status.backEnd : status.backEnd + " " + status.detail;
  return status.winners.empty() ? backEnd : backEnd + "; by hetc tune: " + status.winners;
}

namespace {
template <typename T> std::string bodiesIn(const kernels::KernelTable<T> &table) {
  const std::string products = table.gemm.name, others = table.trsm.name;
  const std::string text = others + " kernels";
  return products == others ? text : text + ", " + products + " products";
}
} // namespace

std::string bodiesText(runtime::ElementType type) {
  using runtime::ElementType;
  switch (type) {
  case ElementType::S:
    return bodiesIn(kernels::kernelTable<float>());
  case ElementType::C:
    return bodiesIn(kernels::kernelTable<std::complex<float>>());
  case ElementType::Z:
    return bodiesIn(kernels::kernelTable<std::complex<double>>());
  default:
    return bodiesIn(kernels::kernelTable<double>());
  }
}

RatesRequest ratesRequest(const Problem &problem, const Settings &settings, const std::string &hostKernels,
                          std::vector<runtime::AcceleratorProperties> devices) {
  RatesRequest request{.type = problem.algorithm->type,
                       .kernels = kernelsByFlops(problem),
                       .hostKernels = hostKernels,
                       .devices = std::move(devices),
                       .open = [choice = settings.devices.forMeasuring()] { return runtime::openDevices(choice); },
                       .machine = settings.devices.machine};
  if (std::find(request.kernels.begin(), request.kernels.end(), kernels::productKernel) == request.kernels.end())
    request.kernels.emplace_back(kernels::productKernel);
  return request;
}

/// The first of the request's kernels, those of the most operations first, of which everybody's rate is known.
static std::string decidingKernel(const RatesRequest &request, const NodeRates &rates, int nb) {
  for (const std::string &kernel : request.kernels)
    if (rates.core.secondsOf(kernel, nb) &&
        std::all_of(rates.accelerators.begin(), rates.accelerators.end(),
                    [&](const UnitRates &unit) { return unit.secondsOf(kernel, nb).has_value(); }))
      return kernel;
  return kernels::productKernel;
}

runtime::DeviceShares chooseShares(const Problem &problem, const Settings &settings, const RatesRequest &request,
                                   const NodeRates &rates, int threads) {
  if (!settings.deviceWeights.empty() || request.devices.empty())
    return {settings.deviceWeights, 0};
  return sharesOf(
      rates, request.devices,
      {decidingKernel(request, rates, problem.nb), problem.nb, threads, elementBytes(problem.algorithm->type)});
}

runtime::DeviceShares onGrid(runtime::DeviceShares shares, const Settings &settings,
                             const runtime::Algorithm &algorithm, int devices) {
  if (!settings.deviceGrid)
    return shares;
  const auto [rows, columns] = *settings.deviceGrid;
  if (static_cast<long>(rows) * columns != devices)
    throw UsageError(format("--device-grid %dx%d is for %ld devices; --devices %s has %d", rows, columns,
                            static_cast<long>(rows) * columns, settings.devices.name.c_str(), devices));
  if (algorithm.isDealt())
    throw UsageError("--device-grid: " + std::string(algorithm.name) +
                     " deals its updates by --tasks octal; leave out one of the two");
  if (rows == 1) // columns alone, in proportion to any weights
    return shares;
  // Of devices that are equal, rates differ by what a measurement does.
  constexpr int mostApart = 4; // a quarter
  std::vector<int> &weights = shares.weights;
  if (!weights.empty()) {
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    if (*most - *least > (settings.deviceWeights.empty() ? *most / mostApart : 0))
      throw UsageError("--device-grid: the devices' weights are " + sharesText(shares) +
                       ", and a grid is for equal ones; leave it out");
    const int mean = std::accumulate(weights.begin(), weights.end(), 0) / static_cast<int>(weights.size());
    weights.assign(weights.size(), std::max(1, mean));
  } else {
    weights.assign(devices, 1);
  }
  shares.gridRows = rows;
  return shares;
}

Cut balanceCut(const Problem &problem, const Settings &settings, const RatesRequest &request, const NodeRates &rates,
               int threads) {
  Cut cut = problem.cut;
  if (cut.slices == 1 || settings.slice || !settings.deviceWeights.empty() || request.devices.empty())
    return cut;
  const std::string kernel = decidingKernel(request, rates, problem.nb);
  if (const int width = widthFor(rates, kernel, threads, cut.slices, problem.nb))
    cut.width = width;
  return cut;
}

/// F / G of each element.
static std::string updatesText(const TaskMap &map) {
  std::string text = format("host %.3f", map.share(0));
  for (std::size_t d = 1; d < map.elements().size(); ++d)
    text += format(d == 1 ? ", %.3f" : ":%.3f", map.share(static_cast<int>(d)));
  return text + " of the updates";
}

static std::string weightsText(const runtime::DeviceShares &shares) {
  std::string text = shares.hostWeight > 0 ? "host " + std::to_string(shares.hostWeight) + ", " : "";
  for (std::size_t d = 0; d < shares.weights.size(); ++d)
    text += (d ? ":" : "") + std::to_string(shares.weights[d]);
  const auto rows = static_cast<std::size_t>(shares.gridRows);
  if (rows > 1)
    text += format(" as %zux%zu", rows, shares.weights.size() / rows);
  return text;
}

std::string sharesText(const runtime::DeviceShares &shares) {
  return (shares.taskMap ? updatesText(*shares.taskMap) : weightsText(shares)) +
         (shares.order.isProgramOrder() ? "" : ", tasks in blocks of " + nameOf(shares.order));
}

} // namespace tla::host
