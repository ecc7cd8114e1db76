#include "runtime/predict/plan/tile_search.hpp"

#include "dsl/base/debugging.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/problem.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/predict/plan/tile_forecast.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <optional>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::ScalarParameter;
using runtime::ScalarValue;
using Clock = std::chrono::steady_clock;

constexpr int sampleTiles = 3;       // per side of the problem that kernels are timed on
constexpr long smallestSearch = 400; // below, the whole problem takes less than a search
constexpr double share = 0.25;       // of the problem's own time that a search may take, once;
constexpr double brief = 0.2,
                 shareOfBrief = 2;       // or so many seconds where that is more, and no more than twice its time
constexpr int mostRounds = 5;            // of measurements
constexpr double closeToBest = 1.25;     // after one measurement
constexpr double muchOfTheWork = 0.25;   // of the operations, by kernels of the program's own
constexpr double worthMoreBytes = 0.995; // of the least time: owners who move more bytes than others must need less
// Tasks that are simulated of a problem: of the first, and in so many seconds each, in this part of the rest of the
// time.
constexpr double firstTasks = 40'000, fewestTasks = 20'000, mostTasks = 1'000'000, secondsPerTask = 1.5e-6,
                 ofRest = 0.25;
double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<Extent> extentsOf(const PlanCase &plan) {
  return matrixExtents(plan.algorithm(), valuesOf(plan, plan.scalars));
}

/// The parameters of the algorithm that have candidates, less those that the user gave a value.
std::vector<int> tunableScalars(const PlanCase &plan) {
  std::vector<int> tunable;
  for (int s = 0; s < plan.algorithm().scalarCount; ++s) {
    const ScalarParameter &scalar = plan.algorithm().scalars[s];
    if (scalar.candidateCount > 0 &&
        !std::ranges::any_of(plan.settings.scalars, [&](const Assignment &given) { return given.name == scalar.name; }))
      tunable.push_back(s);
  }
  return tunable;
}

int guessOf(const PlanCase &plan, const std::vector<Extent> &extents) {
  return chooseTileSize(plan.algorithm(), extents, plan.threads, plan.ranks);
}

long largestSide(const std::vector<Extent> &extents) {
  long side = 0;
  for (const Extent &extent : extents)
    side = std::max({side, extent.rows, extent.columns});
  return side;
}

/// The measurements of one search and the best of them. For one rank and a guess of 200 whose candidates are 200, 192,
/// 216, 312, ..., with a tuning parameter ib that may be 32, 48 or 64 and is 32 to begin with:
///
/// Where kernels of the program's own do a quarter of the operations, much smaller sizes come before these
/// (withSmallerTiles).
///
///   200, ib 32        the sample of 3 x 3 tiles is run and timed, the whole problem simulated with these times: 2 s
///   200, ib 48, 64    the parameters are tuned at the first size that could be tried; ib 48 is fastest from here on
///   192, 216, ..      each with ib 48, while there is time; one whose sample is predicted to take too long is passed
///                     over (its work grows with nb^3), as a smaller one may still do
///   (a problem of more tasks than there is time for is simulated in part, and carried over: tiles/part_of_problem.hpp)
///   again             up to four more rounds over the trials within 25% of the best; the least times count
///
/// Time: a quarter of what the problem itself takes by the best prediction, here 0.5 s. Where that is less than 0.2 s,
/// so much, but not more than twice the problem's time: 0.2 s for a problem of 0.2 s, 0.1 s for one of 0.05 s. The
/// first sample is run whatever it takes, as nothing is known before.
class Search {
public:
  Search(const PlanCase &plan, std::vector<int> sizes, runtime::Executor &executor)
      : plan_(plan), forecast_(plan), sizes_(std::move(sizes)), executor_(executor) {}

