#include "tests/fuzz/doomed.hpp"

#include "tests/fuzz/child.hpp"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include <unistd.h>

namespace fuzz {

namespace {

using Clock = std::chrono::steady_clock;
using Run = std::function<std::optional<Failure>(Network &)>;

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In the process that ends with it. Lives as long as that: threads that never come back use it.
class Doomed {
public:
  Doomed(const Case &one, std::string log) : case_(one), log_(std::move(log)) {}

  std::optional<Failure> run(const tla::runtime::Cost &cost, const Run &run, Counts &counts) {
    network_ = makeNetwork(case_, cost, [this](int rank, int exitCode) { onAbort(rank, exitCode); });
    const auto begin = Clock::now();
    std::thread([this, &run] { returned(run(*network_)); }).detach();
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return aborted_ || returned_; });
    if (!aborted_)
      return judgeReturn(counts);
    ++counts["cases ended by the watchdog"];
    return judgeEnd(std::chrono::duration<double>(Clock::now() - begin).count());
  }

private:
  /// Does not return, as what ends the processes does not.
  [[noreturn]] void onAbort(int rank, int exitCode) {
    {
      const std::lock_guard hold(lock_);
      if (!aborted_) {
        aborted_ = true;
        rank_ = rank;
        exitCode_ = exitCode;
      }
      changed_.notify_one();
    }
    for (;;)
      std::this_thread::sleep_for(std::chrono::hours(1));
  }

  void returned(std::optional<Failure> failure) {
    const std::lock_guard hold(lock_);
    failure_ = std::move(failure);
    returned_ = true;
    changed_.notify_one();
  }

  std::optional<Failure> judgeReturn(Counts &counts) {
    if (network_->struck())
      return Failure{"runs end without a rank", faultText(case_.fault)};
    ++counts["cases without a message at which a rank may fall silent"];
    return failure_;
  }

  std::optional<Failure> judgeEnd(double seconds) const {
    const Fault &fault = case_.fault;
    const std::string text = contentOf(log_);
    if (!network_->struck())
      return Failure{"ended although no rank is silent", text};
    if (exitCode_ != 4)
      return Failure{"ended with another exit code", std::to_string(exitCode_) + ": " + text};
    const int witness = (network_->victim() + case_.ranks - 1) % case_.ranks;
    const std::string words =
        "hetc: rank " + std::to_string(witness) + ": rank " + std::to_string(network_->victim()) + " has not ";
    if (rank_ != witness || text.find(words) == std::string::npos)
      return Failure{"the silent rank is not named", faultText(case_.fault) + ": " + text};
    if (seconds > fault.watchdogSeconds + 10 + machineSeconds)
      return Failure{"ended late", "after " + std::to_string(seconds) + " s: " + text};
    return std::nullopt;
  }
  static constexpr double machineSeconds = 5; ///< for the run before the fault, on a busy machine

  const Case &case_;
  const std::string log_;
  std::unique_ptr<Network> network_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool aborted_ = false, returned_ = false;
  int rank_ = 0, exitCode_ = 0;
  std::optional<Failure> failure_;
};

} // namespace

std::optional<Failure> runDoomed(const Case &one, const tla::runtime::Cost &cost, const Run &run, Counts &counts) {
  const std::string log =
      (std::filesystem::temp_directory_path() / ("hetc-doomed-" + std::to_string(getpid()) + ".log")).string();
  const auto work = [&](const Step &step, Counts &more, int &) {
    step("run");
    return (new Doomed(one, log))->run(cost, run, more); // never freed: see there
  };
  const Trial trial = runInChild(work, log, {.stepSeconds = 22});
  std::filesystem::remove(log);
  for (const auto &[what, count] : trial.counts)
    counts[what] += count;
  return trial.failure;
}

} // namespace fuzz
