#include "tests/fuzz/campaign.hpp"

#include "tests/fuzz/make/program_maker.hpp"
#include "tests/fuzz/make/wide.hpp"
#include "tests/fuzz/shrink/shrink.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string clockText(double seconds) {
  const int whole = static_cast<int>(seconds);
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

void add(Counts &counts, const Counts &more) {
  for (const auto &[what, count] : more)
    counts[what] += count;
}

/// The counts of all workers, as their lines come in.
class Totals {
public:
  /// True while the pipe is open.
  bool read(int pipe) {
    char buffer[8192];
    const ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count <= 0)
      return false;
    pending_[pipe].append(buffer, static_cast<std::size_t>(count));
    for (std::size_t at; (at = pending_[pipe].find('\n')) != std::string::npos; pending_[pipe].erase(0, at + 1)) {
      const std::string line = pending_[pipe].substr(0, at);
      const std::size_t space = line.find(' ');
      counts[line.substr(space + 1)] += std::stoull(line.substr(0, space));
    }
    return true;
  }
  std::string summary() {
    return std::to_string(counts["programs"]) + " programs, " + std::to_string(counts["cases"]) + " cases, " +
           std::to_string(counts["failures"]) + " failed";
  }

  Counts counts;

private:
  std::map<int, std::string> pending_;
};

} // namespace

void Campaign::prepare() {
  if (minutes <= 0 && cases == 0 && programs == 0)
    minutes = 30;
  if (jobs <= 0)
    jobs = std::max(1u, std::thread::hardware_concurrency());
  if (directory.empty())
    directory = (std::filesystem::temp_directory_path() / ("hetc-fuzz-" + std::to_string(getpid()))).string();
  std::filesystem::create_directories(directory);
  directory = std::filesystem::canonical(directory).string();
  std::filesystem::copy_file(std::filesystem::path(TLA_FUZZ_DIR) / "kernels.hpp",
                             std::filesystem::path(directory) / "kernels.hpp",
                             std::filesystem::copy_options::overwrite_existing);
}

bool Campaign::run() {
  prepare();
  start_ = Clock::now();
  std::vector<pollfd> pipes;
  for (int job = 0; job < jobs; ++job) {
    int ends[2];
    if (pipe(ends) != 0)
      throw std::runtime_error("no pipe");
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      work(job, ends[1]);
      _exit(0);
    }
    close(ends[1]);
    pipes.push_back({ends[0], POLLIN, 0});
  }
  Totals totals;
  for (auto shown = Clock::now(); !pipes.empty();) {
    poll(pipes.data(), pipes.size(), 1000);
    std::erase_if(pipes, [&](const pollfd &pipe) { return pipe.revents && !totals.read(pipe.fd); });
    if (secondsSince(shown) > 10) {
      shown = Clock::now();
      std::cerr << totals.summary() << ", " << clockText(secondsSince(start_)) << std::endl;
    }
  }
  while (wait(nullptr) > 0)
    ;
  for (const auto &[what, count] : totals.counts)
    std::cout << "  " << what << ": " << count << "\n";
  std::cout << totals.summary() << " in " << clockText(secondsSince(start_)) << ", seed " << seed << "\n";
  if (totals.counts["failures"] == 0)
    std::filesystem::remove_all(directory);
  else
    std::cout << "programs that failed are in " << directory << "\n";
  return totals.counts["failures"] == 0 && (onlyPrint || totals.counts["cases"] > 0);
}

bool Campaign::over(const Counts &counts) const {
  const auto done = [&](const char *what) {
    const auto found = counts.find(what);
    return found == counts.end() ? 0 : found->second * static_cast<std::uint64_t>(jobs);
  };
  return (minutes > 0 && secondsSince(start_) > 60 * minutes) || (cases > 0 && done("cases") >= cases) ||
         (programs > 0 && done("programs") >= programs);
}

void Campaign::work(int first, int pipe) {
  Counts sum;
  for (std::uint64_t number = seed + static_cast<std::uint64_t>(first); !over(sum);
       number += static_cast<std::uint64_t>(jobs)) {
    Counts counts;
    runProgram(number, counts);
    std::string text;
    for (const auto &[what, count] : counts)
      text += std::to_string(count) + " " + what + "\n";
    if (write(pipe, text.data(), text.size()) < 0)
      return;
    add(sum, counts);
  }
}