  /// Runs the search; null: nothing could be predicted.
  std::optional<TileChoice> run() {
    std::vector<ScalarValue> scalars = plan_.scalars;
    if (sizes_.size() > 1 && plan_.ranks == 1 &&
        forecast_.ownShare(sizes_.front(), sampleTiles * static_cast<long>(sizes_.front())) >= muchOfTheWork)
      sizes_ = withSmallerTiles(std::move(sizes_), sizeToCut(extentsOf(plan_)), sizes_.front());
    for (const int nb : sizes_) {
      if (!hasTimeFor(nb))
        continue; // a smaller one may do
      if (!tryOut(nb, scalars))
        break;
      if (!trials_.empty() && !std::exchange(tuned_, true))
        tune(nb, scalars);
    }
    measureAgain();
    if (trials_.empty())
      return std::nullopt;
    const TileTrial &best = *fastest();
    return TileChoice{.nb = best.nb, .scalars = best.scalars, .distribution = best.distribution};
  }

private:
  /// Leaves in `scalars` the best candidate of each tuning parameter, one parameter after the other.
  void tune(int nb, std::vector<ScalarValue> &scalars) {
    for (const int parameter : tunableScalars(plan_)) {
      const ScalarParameter &description = plan_.algorithm().scalars[parameter];
      for (int c = 0; c < description.candidateCount; ++c) {
        if (description.candidates[c] == plan_.scalars[parameter].integer)
          continue;
        scalars[parameter].integer = description.candidates[c];
        if (!hasTimeFor(nb) || !tryOut(nb, scalars))
          break;
      }
      scalars = fastest()->scalars;
    }
  }

  /// Whether a trial with nb fits into what is left of the time, going by the last one's cost: twice the nb costs eight
  /// times as much. Before the first trial: true.
  bool hasTimeFor(int nb) const {
    if (trials_.empty())
      return true;
    const TileTrial &last = trials_.back();
    const double growth = static_cast<double>(nb) / last.nb;
    return elapsed() + last.cost * growth * growth * growth <= allowed();
  }

  /// Adds a trial: measured, and predicted for the whole problem. True without one where tiles of nb cannot be cut or
  /// the problem cannot be recorded; false when the sample fails, as it then would with any size.
  bool tryOut(int nb, const std::vector<ScalarValue> &scalars) {
    const double before = elapsed();
    plan_.checkpoint();
    const auto cut = forecast_.cutOf(nb);
    if (!cut)
      return true;
    TileTrial trial{nb, *cut, scalars};
    trial.limit = tasksInTime();
    const std::vector<Distribution> owners = ownersOf(nb);
    auto graph = forecast_.record(trial, owners.front());
    if (!graph)
      return true;
    plan_.checkpoint();
    if (!measure(trial))
      return false;
    predict(trial, owners, std::move(graph));
    trial.cost = elapsed() - before;
    trials_.push_back(std::move(trial));
    return true;
  }

  /// Measures again, in turn and while there is time, the trials that may be the best: where others use the machine as
  /// well, one measurement says little, and what one of them disturbs is seldom disturbed each time.
  void measureAgain() {
    for (int round = 1; round < mostRounds; ++round) {
      std::ranges::sort(trials_, {}, &TileTrial::seconds);
      for (TileTrial &trial : trials_) {
        if (trial.seconds > closeToBest * fastest()->seconds)
          break;
        const double before = elapsed();
        if (before + trial.cost > allowed() || !measure(trial))
          return;
        predict(trial, ownersOf(trial.nb), std::nullopt);
        trial.cost = elapsed() - before;
      }
    }
  }

  /// Adds one measurement of the sample's kernels to the trial's times. False: the sample failed, or nothing was timed.
  bool measure(TileTrial &trial) {
    if (auto known = plan_.times(trial.nb, trial.scalars))
      trial.times = *std::move(known);
    else if (!timeKernels(trial))
      return false;
    plan_.checkpoint();
    return !trial.times.empty();
  }

  /// Simulates the whole problem with the times measured so far, for each of the possible owners, and notes the fastest
  /// ones. On the first prediction of a trial, for as many owners as there is time for, at least one. `graph`: the
  /// tasks with the first owners, if they are recorded already.
  void predict(TileTrial &trial, const std::vector<Distribution> &owners, std::optional<RecordedTasks> graph) const {
    trial.seconds = INFINITY;
    for (const Distribution &each : owners) {
      const bool first = trial.seconds == INFINITY;
      if (!first && trial.cost == 0 && elapsed() > allowed())
        break;
      if (!graph && !(graph = forecast_.record(trial, each)))
        break;
      plan_.checkpoint();
      if (const double seconds = forecast_.seconds(*graph, trial); first || seconds < worthMoreBytes * trial.seconds) {
        trial.seconds = seconds;
        if (plan_.ranks > 1)
          trial.distribution = each;
      }
      graph.reset();
    }
  }

