#include <tla/generated/run_program.hpp>

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/predict/commands/cost_command.hpp"
#include "runtime/predict/commands/plan_command.hpp"
#include "runtime/predict/commands/sim_command.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/program/crash_guard.hpp"
#include "runtime/program/identity.hpp"
#include "runtime/program/program_run.hpp"
#include "runtime/transport/transport.hpp"

#include <cstdio>
#include <string_view>

namespace tla::host {
namespace {

int say(const Failure &failure) {
  std::fprintf(stderr, "hetc: %s\n", failure.message.c_str());
  return failure.code;
}

Failure fault(const runtime::Algorithm &algorithm, const std::exception &error) {
  return {RuntimeFault, std::string(algorithm.name) + ": " + error.what()};
}

int sayOnce(const Failure &failure, const Ranks &ranks) { return ranks.first() ? say(failure) : failure.code; }

/// The whole of one rank that is connected with the others.
int runConnected(const runtime::Algorithm &algorithm, int argc, char **argv, Ranks &ranks) {
  try {
    if (!ranks.alone())
      requireSameTraits(ranks, traitsOf(algorithm, argc, argv));
    TextWriter asked; // by --help or --version
    if (const std::optional<Settings> settings = parseCommandLine(algorithm, argc, argv, asked, runtime::readProfile))
      return ProgramRun(algorithm, ranks).run(*settings);
    if (ranks.first())
      printOut(asked.str());
    ranks.agree();
    return Fine;
  } catch (const RankFailure &failure) {
    return sayOnce(failure, ranks);
  } catch (const UsageError &error) {
    return sayOnce(ranks.settle({BadInput, error.what()}), ranks);
  } catch (const std::exception &error) {
    return sayOnce(ranks.settle(fault(algorithm, error)), ranks);
  }
}

/// The seconds of --watchdog: ranks are watched before they read their options. What is wrong with them is told then.
double watchdogSeconds(int argc, const char *const *argv) {
  constexpr std::string_view option = "--watchdog";
  double seconds = Settings().watchdogSeconds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool joined = word.starts_with(option) && word.substr(option.size()).starts_with('=');
    if (joined || (word == option && i + 1 < argc))
      seconds = parseReal(joined ? word.substr(option.size() + 1) : argv[i + 1]).value_or(seconds);
  }
  return seconds;
}

/// Where the ranks cannot be connected, those of one machine fail alike: one of them says why.
int runRank(const runtime::Algorithm &algorithm, int argc, char **argv) {
  runtime::ProcessLaunch launch = runtime::detectLaunch();
  launch.watchdogSeconds = watchdogSeconds(argc, argv);
  std::optional<Ranks> ranks;
  try {
    ranks.emplace(runtime::connect(launch));
  } catch (const Error &error) {
    const Failure failure = fault(algorithm, error);
    if (launch.localRank == 0)
      return say(failure);
    runtime::awaitEnd();
    return failure.code;
  }
  return runConnected(algorithm, argc, argv, *ranks);
}
} // namespace

int runProgram(const runtime::Algorithm &algorithm, int argc, char **argv) {
  fillStandardDescriptors();
  const CrashGuard crashes(algorithm.name); // loops are run to be counted, too
  if (asksForCost(argc, argv))
    return runCost(algorithm, argc, argv);
  if (asksForSimulation(argc, argv))
    return runSimulation(algorithm, argc, argv);
  if (asksForPlan(argc, argv))
    return runPlanning(algorithm, argc, argv);
  // Before any thread starts, so that only the supervisor ever sees a signal.
  const SignalGuard guard;
  try {
    return runRank(algorithm, argc, argv);
  } catch (const UsageError &error) {
    return say({BadInput, error.what()});
  } catch (const std::exception &error) {
    return say(fault(algorithm, error));
  }
}

} // namespace tla::host
