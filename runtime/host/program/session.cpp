#include "runtime/host/program/session.hpp"

#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "kernels/blas_pin.hpp"
#include "runtime/host/files/npy.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/plan/cost_choice.hpp"
#include "runtime/host/plan/cut_search.hpp"
#include "runtime/host/plan/node_loops.hpp"
#include "runtime/host/plan/tile_size.hpp"
#include "runtime/host/problem/memory.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/outcome_text.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/program/identity.hpp"
#include "runtime/host/program/output_rules.hpp"
#include "runtime/host/program/shared_npy.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/host/ranks/rank_statistics.hpp"
#include "runtime/trace/chrome_trace.hpp"

#include <tla/kernels/table.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace tla::host {
namespace {
using runtime::Outcome;

/// For as long as it lives a signal ends the process at once.
struct Uninterruptible {
  explicit Uninterruptible(Supervisor &supervisor) : supervisor(supervisor) { supervisor.setUninterruptible(true); }
  ~Uninterruptible() { supervisor.setUninterruptible(false); }
  Supervisor &supervisor;
};

/// What rank 0 has chosen. Tuning parameters are integers.
void share(TileChoice &choice, Ranks &ranks) {
  std::string text = std::to_string(choice.nb);
  for (const runtime::ScalarValue &scalar : choice.scalars)
    text += " " + std::to_string(scalar.integer);
  std::istringstream words(ranks.broadcast(text));
  words >> choice.nb;
  for (runtime::ScalarValue &scalar : choice.scalars)
    words >> scalar.integer;
}
} // namespace

int Session::run(const Settings &settings) {
  record_.settings = settings;
  record_.ranks = ranks_.size();
  const std::string name = algorithm().name;
  try {
    return runStages();
  } catch (const RankFailure &failure) {
    return end(failure);
  } catch (const UsageError &error) {
    return fail(BadInput, error.what());
  } catch (const Interrupted &) {
    return fail(Signalled + (supervisor_ && supervisor_->signal() ? supervisor_->signal() : SIGINT),
                name + ": interrupted");
  } catch (const std::bad_alloc &) {
    return fail(RuntimeFault, name + ": out of memory");
  } catch (const std::exception &error) {
    return fail(RuntimeFault, name + ": " + error.what());
  } catch (...) {
    return fail(RuntimeFault, name + ": a kernel or the program's loops threw something that is no std::exception");
  }
}

int Session::runStages() {
  prepare();
  load();
  if (const int code = runRepeatedly(); code != Fine)
    return code;
  judge();
  writeOutputs();
  if (ranks_.first())
    report();
  ranks_.agree();
  if (record_.verdict.judged && !record_.verdict.passed)
    return CheckFailed;
  return Fine;
}

/// Everything that can be found wrong before memory is taken.
void Session::prepare() {
  requireJson();
  if (settings().check != CheckMode::None)
    requireKnownCheck(algorithm());
  if (settings().serial && !algorithm().serial)
    throw UsageError(std::string("--serial: ") + algorithm().name + " was compiled without its serial elision");
  if (settings().serial && !ranks_.alone())
    throw UsageError("--serial: the serial elision runs on one rank, not on " + std::to_string(ranks_.size()));
  problem_ = describeProblem(algorithm(), settings());
  place();
  makeExecutors();
  record_.threads = executor_->threads();
  record_.problem = problem_.get();
  installKernelBodies();
  if (ranks_.first())
    requireOutputs();
  warnAboutThreads();
  supervisor_ = std::make_unique<Supervisor>(*executor_, ranks_.first() ? settings().progress : ProgressMode::Never,
                                             settings().watchdogSeconds);
  if (local_)
    localSide_.emplace(*supervisor_, *local_);
  tune();
  shareColumns();
  chooseOwners();
  guardMemory();
  requireSameDecisions();
}

/// Who this rank is, and which tiles it has: of a distribution that is to be chosen, about.
void Session::place() {
  Placement &placement = problem_->placement;
  placement.rank = ranks_.rank();
  placement.distribution = settings().distribution ? *settings().distribution : squareDistribution(ranks_.size());
  requireFit(placement.distribution, ranks_.size());
  neighbours_ = findNeighbours(ranks_);
}