  std::vector<TileTrial>::const_iterator fastest() const {
    return std::ranges::min_element(trials_, {}, &TileTrial::seconds);
  }

  /// Seconds that the search may take in all: see Search. No limit before the first prediction.
  double allowed() const {
    const double least = trials_.empty() ? INFINITY : fastest()->seconds;
    return std::max(share * least, std::min(brief, shareOfBrief * least));
  }

  /// How many tasks are simulated of the next trial.
  std::size_t tasksInTime() const {
    const double rest = ofRest * (allowed() - elapsed()) / secondsPerTask;
    return static_cast<std::size_t>(trials_.empty() ? firstTasks : std::clamp(rest, fewestTasks, mostTasks));
  }

  std::vector<Distribution> ownersOf(int nb) const {
    return plan_.ranks > 1 ? plan_.owners(nb) : std::vector{Distribution()};
  }

  /// Runs the sample and adds its kernels' times: three runs where tiles are below 256, while there is time, else one.
  /// False: a run did not finish. Throws Interrupted.
  bool timeKernels(TileTrial &trial) {
    for (int run = 0; run < (trial.nb < 256 ? 3 : 1) && (run == 0 || elapsed() < allowed()); ++run) {
      const auto sample = sampleProblem(trial);
      fillMatrices(*sample, {executor_, ranks_, executor_});
      std::vector<StorageRef> storages;
      for (const ProblemMatrix &matrix : sample->matrices)
        storages.push_back(*matrix.storage);
      std::vector<Storage *> pointers;
      const runtime::Outcome outcome =
          executor_.run(plan_.algorithm(), argumentsOf(storages, sample->scalars, pointers));
      if (outcome.kind == runtime::Outcome::Kind::Interrupted)
        throw Interrupted{};
      if (!outcome.isComplete())
        return false;
      trial.times.add(outcome.statistics);
    }
    return true;
  }

  /// The same algorithm on a few tiles of generated data, with every size cut down.
  std::unique_ptr<Problem> sampleProblem(const TileTrial &trial) const {
    const long limit = static_cast<long>(sampleTiles) * trial.nb;
    const runtime::Values &whole = plan_.problem.values;
    auto sample = makeProblem(plan_.algorithm(), trial.scalars,
                              {std::min(whole.m, limit), std::min(whole.n, limit), std::min(whole.k, limit), nullptr});
    sample->nb = trial.nb;
    sample->cut = trial.cut;
    makeSources(*sample, {});
    allocateMatrices(*sample);
    return sample;
  }

  double elapsed() const { return secondsSince(begin_); }
  const PlanCase &plan_;
  const TileForecast forecast_;
  std::vector<int> sizes_; ///< tile sizes that are tried
  runtime::Executor &executor_;
  Ranks ranks_; ///< this one
  const Clock::time_point begin_ = Clock::now();
  std::vector<TileTrial> trials_;
  bool tuned_ = false;
};

/// The owners that the memory names; nothing where they are not for so many ranks, or no longer there, as a file's.
std::optional<Distribution> rememberedOwners(const TunedValues &known, int ranks) try {
  Distribution owners = parseDistribution(known.distribution);
  return owners.nodes() == ranks ? std::optional(std::move(owners)) : std::nullopt;
} catch (const UsageError &) {
  return std::nullopt;
}

/// False when the memory lacks a parameter, as one from before the program had it, or owners that fit.
bool apply(const TunedValues &known, const PlanCase &plan, TileChoice &choice) {
  if (plan.ranks > 1) {
    choice.distribution = rememberedOwners(known, plan.ranks);
    if (!choice.distribution)
      return false;
  }
  std::vector<ScalarValue> scalars = plan.scalars;
  for (const int parameter : tunableScalars(plan)) {
    const auto value = known.parameters.find(plan.algorithm().scalars[parameter].name);
    if (value == known.parameters.end())
      return false;
    scalars[parameter].integer = value->second;
  }
  choice.nb = known.nb;
  choice.scalars = std::move(scalars);
  return true;
}

