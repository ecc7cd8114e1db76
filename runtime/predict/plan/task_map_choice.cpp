#include "runtime/predict/plan/task_map_choice.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/predict/rates/measured_machine.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tla::host {
namespace {

constexpr double ofVectors = 0.1; // words per operation: 1/2 of a vector, 3 / (2 n) of square matrices
constexpr double none = std::numeric_limits<double>::infinity();

/// The time of a core or a device for one operation among others; infinite: nothing is known.
double gammaOf(const UnitRates &unit, int nb) {
  const auto seconds = unit.secondsOf(kernels::productKernel, nb);
  return seconds && *seconds > 0 ? *seconds / (2 * std::pow(nb, 3)) : none;
}

/// c: words of input and output for an operation; 0: nobody knows.
double wordsPerOperation(const Problem &problem) {
  double words = 0;
  for (const ProblemMatrix &matrix : problem.matrices)
    words += static_cast<double>(matrix.extent.rows) * static_cast<double>(matrix.extent.columns);
  const double operations = nominalFlops(problem) / flopFactor(problem.algorithm->type);
  return operations > 0 ? words / operations : 0;
}

/// Whether a product, whose result is all that the program writes, is dealt by rows.
bool isDealtByRows(const Problem &problem) {
  return std::ranges::any_of(problem.matrices, [&](const ProblemMatrix &matrix) {
    return matrix.parameter->written && tla::isDealtByRows(matrix.extent.columns, problem.nb);
  });
}

} // namespace

std::shared_ptr<const TaskMap> dealBy(const std::vector<Element> &elements, const Problem &problem) {
  const double c = isDealtByRows(problem) ? wordsPerOperation(problem) : 0;
  std::vector<TaskMap::Element> shares;
  for (const Element &element : elements) {
    const double seconds = c > 0 ? xi(element, c) : delta(element);
    shares.push_back({std::isfinite(element.gamma) ? 1 / seconds : 0, element.memory});
  }
  return std::make_shared<TaskMap>(std::move(shares));
}

std::shared_ptr<const TaskMap> dealBy(const runtime::DeviceShares &shares,
                                      const std::vector<runtime::AcceleratorProperties> &devices,
                                      runtime::ElementType type) {
  std::vector<TaskMap::Element> elements = {{devices.empty() ? 1.0 : shares.hostWeight, none}};
  for (std::size_t d = 0; d < devices.size(); ++d)
    elements.push_back({d < shares.weights.size() ? static_cast<double>(shares.weights[d]) : 1,
                        std::max(1.0, static_cast<double>(devices[d].memoryBytes / elementBytes(type)))});
  return std::make_shared<TaskMap>(std::move(elements));
}

std::shared_ptr<const TaskMap> chooseTaskMap(const Problem &problem, const Settings &settings,
                                             const RatesRequest &request, const NodeRates &rates, int threads,
                                             const runtime::DeviceShares &shares) {
  if (!problem.algorithm->isDealt())
    return nullptr;
  const runtime::ElementType type = problem.algorithm->type;
  const auto word = static_cast<double>(elementBytes(type));
  std::vector<Element> elements = {{.gamma = shares.hostWeight > 0 ? gammaOf(rates.core, problem.nb) / threads : none,
                                    .beta = word / (threads * coreBandwidth),
                                    .alpha = 0,
                                    .memory = none}};
  for (std::size_t d = 0; d < request.devices.size() && d < rates.accelerators.size(); ++d) {
    const UnitRates &unit = rates.accelerators[d];
    elements.push_back({.gamma = gammaOf(unit, problem.nb),
                        .beta = unit.bandwidth > 0 ? word / unit.bandwidth : 0,
                        .alpha = unit.latency,
                        .memory = std::max(1.0, static_cast<double>(request.devices[d].memoryBytes) / word)});
  }
  const bool isKnown = elements.size() == request.devices.size() + 1 && elements.size() > 1 &&
                       std::all_of(elements.begin() + 1, elements.end(),
                                   [](const Element &element) { return std::isfinite(element.gamma); });
  return isKnown && settings.deviceWeights.empty() ? dealBy(elements, problem) : dealBy(shares, request.devices, type);
}

} // namespace tla::host