/// Now that the size of the tiles is known.
void Session::chooseOwners() {
  if (ranks_.alone())
    return;
  Distribution &distribution = problem_->placement.distribution;
  if (!settings().distribution) {
    std::string name = fastestOwners_, error;
    if (ranks_.first() && name.empty())
      name = possibleOwners().front().name();
    distribution = *parseDistribution(ranks_.broadcast(name), error);
  }
  executor_->distribute(distribution);
  running_ = withNodeLoops(algorithm(), distribution, settings(), ranks_, neighbours_);
  supervisor_->checkpoint();
  record_.generator = generatorName(running_, distribution);
}

/// The one that was given, or the best for the problem's present tile size. While that is being searched also others:
/// with a tile size that was given owners do not depend on measurements.
std::vector<Distribution> Session::possibleOwners() const {
  if (settings().distribution)
    return {*settings().distribution};
  DistributionChoice choice = chooseDistribution(*problem_, ranks_.size());
  return settings().nb ? std::vector{choice.distribution} : contenders(choice);
}

void Session::makeExecutors() {
  runtime::Options options;
  options.threads = settings().threads;
  if (!options.threads && !ranks_.alone())
    options.threads = std::max(1, runtime::defaultThreads() / neighbours_.onTheseCores);
  options.window = settings().window;
  options.trace = !settings().traceFile.empty();
  options.watchdogSeconds = settings().watchdogSeconds;
  options.transport = ranks_.transport();
  devices_ = runtime::openDevices(settings().devices);
  for (const auto &device : devices_)
    options.accelerators.push_back(device.get());
  options.deviceWeights = settings().deviceWeights;
  executor_ = std::make_unique<runtime::Executor>(options);
  if (ranks_.alone() && devices_.empty())
    return;
  options.transport = nullptr;
  options.trace = false;
  options.accelerators.clear();
  options.deviceWeights.clear();
  local_ = std::make_unique<runtime::Executor>(options);
}

/// The first rank measures; the others wait.
void Session::tune() {
  std::vector<Extent> extents;
  for (const ProblemMatrix &matrix : problem_->matrices)
    extents.push_back(matrix.extent);
  // Before anything is measured: a problem that fits with no tile size is refused at once.
  problem_->nb =
      settings().nb ? *settings().nb : chooseTileSize(algorithm(), extents, executor_->threads() * ranks_.size());
  chooseSlices(); // which may refuse the tile size that was given
  guardMemory();
  measureRates();
  TileChoice choice = ranks_.first() ? searchTiles() : TileChoice{.scalars = problem_->scalars};
  share(choice, ranks_);
  supervisor_->checkpoint();
  problem_->nb = choice.nb;
  fastestOwners_ = choice.distribution;
  for (std::size_t s = 0; s < choice.scalars.size(); ++s) // in place: values point there
    problem_->scalars[s].integer = choice.scalars[s].integer;
  record_.searchSeconds = choice.searched ? choice.seconds : 0;
  if (untuned_ && choice.searched && ranks_.first())
    remark("products of tiles are the shipped ones; 'hetc tune gemm' looks for faster ones on this machine");
  chooseSlices();
}

/// As the first rank has it, should others have other devices.
void Session::chooseSlices() {
  problem_->cut = chooseCut(algorithm(), settings(), problem_->nb, static_cast<int>(devices_.size()));
  problem_->cut.width = std::stoi(ranks_.broadcast(std::to_string(problem_->cut.width)));
}

/// As rates have it: trials are for the tile size that is chosen.
Cut Session::cutOf(int nb) {
  problem_->nb = nb;
  problem_->cut = chooseCut(algorithm(), settings(), nb, static_cast<int>(devices_.size()));
  return balanceCut(*problem_, settings(), ratesRequest_, rates_, executor_->threads());
}

