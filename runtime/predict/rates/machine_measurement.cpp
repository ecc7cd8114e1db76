#include "runtime/predict/rates/machine_measurement.hpp"

#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "dsl/base/thread.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/stop_watch.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <set>

#include <sched.h>

namespace tla::host {
namespace {

constexpr ElementType types[] = {ElementType::S, ElementType::D, ElementType::C, ElementType::Z};
constexpr int rounds = 7;         // of copies; the least time counts
constexpr double timesCaches = 4; // copied memory, in caches
constexpr std::size_t leastArray = 16u << 20, mostMemory = std::size_t(1) << 30;
constexpr std::size_t line = 64; // bytes
constexpr int reads = 200'000;

/// work(thread) on so many threads at once, which may wait for each other: so none begins before all have started.
/// Throws std::system_error where they cannot.
template <typename Work> void together(int threads, Work work) {
  enum Gate { Closed, Open, GivenUp };
  std::atomic<Gate> gate = Closed;
  const auto set = [&gate](Gate now) {
    gate = now;
    gate.notify_all();
  };
  std::vector<Thread> others;
  try {
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back([&work, &gate, thread] {
        gate.wait(Closed);
        if (gate == Open)
          work(thread);
      });
  } catch (...) {
    set(GivenUp);
    throw;
  }
  set(Open);
  work(0);
}

/// The rate of gemm on the largest tiles that were measured.
double gemmRate(const UnitRates &rates, ElementType type) {
  const auto found = rates.seconds.find(kernels::productKernel);
  if (found == rates.seconds.end() || found->second.empty())
    return 0;
  const auto [nb, seconds] = *found->second.rbegin();
  return 2 * flopFactor(type) * std::pow(nb, 3) / seconds;
}

double ratesOfAll(int threads, ElementType type) {
  std::vector<double> rates(threads);
  together(threads, [&](int thread) {
    rates[thread] = gemmRate(measureCore({.type = type, .kernels = {kernels::productKernel}}), type);
  });
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

std::string lineOf(const std::filesystem::path &file) {
  std::string text;
  FileReader in(file);
  std::getline(in, text);
  return text;
}

/// "512K", "32M"
double bytesOf(const std::string &size) {
  const double number = static_cast<double>(parseInteger(size.substr(0, size.find_first_of("KM"))).value_or(0));
  return number * (size.ends_with('M') ? 1 << 20 : size.ends_with('K') ? 1 << 10 : 1);
}

/// The bytes of the data caches that the cores of this process have; caches of several cores count once.
double cacheBytes() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::set<std::string> seen;
  double sum = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    const std::filesystem::path caches = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache";
    for (int index = 0; CPU_ISSET(cpu, &set) && std::filesystem::exists(caches / ("index" + std::to_string(index)));
         ++index) {
      const std::filesystem::path cache = caches / ("index" + std::to_string(index));
      if (lineOf(cache / "type") != "Instruction" &&
          seen.insert(lineOf(cache / "level") + ":" + lineOf(cache / "shared_cpu_list")).second)
        sum += bytesOf(lineOf(cache / "size"));
    }
  }
  return sum;
}

/// Bytes per second, read and written.
double copyBandwidth(int threads, std::size_t arrayBytes) {
  std::vector<double> least(rounds, 0);
  std::barrier start(threads);
  std::vector<std::vector<double>> seconds(threads, std::vector<double>(rounds));
  together(threads, [&](int thread) {
    std::vector<char> from(arrayBytes, 1), to(arrayBytes, 2);
    for (int round = 0; round < rounds; ++round) {
      start.arrive_and_wait();
      const Clock::time_point begin = Clock::now();
      std::memcpy(to.data(), from.data(), arrayBytes);
      seconds[thread][round] = secondsSince(begin);
      from[round] = to[arrayBytes - 1]; // what was copied is wanted
    }
  });
  for (int round = 0; round < rounds; ++round)
    for (const std::vector<double> &each : seconds)
      least[round] = std::max(least[round], each[round]);
  return 2.0 * double(arrayBytes) * threads / *std::min_element(least.begin(), least.end());
}

/// Seconds of a read whose address the one before has read.
double readLatency(std::size_t arrayBytes) {
  const std::size_t count = arrayBytes / line, step = line / sizeof(std::size_t);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  std::vector<std::size_t> next(count * step);
  for (std::size_t i = 0; i < count; ++i)
    next[order[i] * step] = order[(i + 1) % count] * step;
  std::size_t at = order[0] * step;
  const Clock::time_point begin = Clock::now();
  for (int read = 0; read < reads; ++read)
    at = next[at];
  const double seconds = secondsSince(begin) / reads;
  return at == next.size() ? 0 : seconds; // never equal: where it ended is wanted
}

} // namespace

ComputeElement measureCores(int threads) {
  ComputeElement cores;
  cores.name = "cores";
  cores.memory = cacheBytes();
  if (cores.memory <= 0)
    throw Error("the caches of this machine are not known: /sys/devices/system/cpu has none");
  for (const ElementType type : types)
    if (const double rate = ratesOfAll(threads, type); rate > 0)
      cores.rates[static_cast<char>(type)] = rate;
  const auto wanted = static_cast<std::size_t>(timesCaches * cores.memory / (2 * threads));
  const std::size_t array =
      std::min(std::max(wanted, leastArray), mostMemory / (2 * static_cast<std::size_t>(threads)));
  cores.bandwidth = copyBandwidth(threads, array);
  cores.latency = readLatency(std::min(mostMemory / 4, static_cast<std::size_t>(timesCaches * cores.memory)));
  return cores;
}

ComputeElement deviceElement(const std::string &name, double memoryBytes, const std::map<char, UnitRates> &rates) {
  ComputeElement device;
  device.name = name;
  device.memory = memoryBytes;
  for (const auto &[type, unit] : rates) {
    if (const double rate = gemmRate(unit, static_cast<ElementType>(type)); rate > 0)
      device.rates[type] = rate;
    device.bandwidth = std::max(device.bandwidth, 2 * unit.bandwidth);
    if (unit.latency > 0)
      device.latency = device.latency > 0 ? std::min(device.latency, unit.latency) : unit.latency;
  }
  if (device.rates.empty() || device.bandwidth <= 0 || device.latency <= 0)
    throw Error(name + ": its rate of gemm or its copies could not be measured");
  return device;
}

} // namespace tla::host
