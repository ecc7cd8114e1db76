#include "runtime/predict/plan/cut_search.hpp"

#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/host/problem/outcome_text.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

namespace tla::host {
namespace {
using Clock = std::chrono::steady_clock;

constexpr const char *keyPrefix = "cut: ", *widthName = "slice";
constexpr int tilesPerAccelerator = 3; // [Song12]'s c0
constexpr double share = 0.25;         // of the operations of the problem itself, for all trials
constexpr int fewestTrials = 3;        // the first only warms up
constexpr double longest = 5;          // seconds

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The same algorithm with every size cut down.
std::unique_ptr<Problem> trialProblem(const Problem &whole, std::size_t accelerators) {
  const long limit = static_cast<long>(tilesPerAccelerator * accelerators) * whole.nb;
  const runtime::Values &sizes = whole.values;
  auto problem = makeProblem(*whole.algorithm, whole.scalars,
                             {std::min(sizes.m, limit), std::min(sizes.n, limit), std::min(sizes.k, limit), nullptr});
  problem->nb = whole.nb;
  return problem;
}

/// Runs trials, as many as the problem is worth.
class Trials {
public:
  Trials(const PlanCase &plan, const Problem &tiled, const runtime::DeviceShares &shares)
      : plan_(plan), shares_(shares), problem_(trialProblem(tiled, plan.units.devices.size())) {
    const double one = nominalFlops(*problem_);
    most_ = one > 0 ? share * nominalFlops(tiled) / one : 0;
  }

  bool areWorthIt() const { return most_ >= fewestTrials; }
  int count() const { return results_; }
  double seconds() const { return secondsSince(begin_); }

  /// Nothing: there is no time left for it. Throws Error, which names the trial, when it fails.
  std::optional<CutTrial> run(const CutChoice &choice) try {
    if (!executor_) {
      open();
      if (!once(choice)) // a BLAS and its threads warm up
        return std::nullopt;
    }
    const auto statistics = once(choice);
    results_ += statistics.has_value();
    return statistics ? std::optional(resultOf(*statistics)) : std::nullopt;
  } catch (const std::exception &error) {
    throw Error(format("trial %d of %s (%s) failed: %s", results_ + 1, problem_->algorithm->name,
                       tilesText(problem_->nb, {choice.slices, choice.width}).c_str(), error.what()));
  }

private:
  void open() {
    runtime::Options options;
    options.threads = plan_.threads;
    filling_ = std::make_unique<runtime::Executor>(options);
    devices_ = plan_.units.open();
    for (const auto &device : devices_)
      options.accelerators.push_back(device.get());
    executor_ = std::make_unique<runtime::Executor>(options);
    executor_->share(shares_);
  }

  std::optional<runtime::Statistics> once(const CutChoice &choice) {
    if (runs_ + 1 > most_ || seconds() + last_ > longest)
      return std::nullopt;
    ++runs_;
    plan_.checkpoint();
    const double before = seconds();
    fill(choice);
    std::vector<Storage *> storages;
    for (const ProblemMatrix &matrix : problem_->matrices)
      storages.push_back(&**matrix.storage);
    const runtime::Outcome outcome = executor_->run(*problem_->algorithm, {storages.data(), problem_->scalars.data()});
    last_ = seconds() - before;
    if (!outcome.isComplete())
      throw Error(failureText(*problem_->algorithm, outcome));
    return outcome.statistics;
  }

  void fill(const CutChoice &choice) {
    problem_->cut = {choice.slices, choice.width};
    makeSources(*problem_, {});
    allocateMatrices(*problem_);
    fillMatrices(*problem_, {*filling_, ranks_, *filling_});
  }

  static CutTrial resultOf(const runtime::Statistics &statistics) {
    CutTrial result{std::accumulate(statistics.busy.begin(), statistics.busy.end(), 0.0) /
                        static_cast<double>(statistics.busy.size()),
                    0};
    for (const runtime::DeviceStatistics &device : statistics.devices)
      result.accelerators = std::max(result.accelerators, device.busy);
    return result;
  }