static bool isRefused(const Tally &tally) { return tally.misfits || tally.unwritten || tally.overflows; }

void Campaign::runProgram(std::uint64_t number, Counts &counts) {
  Random widening(number ^ 0x71de);
  const bool isWidened = widening.chance(wide);
  Program program =
      ProgramMaker(number, isWidened ? 0 : misfits, isWidened ? 0 : unwritten).make("p" + std::to_string(number));
  if (isWidened)
    widen(program, widening);
  Random random(number + 0x5eed);
  TrialPlan plan = drawPlan(program, bounds, directory, random);
  drawFaults(plan, bounds, random);
  const std::string file = fileOf(program, directory);
  if (plan.cases.empty()) {
    ++counts["programs that are right at no size"];
    return;
  }
  if (onlyPrint) {
    ++counts["programs"];
    std::string text = print(program);
    for (const Case &one : plan.cases)
      text += "// " + commandLine(file, plan, one) + "\n";
    std::cout << text << std::endl;
    return;
  }
  countFeatures(program, counts);
  countFeatures(plan, counts);
  Trial trial = tryProgram(program, plan, directory, {});
  add(counts, trial.counts);
  ++counts["programs"];
  counts["cases"] += trial.failure ? static_cast<std::uint64_t>(std::max(0, trial.failedCase)) + 1 : plan.cases.size();
  if (!trial.failure && !trial.rejected && mpiEvery > 0 && !isWide(program) &&
      number % static_cast<std::uint64_t>(mpiEvery) == 0) {
    const auto several = std::find_if(plan.cases.begin(), plan.cases.end(), [&](const Case &one) {
      return one.ranks > 1 && one.ranks <= 4 && one.devices.find("mem=") == std::string::npos &&
             !isRefused(interpret(program, one.sizes));
    });
    if (several != plan.cases.end())
      if (const auto failure =
              launch(program, plan, *several, directory, random.chance(bounds.faults) ? &random : nullptr, counts)) {
        ++counts["failures"];
        std::cout << "FAILED: program " << number << " under mpirun: " << failure->kind << ": " << failure->detail
                  << "\n  " << commandLine(file, plan, *several) << std::endl;
        return;
      }
  }
  if (trial.failure)
    report(program, plan, trial, counts);
  else
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      if (entry.path().filename().string().rfind(program.name + ".", 0) == 0 ||
          entry.path().filename().string().rfind(program.name + "-", 0) == 0)
        std::filesystem::remove(entry.path());
}

void Campaign::report(Program program, TrialPlan plan, const Trial &trial, Counts &counts) {
  ++counts["failures"];
  const Failure &failure = *trial.failure;
  const bool compiled = trial.failedCase >= 0;
  const int variant = compiled ? plan.cases[trial.failedCase].variant : -1 - trial.failedCase;
  plan.cases = compiled ? std::vector<Case>{plan.cases[trial.failedCase]} : std::vector<Case>();
  plan.variants = {plan.variants[variant]};
  Case one = compiled ? plan.cases[0] : Case{};
  one.variant = 0;
  one.sizes.nb = compiled ? one.sizes.nb : 4;
  plan.cases = {one};
  std::ostringstream text;
  text << "FAILED: program " << program.name.substr(1) << ": " << failure.kind << ": " << failure.detail << "\n";
  if (++seen_[failure.kind] <= 2 && shrinkSeconds > 0) {
    std::cout << text.str() << "  making it smaller" << std::endl;
    std::ofstream(directory + "/" + program.name + ".whole.tla") << print(program);
    Shrinker shrinker(directory, shrinkSeconds);
    shrinker.shrink(program, plan, failure);
    text << "  smallest after " << shrinker.trials() << " trials:\n" << print(program);
  } else
    text << "  another of its kind: not made smaller\n";
  plan.suit(program);
  text << "  " << commandLine(fileOf(program, directory), plan, plan.cases[0]) << "\n";
  std::ofstream(fileOf(program, directory) + ".txt") << text.str();
  std::cout << text.str() << std::flush;
}

} // namespace fuzz