TunedValues tunedValues(const PlanCase &plan, const TileChoice &choice) {
  TunedValues values{.nb = choice.nb, .distribution = choice.distribution ? choice.distribution->name() : ""};
  for (const int parameter : tunableScalars(plan))
    values.parameters[plan.algorithm().scalars[parameter].name] = static_cast<int>(choice.scalars[parameter].integer);
  return values;
}
} // namespace

bool isWorthSearching(const PlanCase &plan) { return !isDebugging() && largestSide(extentsOf(plan)) >= smallestSearch; }

std::vector<int> tileSizes(const PlanCase &plan) {
  const std::vector<Extent> extents = extentsOf(plan);
  return tileCandidates(sizeToCut(extents), guessOf(plan, extents),
                        {.elementBytes = elementBytes(plan.algorithm().type),
                         .ranks = plan.ranks,
                         .accelerators = !plan.devices.empty(),
                         .isTall = isTall(extents),
                         .rows = largestSide(extents),
                         .threads = plan.threads});
}

runtime::Options measuringOptions() {
  runtime::Options options;
  options.threads = 1;
  options.trace = true;
  return options;
}

std::string tileSearchKey(const PlanCase &plan, int nb) {
  const Algorithm &algorithm = plan.algorithm();
  const std::vector<Extent> extents = extentsOf(plan);
  const std::vector<int> tunable = tunableScalars(plan);
  std::string key = format("%s %s %c", algorithm.source, algorithm.name, static_cast<char>(algorithm.type));
  for (const Extent &extent : extents)
    key += format(" %ldx%ld", extent.rows, extent.columns);
  for (int i = 0; i < algorithm.scalarCount; ++i) {
    const ScalarValue &value = plan.scalars[i];
    if (std::ranges::count(tunable, i))
      key += format(" %s=?", algorithm.scalars[i].name);
    else
      key += format(" %s=%ld", algorithm.scalars[i].name, value.integer) + "," +
             formatNumber(std::complex<double>(value.real, value.imag));
  }
  const int guess = guessOf(plan, extents);
  if (nb > 0)
    key += format(" nb=%d", nb);
  if (algorithm.slices() > 1) // given, or by rates
    key += ", " + tilesText(guess, plan.cut(guess));
  if (algorithm.copies() > 1)
    key += format(", %d copies", algorithm.copies());
  if (plan.ranks > 1)
    key += format(", %d ranks %s", plan.ranks,
                  plan.settings.distribution ? plan.settings.distribution->name().c_str() : "");
  for (const runtime::AcceleratorProperties &device : plan.devices)
    key += ", " + device.model + " " + device.library;
  if (!plan.devices.empty()) // given, or by rates
    key += " " + sharesText(plan.shares(guess));
  key += format(", %d threads, %s", plan.threads, plan.kernels.c_str());
  if (const char *pinned = std::getenv("OPENBLAS_CORETYPE"))
    key += std::string(" as ") + pinned;
  return key + ", " + processorModel();
}

TileChoice chooseTiles(const PlanCase &plan, int nb) {
  const auto begin = Clock::now();
  TileChoice choice;
  choice.nb = nb > 0 ? nb : guessOf(plan, extentsOf(plan));
  choice.scalars = plan.scalars;
  if (!isWorthSearching(plan) || (nb > 0 && tunableScalars(plan).empty()))
    return choice;
  try {
    TileMemory memory(tileSearchKey(plan, nb));
    if (const auto known = memory.find(); known && apply(*known, plan, choice))
      return choice;
    choice.searched = true;
    std::unique_ptr<runtime::Executor> own;
    if (!plan.events.measuring)
      own = std::make_unique<runtime::Executor>(measuringOptions());
    Search search(plan, nb > 0 ? std::vector{nb} : tileSizes(plan), own ? *own : *plan.events.measuring);
    if (const auto best = search.run()) {
      choice.nb = best->nb;
      choice.scalars = best->scalars;
      choice.distribution = best->distribution;
      memory.remember(tunedValues(plan, choice));
    }
  } catch (const Interrupted &) {
    throw;
  } catch (const std::exception &error) { // what is wrong with the program goes wrong in the run itself
    choice.problem = error.what();
  }
  choice.seconds = choice.searched ? secondsSince(begin) : 0;
  return choice;
}

} // namespace tla::host