  const PlanCase &plan_;
  const runtime::DeviceShares &shares_;
  std::unique_ptr<Problem> problem_;
  double most_ = 0; ///< runs
  int runs_ = 0, results_ = 0;
  double last_ = 0; ///< seconds of the last run
  const Clock::time_point begin_ = Clock::now();
  Ranks ranks_; ///< this one
  std::vector<std::unique_ptr<runtime::Accelerator>> devices_;
  std::unique_ptr<runtime::Executor> filling_, executor_;
};

void remarkFound(const PlanCase &plan, const Problem &tiled, Cut found, const Trials &trials) {
  plan.remark(format("%d %s of %s in %s: %s, by rates alone slices of %d; remembered in %s", trials.count(),
                     trials.count() == 1 ? "trial" : "trials", plan.algorithm().name,
                     formatSeconds(trials.seconds()).c_str(), tilesText(tiled.nb, found).c_str(), tiled.cut.width,
                     tilesFile().c_str()));
}

/// Remarks on a failed trial in one line, whatever the error's text.
void remarkFailure(const PlanCase &plan, int width, const std::string &why) {
  plan.remark(why.substr(0, why.find('\n')) +
              format("; the cut by rates is used, slices of %d, as --slice %d does without trials", width, width));
}

bool isDecided(const PlanCase &plan, const Problem &tiled) {
  if (plan.settings.devices.machine) // nothing can be tried there
    return true;
  return tiled.cut.slices == 1 || plan.settings.slice || !plan.settings.deviceWeights.empty() ||
         plan.units.devices.empty();
}

/// Nothing: no trial was run, or one failed.
std::optional<Cut> search(const PlanCase &plan, const Problem &tiled, const runtime::DeviceShares &shares) try {
  Trials trials(plan, tiled, shares);
  if (!trials.areWorthIt())
    return std::nullopt;
  const CutChoice best = searchCut({tiled.cut.slices, tiled.cut.width}, tiled.nb,
                                   [&](const CutChoice &choice) { return trials.run(choice); });
  if (trials.count() == 0)
    return std::nullopt;
  const Cut found{best.slices, best.width};
  remarkFound(plan, tiled, found, trials);
  return found;
} catch (const std::exception &error) {
  remarkFailure(plan, tiled.cut.width, error.what());
  return std::nullopt;
}

} // namespace

std::string cutSearchKey(const PlanCase &plan, const Problem &tiled) {
  std::string key = keyPrefix;
  key += format("%s %s %c, nb = %d, %d slices", plan.algorithm().source, plan.algorithm().name,
                static_cast<char>(plan.algorithm().type), tiled.nb, tiled.cut.slices);
  for (const runtime::AcceleratorProperties &device : plan.units.devices)
    key += ", " + device.model + " " + device.library;
  key += format(", %d threads, %s", plan.threads, plan.units.hostKernels.c_str());
  if (const char *pinned = std::getenv("OPENBLAS_CORETYPE"))
    key += std::string(" as ") + pinned;
  return key + ", " + processorModel();
}

Cut refineCut(const PlanCase &plan, const Problem &tiled, const runtime::DeviceShares &shares) {
  Cut cut = tiled.cut;
  if (isDecided(plan, tiled))
    return cut;
  TileMemory memory(cutSearchKey(plan, tiled));
  if (const auto known = memory.find(); known && known->parameters.contains(widthName)) {
    cut.width = known->parameters.at(widthName);
    return cut.fits(tiled.nb) ? cut : tiled.cut;
  }
  if (const auto found = search(plan, tiled, shares)) {
    cut = *found;
    memory.remember({tiled.nb, {{widthName, cut.width}}});
  }
  return cut;
}

std::vector<std::pair<std::string, std::string>> rememberedCuts() {
  std::vector<std::pair<std::string, std::string>> cuts;
  for (const auto &[key, values] : rememberedTiles())
    if (const auto width = values.parameters.find(widthName);
        key.starts_with(keyPrefix) && width != values.parameters.end())
      cuts.emplace_back(key.substr(std::string(keyPrefix).size()), format("slices of %d columns", width->second));
  return cuts;
}

} // namespace tla::host
