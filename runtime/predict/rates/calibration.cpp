#include "runtime/predict/rates/calibration.hpp"

#include "dsl/base/processor.hpp"
#include "dsl/base/thread.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/machine/machine_profile.hpp"
#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/rate_probes.hpp"

#include <tla/kernels/traits.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>

namespace tla::host {
namespace {
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// measure(core) of all cores at the same time; throws what the first of them to fail has thrown.
template <typename Result, typename Measure> std::vector<Result> onAllCores(int cores, Measure &&measure) {
  std::vector<Result> results(cores);
  std::vector<std::exception_ptr> failures(cores);
  const auto run = [&](int core) {
    try {
      results[core] = measure(core);
    } catch (...) {
      failures[core] = std::current_exception();
    }
  };
  {
    std::vector<Thread> threads;
    for (int core = 1; core < cores; ++core)
      threads.emplace_back([&run, core] { run(core); });
    run(0);
  }
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
  return results;
}

/// The mean over the cores, of sizes that all of them have got to.
runtime::SecondsTable meanOf(const std::vector<UnitRates> &cores, runtime::SecondsTable UnitRates::*table) {
  runtime::SecondsTable mean = cores.front().*table;
  for (auto &[kernel, sizes] : mean)
    for (auto size = sizes.begin(); size != sizes.end();) {
      double sum = 0;
      bool everywhere = true;
      for (const UnitRates &core : cores) {
        const auto found = (core.*table).find(kernel);
        everywhere &= found != (core.*table).end() && found->second.contains(size->first);
        sum += everywhere ? found->second.at(size->first) : 0;
      }
      size->second = sum / static_cast<double>(cores.size());
      size = everywhere ? std::next(size) : sizes.erase(size);
    }
  std::erase_if(mean, [](const auto &kernel) { return kernel.second.empty(); });
  return mean;
}

/// Bytes per second of a copy that is no cache's.
double copyRate() {
  constexpr std::size_t bytes = std::size_t(64) << 20;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  double least = HUGE_VAL;
  for (int round = 0; round < 4; ++round) {
    const Clock::time_point begin = Clock::now();
    std::memcpy(to.data(), from.data(), bytes);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
    from[round] = to[bytes - 1 - round];
  }
  return static_cast<double>(bytes) / least;
}

Json secondsObject(const runtime::SecondsTable &seconds) {
  Json object = Json::object();
  for (const auto &[kernel, sizes] : seconds)
    for (const auto &[nb, time] : sizes)
      object[kernel][std::to_string(nb)] = time;
  return object;
}

/// As a profile has it.
Json noiseObject(const runtime::NoiseFigures &figures) {
  constexpr double milli = 1e-3;
  Json object = Json::object();
  if (figures.spread > 0)
    object["spread"] = figures.spread;
  if (figures.slowBy > 0) {
    object["slowBy"] = figures.slowBy;
    object["slowSeconds"] = figures.slowSeconds;
    object["slowEverySeconds"] = figures.slowEvery;
  }
  if (figures.mostStop > 0) {
    object["leastStopMs"] = figures.leastStop / milli;
    object["mostStopMs"] = figures.mostStop / milli;
    object["stopEverySeconds"] = figures.stopEvery;
  }
  return object;
}

} // namespace

std::string calibratedProfile(const CalibrationRequest &request) {
  constexpr double giga = 1e-9, latencyUs = 1; // of a message in memory
  const auto taskOf = [&](int core, double seconds) {
    return RateTask{.type = request.type,
                    .kernels = probedKernels(request.type),
                    .asInARun = true,
                    .nb = request.nb,
                    .seconds = seconds,
                    .checkpoint = core == 0 ? request.checkpoint : std::function<void()>()};
  };
  const auto rates = onAllCores<UnitRates>(request.cores, [&](int core) {
    UnitRates own = measureCore(taskOf(core, request.seconds));
    measureCorePanels(taskOf(core, request.seconds), own);
    return own;
  });
  const auto measured = meanOf(rates, &UnitRates::seconds);
  std::vector<std::vector<TimedKernel>> watched;
  if (request.watch > 0) {
    constexpr double longest = 3e-4; // seconds of a kernel that shows when it was stopped
    int nb = measured.at(kernels::productKernel).begin()->first;
    for (const auto &[size, seconds] : measured.at(kernels::productKernel))
      nb = seconds < longest ? size : nb;
    watched = onAllCores<std::vector<TimedKernel>>(request.cores, [&, begin = Clock::now()](int core) {
      RateTask task = taskOf(core, request.watch);
      task.kernels = {kernels::productKernel};
      task.nb = nb;
      return watchCore(task, begin);
    });
  }
  const std::vector<double> copies = onAllCores<double>(request.cores, [](int) { return copyRate(); });
  const double copied = *std::min_element(copies.begin(), copies.end()) * giga;
  const auto [nb, largest] = *measured.at(kernels::productKernel).rbegin();
  const double flops = 2 * flopFactor(request.type) * std::pow(nb, 3);
  const std::string type(1, static_cast<char>(request.type)), processor = processorModel();
  Json profile;
  profile["name"] = "this-machine";
  profile["description"] = std::to_string(request.cores) + " cores of " + processor;
  profile["sources"] =
      Json::array({"measured by hetc sim --calibrate, all cores at once; kernels: " + request.hostKernels});
  Json &host = profile["host"];
  host["model"] = processor;
  host["cores"] = request.cores;
  host["gflops"][type] = giga * flops / largest;
  host["halfSize"] = 10;
  host["bandwidthGBs"] = 2 * copied;
  host["kernels"]["other"]["efficiency"] = 0.7;
  host["seconds"][type] = secondsObject(measured);
  host["panelSeconds"][type] = secondsObject(meanOf(rates, &UnitRates::tall));
  profile["network"] = Json{{"model", "memory of one machine"}, {"portGBs", copied}, {"latencyUs", latencyUs}};
  if (request.watch > 0)
    profile["noise"] = noiseObject(noiseOf(watched));
  return profile.dump(1) + "\n";
}

} // namespace tla::host