TileChoice Session::searchTiles() {
  std::vector<std::string> given;
  for (const Assignment &assignment : settings().scalars)
    given.push_back(assignment.name);
  runtime::Executor measuring(measuringOptions());
  const Supervisor::Side side(*supervisor_, measuring);
  return chooseTiles({.algorithm = algorithm(),
                      .values = problem_->values,
                      .scalars = problem_->scalars,
                      .tunable = tunableScalars(algorithm(), given),
                      .threads = executor_->threads(),
                      .ranks = ranks_.size(),
                      .distribution = settings().distribution ? settings().distribution->name() : "",
                      .owners =
                          [this](int nb) {
                            problem_->nb = nb;
                            return possibleOwners();
                          },
                      .devices = {.properties = properties(),
                                  .rates = rates_,
                                  .shares =
                                      [this](int nb) {
                                        problem_->nb = nb;
                                        return chooseShares(*problem_, settings(), ratesRequest_, rates_,
                                                            executor_->threads());
                                      }},
                      .cut = [this](int nb) { return cutOf(nb); },
                      .kernels = record_.hostKernels,
                      .nb = settings().nb.value_or(0),
                      .executor = &measuring,
                      .checkpoint = [this] { supervisor_->checkpoint(); }});
}

/// For shares, and for the tile search. At the tile size that was given or guessed: rates are known at several sizes.
void Session::measureRates() {
  if (ranks_.alone() && devices_.empty())
    return;
  ratesRequest_ = ratesRequest(*problem_, settings(), record_.hostKernels, properties());
  if (settings().deviceWeights.empty() || !settings().nb)
    rates_ = ratesOfThisMachine(ratesRequest_);
}

/// Among the places of this node.
void Session::shareColumns() {
  problem_->cut = balanceCut(*problem_, settings(), ratesRequest_, rates_, executor_->threads());
  if (!devices_.empty()) {
    record_.shares = chooseShares(*problem_, settings(), ratesRequest_, rates_, executor_->threads());
    executor_->share(record_.shares);
  }
  if (ranks_.first())
    problem_->cut = refineCut({.problem = *problem_,
                               .settings = settings(),
                               .devices = ratesRequest_,
                               .shares = record_.shares,
                               .threads = executor_->threads(),
                               .remark = [this](const std::string &text) { remark(text); },
                               .checkpoint = [this] { supervisor_->checkpoint(); }});
  problem_->cut.width = std::stoi(ranks_.broadcast(std::to_string(problem_->cut.width)));
}

/// The first rank of each machine measures, the others wait. Rank 0's count for all who have the same hardware, so that
/// they come to the same shares.
NodeRates Session::ratesOfThisMachine(const RatesRequest &request) {
  RatesRequest mine = request;
  mine.remark = [this](const std::string &text) { remark(text); };
  mine.checkpoint = [this] { supervisor_->checkpoint(); };
  if (ranks_.alone())
    return obtainRates(mine);
  const bool measures = neighbours_.first == ranks_.rank();
  const std::vector<std::string> all =
      ranks_.exchange(measures && !request.devices.empty() ? ratesText(request, obtainRates(mine)) : "");
  for (const int rank : {0, neighbours_.first})
    if (const auto rates = readRates(request, all[rank]))
      return *rates;
  return NodeRates{{}, std::vector<UnitRates>(request.devices.size())};
}

std::vector<runtime::AcceleratorProperties> Session::properties() const {
  std::vector<runtime::AcceleratorProperties> list;
  for (const auto &device : devices_)
    list.push_back(device->properties());
  return list;
}

void Session::guardMemory() {
  const double onAccelerators = acceleratorBytes(*problem_, properties());
  record_.neededBytes = problemBytes(*problem_, settings(), record_.threads) + onAccelerators;
  requireMemory(record_.neededBytes, availableBytes() / neighbours_.onMachine,
                onAccelerators > 0 ? "use a smaller problem (-n), emulated accelerators with less memory (mem=), or a "
                                     "machine with more memory"
                                   : "use a smaller problem (-n) or a machine with more memory");
}

