#include "runtime/predict/rates/rates.hpp"

#include "runtime/core/places/node_places.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tla::host {
namespace {

constexpr double goodEnough = 0.98, acceptable = 0.90;
constexpr int smallWeight = 10, largeWeight = 100;

double cube(double nb) { return nb * nb * nb; }

/// Weights in proportion to rates, the largest `scale`.
std::vector<int> scaled(const std::vector<double> &rates, int scale) {
  const double largest = *std::max_element(rates.begin(), rates.end());
  std::vector<int> weights;
  for (const double rate : rates)
    weights.push_back(std::max(weights.empty() ? 0 : 1, static_cast<int>(std::lround(scale * rate / largest))));
  return weights;
}

/// The best possible time over that of the unit which takes longest.
double efficiency(const std::vector<double> &rates, const std::vector<int> &weights) {
  const double work = std::accumulate(weights.begin(), weights.end(), 0.0),
               speed = std::accumulate(rates.begin(), rates.end(), 0.0);
  double longest = 0;
  for (std::size_t unit = 0; unit < rates.size(); ++unit)
    if (weights[unit] > 0)
      longest = std::max(longest, weights[unit] / rates[unit]);
  return work / speed / longest;
}

/// Measured, and by this much faster there: neither noise nor a tie moves panels.
constexpr double clearly = 1.1;

bool isFaster(const UnitRates &accelerator, const UnitRates &core, const std::string &kernel,
              const ShareRequest &request, bool otherwise) {
  const auto there = accelerator.secondsOf(kernel, request.nb), here = core.secondsOf(kernel, request.nb);
  if (!there || !here)
    return otherwise;
  const double tileBytes = static_cast<double>(request.nb) * request.nb * static_cast<double>(request.elementBytes);
  constexpr double tiles = UnitRates::tallPanel, operations = 1.5 * (tiles - 1.0 / 3); // of so many tiles over one's
  const double copies = 2 * accelerator.copySeconds(tileBytes);
  if (const auto panel = accelerator.panelSeconds(kernel, request.nb, tiles))
    return clearly * *panel < operations * *here + tiles * copies;
  return clearly * *there < *here + copies;
}

double rateOf(const UnitRates &unit, const ShareRequest &request) {
  const auto seconds = unit.secondsOf(request.kernel, request.nb);
  return seconds && *seconds > 0 ? 1 / *seconds : 0;
}

} // namespace

static std::optional<double> interpolate(const std::map<std::string, std::map<int, double>> &seconds,
                                         const std::string &kernel, int nb) {
  const auto found = seconds.find(kernel);
  if (found == seconds.end() || found->second.empty())
    return std::nullopt;
  const auto &sizes = found->second;
  const auto above = sizes.lower_bound(nb);
  if (above == sizes.begin())
    return above->second;
  const auto [low, lowSeconds] = *std::prev(above);
  const double lowCost = lowSeconds / cube(low);
  if (above == sizes.end())
    return lowCost * cube(nb);
  const double highCost = above->second / cube(above->first);
  return std::lerp(lowCost, highCost, std::log(double(nb) / low) / std::log(double(above->first) / low)) * cube(nb);
}

std::optional<double> UnitRates::secondsOf(const std::string &kernel, int nb) const {
  return interpolate(seconds, kernel, nb);
}

std::optional<double> UnitRates::secondsAlone(const std::string &kernel, int nb) const {
  const auto together = secondsOf(kernel, nb);
  return together ? std::optional(std::max(*together, interpolate(alone, kernel, nb).value_or(0))) : std::nullopt;
}

/// Where one of the two is beyond what was measured it may be too much, and the one of a tile above that of a panel.
std::optional<double> UnitRates::panelSeconds(const std::string &kernel, int nb, double tiles) const {
  const auto ofTile = secondsAlone(kernel, nb), ofPanel = interpolate(tall, kernel, nb);
  if (!ofTile || !ofPanel)
    return std::nullopt;
  const double one = std::min(*ofTile, *ofPanel);
  return one + (*ofPanel - one) * std::max(0.0, tiles - 1) / (tallPanel - 1);
}

double UnitRates::waitSeconds(const std::string &kernel, int nb) const {
  const auto found = waits.find(kernel);
  if (found == waits.end() || found->second.empty())
    return 0;
  const auto &sizes = found->second;
  const auto above = sizes.lower_bound(nb);
  if (above == sizes.begin() || above == sizes.end()) {
    const auto &[size, seconds] = above == sizes.end() ? *std::prev(above) : *above;
    return seconds * nb / size;
  }
  const auto below = std::prev(above);
  const double part = static_cast<double>(nb - below->first) / (above->first - below->first);
  return below->second + part * (above->second - below->second);
}

std::vector<int> weightsOf(const std::vector<double> &rates) {
  std::vector<int> best(rates.size(), 1);
  if (std::any_of(rates.begin() + 1, rates.end(), [](double rate) { return !(rate > 0); })) {
    best.front() = 0;
    return best;
  }
  double most = 0;
  for (int scale = 1; scale <= largeWeight && most < (scale <= smallWeight ? goodEnough : acceptable); ++scale) {
    const std::vector<int> weights = scaled(rates, scale);
    if (const double reached = efficiency(rates, weights); reached > most) {
      most = reached;
      best = weights;
    }
  }
  return best;
}

runtime::DeviceShares sharesOf(const NodeRates &rates, const std::vector<runtime::AcceleratorProperties> &devices,
                               const ShareRequest &request) {
  const bool onHost = std::any_of(devices.begin(), devices.end(), [](const auto &device) { return device.usesHost; });
  std::vector<double> speeds{onHost ? 0 : request.threads * rateOf(rates.core, request)};
  runtime::DeviceShares shares;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    speeds.push_back(rateOf(rates.accelerators[d], request));
    shares.runs.emplace_back();
    if (!devices[d].usesHost)
      shares.runs.back() = [accelerator = rates.accelerators[d], core = rates.core, request,
                            rule = devices[d].runs](const runtime::TaskClass &taskClass) {
        const bool otherwise = rule ? rule(taskClass) : runtime::isWorthByRule(taskClass);
        return kernels::hasTrait(taskClass.kernel, kernels::Trait::Panel)
                   ? isFaster(accelerator, core, taskClass.kernel, request, otherwise)
                   : otherwise;
      };
  }
  shares.weights = weightsOf(speeds);
  shares.hostWeight = shares.weights.front();
  shares.weights.erase(shares.weights.begin());
  return shares;
}

} // namespace tla::host
