#include "tools/hetc/commands.hpp"
#include "tools/hetc/tune.hpp"

#include "compiler/process/files.hpp"
#include "dsl/base/nearest.hpp"

#include <CLI/CLI.hpp>
#include <tla/kernels/table.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

namespace hetc::tools {

namespace {

int checkKernel(const std::string &kernel) {
  std::vector<std::string> known;
  tla::kernels::visitKernels(tla::kernels::kernelTable<double>(),
                             [&](const char *name, const char *) { known.push_back(name); });
  if (std::ranges::find(known, kernel) != known.end())
    return 0;
  return failTune("unknown kernel '" + kernel + "'" + tla::suggestion(kernel, known));
}

/// "90", "90s", "10m", "1.5h" in seconds; negative: it is none of these.
double durationOf(const std::string &text) {
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception &) {
    return -1;
  }
  const std::string unit = text.substr(end);
  const double seconds = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : -1;
  return seconds > 0 && value >= 0 ? value * seconds : -1;
}

std::string checkDuration(const std::string &text) {
  return durationOf(text) >= 0 ? "" : "'" + text + "': expected a time such as 90s, 10m or 2h";
}

std::string checkReport(const std::string &file) {
  const std::string extension = std::filesystem::path(file).extension();
  return extension == ".html" || extension == ".svg" ? ""
                                                     : "'" + file + "': expected a name that ends in .html or .svg";
}

std::string checkOps(const std::string &ops) {
  return ops.size() == 2 && ops.find_first_not_of("ntc") == std::string::npos ? "" : "expected two of n, t, c";
}

void addSampleOptions(CLI::App &app, TuneOptions &options) {
  app.add_option(
         "--compile-sample", options.sample.count,
         "measure nothing: compile so many candidates for CUDA devices, none needed, and compare what they need "
         "of one")
      ->check(CLI::Range(1, 100000));
  app.add_option("--arch", options.sample.architecture, "for --compile-sample: the devices; default: sm_90");
  app.add_option("--ops", options.ops, "for --compile-sample: op of A and of B, each n, t or c; default: nn")
      ->check(checkOps);
  app.add_flag("--batched", options.sample.variant.isBatched, "for --compile-sample: many products in a launch");
}

void addOptions(CLI::App &app, TuneOptions &options, std::string &budget, std::string &limit) {
  tuning::TuneRules &rules = options.rules;
  app.add_option("kernel", options.kernel, "the kernel: gemm")->type_name("KERNEL")->required();
  app.add_option("--target", options.target, "where it is to run: cpu, cuda:0")->capture_default_str();
  app.add_option("--type", options.type, "element type: s, d, c or z (LAPACK's letters)")->capture_default_str();
  app.add_option("--budget", budget, "time to search, such as 90s, 10m, 2h")
      ->check(checkDuration)
      ->capture_default_str();
  app.add_option("--max-candidates", rules.maxCandidates, "evaluate no more than so many")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--strategy", rules.strategy, "in which order candidates are tried: exhaustive, sample, local")
      ->check(CLI::IsMember(tuning::strategyNames()))
      ->capture_default_str();
  app.add_option("--seed", rules.seed, "of sample and local")->capture_default_str();
  app.add_option("--size", options.sizes, "of the square products that are timed, N or N,N,...")
      ->delimiter(',')
      ->check(CLI::Range(1, 20000))
      ->allow_extra_args(false);
  app.add_flag("--resume", options.resume, "go on with the results of earlier runs instead of starting anew");
  app.add_option("--database", options.databaseFile, "where results are kept; default: in hetc's cache")
      ->type_name("FILE");
  app.add_option("--report", options.reportFile, "write a page of what was found")
      ->type_name("FILE.html|FILE.svg")
      ->check(checkReport);
  app.add_option("--candidate-limit", limit, "time that checking and timing one candidate may take")
      ->check(checkDuration)
      ->capture_default_str();
  app.add_option("--space", options.spaceFile, "another search space (kernels/tuning/README.md)")->type_name("FILE");
  app.add_option("--set", options.settings, "another value of one of the space's parameters, NAME=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--count", options.count, "measure nothing: count the candidates and print the funnel");
  app.add_option("--threads", options.threads, "threads that count and compile; default: all cores")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--json", options.json, "print one JSON object");
}

/// Completes the sample with the options that it shares with the rest.
void completeSample(TuneOptions &options) {
  options.sample.variant.type = options.type[0];
  options.sample.variant.opA = options.ops[0];
  options.sample.variant.opB = options.ops[1];
  options.sample.seed = options.rules.seed;
  options.sample.json = options.json;
  options.sample.threads = options.threads;
}

} // namespace

int tuneCommand(const Arguments &arguments) {
  TuneOptions options;
  options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::string budget = "10m", limit = "20s";
  CLI::App app(
      "hetc tune KERNEL: finds the fastest of a kernel's candidates on this machine, which hetc uses from then "
      "on; with --count says how many candidates there are, and what the space's constraints remove");
  addOptions(app, options, budget, limit);
  addSampleOptions(app, options);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return failTune(error.what());
  }
  options.rules.budget = durationOf(budget);
  options.rules.evaluation.seconds = durationOf(limit);
  options.rules.compilers = options.threads;
  if (const int code = checkKernel(options.kernel))
    return code;
  const bool measures = !options.count && !options.sample.count;
  if (!options.reportFile.empty() && !process::checkWritable(options.reportFile))
    return 2;
  tuning::FamilyRequest request{options.kernel,    options.target, options.type,
                                options.spaceFile, options.sizes,  options.threads};
  if (const std::string unknown = tuning::checkNames(request); !unknown.empty())
    return failTune(unknown);
  if (request.space.empty())
    options.spaceFile = request.space = tuning::usualSpace(request);
  // What is only counted needs no device and no sources.
  const auto family = tuning::makeFamily(request);
  const auto *reason = std::get_if<std::string>(&family);
  if (reason && (measures || request.space.empty()))
    return failTune(*reason);
  completeSample(options);
  const auto space = readSpace(options, reason ? tuning::Constants() : std::get<0>(family)->deviceParameters());
  if (!space)
    return 2;
  if (options.sample.count)
    return compileSample(space->plan, options.sample);
  return options.count ? countCandidates(options, *space) : searchCandidates(options, *std::get<0>(family), *space);
}

} // namespace hetc::tools