/// What follows from measurements. Ranks with other cores or accelerators have shares of their own.
void Session::requireSameDecisions() {
  if (ranks_.alone())
    return;
  requireSameTraits(ranks_, {{"size of tiles", tilesText(problem_->nb, problem_->cut)},
                             {"distribution", problem_->placement.distribution.name()}});
  std::string hardware = processorModel() + format(", %d threads", executor_->threads());
  for (const runtime::AcceleratorProperties &device : properties())
    hardware += ", " + device.model + " " + device.library;
  const std::string rates = devices_.empty() ? "" : ratesText(ratesRequest_, rates_);
  requireSameTraits(
      ranks_,
      {{"share of columns for each device", sharesText(record_.shares) + " (hash of rates " + hashOf(rates) + ")",
        "remove " + ratesFile().string() + " there, or give --device-weights"}},
      hardware);
}

/// First of all: what goes wrong from here on is told there.
void Session::requireJson() {
  if (!settings().json || !ranks_.first())
    return;
  requireSeparateJson(algorithm(), settings());
  requireWritable(settings().jsonFile, "--json", 0);
  jsonWanted_ = true;
}

void Session::requireOutputs() const {
  requireSeparateOutputs(algorithm(), settings());
  for (const Assignment &output : settings().outputs) {
    const ProblemMatrix &matrix = problem_->matrices[findMatrix(algorithm(), output.name, "--output")];
    if (matrix.parameter->workspace)
      throw UsageError("--output: " + output.name + " is a workspace of " + algorithm().name + ", not a result");
    if (!matrix.parameter->written)
      throw UsageError("--output: " + std::string(algorithm().name) + " does not write " + output.name);
    if (!output.value.ends_with(".npy"))
      throw UsageError("--output: " + output.value + ": matrices are written as .npy files");
    if (!ranks_.alone() && !isOwnFile(output.value))
      throw UsageError("--output: " + output.value + ": several ranks write into a regular file only");
    requireWritable(output.value, "--output",
                    npyBytes(static_cast<double>(matrix.extent.rows), static_cast<double>(matrix.extent.columns),
                             matrix.parameter->type));
  }
  if (!settings().traceFile.empty())
    requireWritable(settings().traceFile, "--trace", 0);
}

void Session::installKernelBodies() {
  try {
    const kernels::KernelStatus status = kernels::installKernels(kernelsName(settings().kernels));
    record_.kernels = status.backEnd;
    record_.hostKernels = hostKernelsText(status);
    untuned_ = status.untuned;
    if (settings().kernels == KernelChoice::Auto && status.backEnd == "reference" && !std::getenv("HETC_KERNELS"))
      warn("slow reference kernels in use: " + status.detail);
  } catch (const std::runtime_error &error) {
    throw UsageError(error.what());
  }
  if (!ranks_.alone())
    requireSameTraits(ranks_, {{"set of kernels", record_.hostKernels,
                                "results would differ in the last bits: use --kernels reference, or --kernels openblas "
                                "with one OPENBLAS_CORETYPE on all ranks"}});
  if (record_.kernels == "openblas")
    warnAboutPin();
}

void Session::warnAboutPin() const {
  const std::string warning = kernels::weakPinWarning(std::getenv("OPENBLAS_CORETYPE"), vectorLevel());
  if (!warning.empty())
    warn(warning);
}

void Session::warnAboutThreads() const {
  const int cores = runtime::defaultThreads();
  // Ranks that have no core in common were bound by the launcher, Open MPI's to one core each where there are two.
  const bool bound = neighbours_.onMachine > 1 && neighbours_.onTheseCores == 1;
  if (const long all = ::sysconf(_SC_NPROCESSORS_ONLN); bound && all > 2L * cores * neighbours_.onMachine)
    warn("the launcher has bound each rank to " + std::to_string(cores) + " of " + std::to_string(all) +
         " processors; with mpirun, --bind-to none or --map-by slot:PE=N give it more");
  if (settings().threads > 4 * cores)
    warn("--threads " + std::to_string(settings().threads) + " on " + std::to_string(cores) +
         (cores == 1 ? " core" : " cores") + " will be slower than " + std::to_string(cores));
}

void Session::load() {
  makeSources(*problem_, settings());
  allocateMatrices(*problem_);
}

