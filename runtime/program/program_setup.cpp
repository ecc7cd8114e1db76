// What a run does before anything is measured: its description, its executors, its kernels, and what is refused.
#include "runtime/program/program_run.hpp"

#include "dsl/base/processor.hpp"
#include "kernels/blas_pin.hpp"
#include "runtime/host/files/npy.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/output_rules.hpp"
#include "runtime/host/output/trace_output.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/device_dealing.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/program/identity.hpp"
#include "runtime/program/shared_npy.hpp"

#include <tla/kernels/table.hpp>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace tla::host {

/// Everything that can be found wrong before anything is measured.
void ProgramRun::describe() {
  supervisor_ = std::make_unique<Supervisor>(ranks_.first() ? settings().progress : ProgressMode::Never,
                                             settings().watchdogSeconds);
  requireJson();
  if (settings().check != CheckMode::None)
    requireKnownCheck(algorithm());
  if (settings().serial && !algorithm().serial)
    throw UsageError(std::string("--serial: ") + algorithm().name + " was compiled without its serial elision");
  if (isVirtual())
    requireNothingComputed();
  if (settings().serial && settings().resident)
    throw UsageError("--serial: the serial elision runs on the host alone; leave out --resident");
  if (settings().serial && !ranks_.alone())
    throw UsageError("--serial: the serial elision runs on one rank, not on " + std::to_string(ranks_.size()));
  problem_ = describeProblem(algorithm(), settings());
  problem_->placement.rank = ranks_.rank();
  neighbours_ = findNeighbours(ranks_);
  dealDevices(record_.settings.devices, ranks_, neighbours_);
  if (settings().distribution)
    requireFit(*settings().distribution, ranks_.size());
  makeExecutors();
  record_.threads = isVirtual() ? plannedThreads(settings(), 0) : executor_->threads();
  record_.problem = problem_.get();
  installKernelBodies();
  if (ranks_.first())
    requireOutputs();
  if (!isVirtual())
    warnAboutThreads();
  supervisor_->setExecutor(*executor_);
  if (local_)
    localSide_.emplace(*supervisor_, *local_);
}

Machine ProgramRun::machine() const {
  Machine machine{ranks_, neighbours_, record_.threads, cores(), {}, record_.hostKernels};
  if (isVirtual())
    machine.devices = runtime::describeVirtual(*settings().devices.machine);
  for (const auto &device : devices_)
    machine.devices.push_back(device->properties());
  return machine;
}

/// The cores of this rank's machine, for all of its threads.
int ProgramRun::cores() const {
  return isVirtual() ? settings().devices.machine->profile.host.cores
                     : std::max(1, runtime::defaultThreads() / neighbours_.onTheseCores);
}

/// A run in virtual time has no results.
void ProgramRun::requireNothingComputed() const {
  const auto refuse = [&](bool given, const std::string &what) {
    if (given)
      throw UsageError(what + ": with --devices " + settings().devices.name +
                       " nothing is computed, and time is the machine's; leave it out");
  };
  refuse(!ranks_.alone(), "several ranks");
  refuse(settings().serial, "--serial");
  refuse(!settings().outputs.empty(), "--output");
  refuse(!settings().inputs.empty(), "--input");
}

void ProgramRun::makeExecutors() {
  runtime::Options options = memoryOptions(settings());
  options.threads = settings().threads;
  options.window = settings().window;
  options.trace = !settings().traceFile.empty();
  options.traceTasks = mostTraced / ranks_.size();
  options.watchdogSeconds = settings().watchdogSeconds;
  options.transport = ranks_.transport();
  if (!isVirtual()) // those of a profile are made for each run
    devices_ = runtime::openDevices(settings().devices);
  for (const auto &device : devices_)
    options.accelerators.push_back(device.get());
  if (!options.threads && !ranks_.alone())
    options.threads = runtime::threadsBeside(cores(), static_cast<int>(devices_.size()));
  if (!isVirtual())
    options.deviceWeights = settings().deviceWeights;
  options.crews = ranks_.alone() || options.threads <= cores();
  executor_ = std::make_unique<runtime::Executor>(options);
  if (ranks_.alone() && devices_.empty())
    return;
  options.transport = nullptr;
  options.trace = false;
  options.accelerators.clear();
  options.deviceWeights.clear();
  local_ = std::make_unique<runtime::Executor>(options);
}

/// First of all: what goes wrong from here on is told there.
void ProgramRun::requireJson() {
  if (!settings().json || !ranks_.first())
    return;
  requireSeparateJson(algorithm(), settings());
  requireWritable(settings().jsonFile, "--json", 0);
  jsonWanted_ = true;
}

void ProgramRun::requireOutputs() const {
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
    requireTraceOutput(settings().traceFile);
}

void ProgramRun::installKernelBodies() {
  try {
    const kernels::KernelStatus status = kernels::installKernels(kernelsName(settings().kernels));
    record_.kernels = status.backEnd;
    record_.bodies = bodiesText(algorithm().type);
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
  record_.ownKernels = runtime::ownKernels();
  if (!ranks_.alone())
    remarkUnlikeProcessors();
}

/// Own kernels that are compiled for several kinds of processors may compute other bits on each.
void ProgramRun::remarkUnlikeProcessors() {
  const std::string mine = record_.ownKernels.march + " " + record_.ownKernels.processor;
  const std::string text = ranks_.allEqual(mine) ? "" : unlikeProcessors(ranks_.exchange(mine));
  if (!text.empty() && ranks_.first())
    remark(text);
}

void ProgramRun::warnAboutPin() const {
  const std::string warning = kernels::weakPinWarning(std::getenv("OPENBLAS_CORETYPE"), vectorLevel());
  if (!warning.empty())
    warn(warning);
}

void ProgramRun::warnAboutThreads() const {
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

} // namespace tla::host