int Session::runRepeatedly() {
  for (int r = 0; r < settings().repeat; ++r) {
    supervisor_->checkpoint();
    fillMatrices(*problem_, team());
    if (const int code = runOnce(r); code != Fine)
      return code;
  }
  return Fine;
}

int Session::runOnce(int repetition) {
  std::vector<Storage *> storages;
  for (const ProblemMatrix &matrix : problem_->matrices)
    storages.push_back(&**matrix.storage);
  const runtime::Arguments arguments{storages.data(), problem_->scalars.data()};
  std::string label = algorithm().name;
  if (settings().repeat > 1)
    label += format(" %d/%d", repetition + 1, settings().repeat);
  const double nominal = nominalFlops(*problem_);
  supervisor_->beginPhase({label, nominal, ranks_.size()});
  ranks_.agree(); // all begin at the same time

  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = execute(arguments);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  supervisor_->endPhase();

  record_.perRank = gatherStatistics(outcome.statistics, ranks_);
  record_.statistics = totalOf(record_.perRank);
  record_.flops = nominal > 0 ? nominal : record_.statistics.flops;
  if (outcome.kind == Outcome::Kind::Interrupted)
    throw Interrupted{};
  if (outcome.kind == Outcome::Kind::Fault)
    throw Error(failureText(algorithm(), outcome));
  if (outcome.kind == Outcome::Kind::Numerical)
    return stopNumerically(outcome);
  record_.seconds.push_back(ranks_.largest(seconds));
  return Fine;
}

Outcome Session::execute(const runtime::Arguments &arguments) {
  if (!settings().serial)
    return executor_->run(running_, arguments);
  const Uninterruptible alone(*supervisor_);
  record_.info.reset(); // kernels return it to nobody
  algorithm().serial(arguments);
  return {};
}

int Session::stopNumerically(const Outcome &outcome) {
  record_.info = outcome.info;
  return fail(NumericalStop, failureText(algorithm(), outcome));
}

void Session::judge() {
  supervisor_->checkpoint();
  record_.verdict = checkResult(*problem_, settings().check, team());
}

void Session::writeOutputs() {
  for (const Assignment &output : settings().outputs) {
    supervisor_->checkpoint();
    const ProblemMatrix &matrix = *problem_->find(output.name);
    if (ranks_.alone())
      writeNpy(output.value, **matrix.storage, matrix.parameter->type);
    else
      writeNpyTogether(output.value, matrix, ranks_);
  }
  if (!settings().traceFile.empty() && ranks_.first()) {
    OutputFile file(settings().traceFile);
    file.write(trace::chromeTrace(record_.statistics, algorithm().name));
    file.commit();
  }
}

void Session::report() {
  if (!settings().quiet) {
    std::string text = readableReport(record_);
    if (settings().stats)
      text += statisticsTable(record_);
    if (outputTaken())
      std::fputs(text.c_str(), stderr);
    else
      printOut(text);
  }
  writeJson();
}

int Session::fail(int code, const std::string &message) { return end(ranks_.settle({code, message})); }

int Session::end(const Failure &failure) {
  if (supervisor_)
    supervisor_->endPhase();
  if (!ranks_.first())
    return failure.code;
  record_.error = failure.message;
  std::fprintf(stderr, "hetc: %s\n", failure.message.c_str());
  try {
    writeJson();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
  }
  return failure.code;
}

void Session::writeJson() {
  if (!std::exchange(jsonWanted_, false))
    return;
  OutputFile file(settings().jsonFile);
  file.write(jsonReport(record_));
  file.commit();
}

bool Session::outputTaken() const {
  return (settings().json && isStandardOutput(settings().jsonFile)) ||
         (!settings().traceFile.empty() && isStandardOutput(settings().traceFile));
}

void Session::remark(const std::string &message) const {
  if (!settings().quiet)
    std::fprintf(stderr, "hetc: remark: %s\n", message.c_str());
}

void Session::warn(const std::string &message) const {
  if (!settings().quiet && ranks_.first())
    std::fprintf(stderr, "hetc: warning: %s\n", message.c_str());
}

} // namespace tla::host
