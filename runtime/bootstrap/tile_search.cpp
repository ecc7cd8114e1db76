#include "runtime/bootstrap/tile_search.hpp"

#include "runtime/bootstrap/blas_pin.hpp"
#include "runtime/bootstrap/element_type.hpp"
#include "runtime/bootstrap/kernel_times.hpp"
#include "runtime/bootstrap/parallel.hpp"
#include "runtime/bootstrap/text.hpp"
#include "runtime/bootstrap/tile_size.hpp"

#include <tla/runtime/simulation.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>

namespace tla::bootstrap {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int sampleTiles = 3;          // per side of the problem that kernels are timed on
constexpr long smallestSearch = 400;    // below, the whole problem takes less than a search
constexpr int step = 8;                 // tiles begin and end on cache lines
constexpr std::size_t pageBytes = 4096; // columns this far apart fall into the same cache sets: some 10% slower
constexpr double share = 0.25;          // of the problem's own time that a search may take, once

std::vector<Extent> extentsOf(const Problem &problem) {
  std::vector<Extent> extents;
  for (const ProblemMatrix &matrix : problem.matrices)
    extents.push_back(matrix.extent);
  return extents;
}

long largestSide(const std::vector<Extent> &extents) {
  long side = 0;
  for (const Extent &extent : extents)
    side = std::max({side, extent.rows, extent.columns});
  return side;
}

/// Tile sizes that cut `side` into equal parts, the most promising first: as many parts as `guess` says, then one more,
/// one less, two more, ...
std::vector<int> candidates(long side, int guess, std::size_t elementBytes) {
  const long parts = std::max(1L, std::lround(static_cast<double>(side) / guess));
  std::vector<int> sizes;
  for (const int change : {0, 1, -1, 2, -2, 4, 6}) {
    const long count = parts + change;
    if (count < 1)
      continue;
    const long exact = (side + count - 1) / count;
    int nb = static_cast<int>((exact + step - 1) / step * step);
    if (nb * elementBytes % pageBytes == 0)
      nb += step;
    if (std::find(sizes.begin(), sizes.end(), nb) == sizes.end())
      sizes.push_back(nb);
  }
  return sizes;
}

/// The same algorithm on a few tiles of generated data, with every size cut down.
std::unique_ptr<Problem> sampleProblem(const Problem &problem, const Settings &settings, int nb) {
  Settings sample = settings;
  const std::string used = problem.algorithm->sizes;
  const auto cut = [&](char name, long size) {
    return used.find(name) == std::string::npos ? std::optional<long>()
                                                : std::min(size, static_cast<long>(sampleTiles) * nb);
  };
  sample.m = cut('m', problem.values.m);
  sample.n = cut('n', problem.values.n);
  sample.k = cut('k', problem.values.k);
  sample.inputs.clear();
  sample.generators.clear();
  auto result = describeProblem(*problem.algorithm, sample);
  result->nb = nb;
  makeSources(*result, sample);
  allocateMatrices(*result);
  return result;
}

runtime::Arguments argumentsOf(const Problem &problem, std::vector<Storage *> &pointers) {
  for (const ProblemMatrix &matrix : problem.matrices)
    pointers.push_back(&**matrix.storage);
  return {pointers.data(), problem.scalars.data()};
}

/// Empty when the sample did not finish.
KernelTimes timeKernels(const Problem &problem, const Settings &settings, runtime::Executor &executor, int nb) {
  KernelTimes times;
  for (int run = 0; run < (nb < 256 ? 3 : 1); ++run) {
    const auto sample = sampleProblem(problem, settings, nb);
    fillMatrices(*sample, executor);
    std::vector<Storage *> pointers;
    const runtime::Outcome outcome = executor.run(*problem.algorithm, argumentsOf(*sample, pointers));
    if (outcome.kind == runtime::Outcome::Kind::Interrupted)
      throw Interrupted{};
    if (outcome.kind != runtime::Outcome::Kind::Finished)
      return {};
    for (const runtime::ClassStatistics &statistics : outcome.statistics.classes)
      times.add(statistics);
  }
  return times;
}

/// The whole problem's tasks, or nothing when there are too many or the program cannot be recorded.
std::optional<runtime::TaskGraph> recordProblem(const Problem &problem, int nb) {
  std::vector<StorageRef> storages;
  std::vector<Storage *> pointers;
  for (const ProblemMatrix &matrix : problem.matrices) {
    storages.emplace_back(new Storage(static_cast<int>(matrix.extent.rows), static_cast<int>(matrix.extent.columns), nb,
                                      nb, elementBytes(matrix.parameter->type), matrix.parameter->shape));
    pointers.push_back(&*storages.back());
  }
  try {
    return runtime::recordTasks(*problem.algorithm, {pointers.data(), problem.scalars.data()});
  } catch (const Error &) {
    return std::nullopt;
  }
}

double predict(const runtime::TaskGraph &graph, const KernelTimes &times, int workers) {
  std::vector<double> seconds;
  for (const runtime::TaskClass *taskClass : graph.classes)
    seconds.push_back(times.secondsOf(*taskClass));
  return runtime::simulate(graph, seconds, workers);
}

/// The best of `sizes`, or 0 when nothing can be predicted.
int bestOf(const std::vector<int> &sizes, const Problem &problem, const Settings &settings, int workers,
           Supervisor &supervisor) {
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  runtime::Options single;
  single.threads = 1;
  runtime::Executor executor(single);
  const Supervisor::Side side(supervisor, executor);
  int best = 0;
  double least = INFINITY;
  for (const int nb : sizes) {
    supervisor.checkpoint();
    const auto graph = recordProblem(problem, nb);
    if (!graph)
      continue;
    supervisor.checkpoint();
    const KernelTimes times = timeKernels(problem, settings, executor, nb);
    if (times.empty())
      break;
    supervisor.checkpoint();
    const double predicted = predict(*graph, times, workers);
    if (predicted < least) {
      least = predicted;
      best = nb;
    }
    if (elapsed() > share * least)
      break;
  }
  return best;
}

/// tiles.json: what was found before. A file that cannot be read or written only costs a search.
class Memory {
public:
  explicit Memory(std::string key) : key_(std::move(key)), path_(directory() / "tiles.json") {
    std::ifstream in(path_);
    content_ = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (!content_.is_object() || content_["version"] != 1 || !content_["tiles"].is_object())
      content_ = {{"version", 1}, {"tiles", nlohmann::json::object()}};
  }

  int find() const {
    const auto &tiles = content_["tiles"];
    return tiles.contains(key_) && tiles[key_].is_number_integer() ? tiles[key_].get<int>() : 0;
  }

  void remember(int nb) {
    content_["tiles"][key_] = nb;
    std::error_code error;
    std::filesystem::create_directories(path_.parent_path(), error);
    const std::string partial = path_.string() + "." + std::to_string(getpid());
    if (std::ofstream(partial) << content_.dump(1) << "\n")
      std::filesystem::rename(partial, path_, error);
    std::filesystem::remove(partial, error);
  }

private:
  static std::filesystem::path directory() {
    for (const auto &[variable, below] :
         {std::pair{"HETC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "hetc"}, {"HOME", ".cache/hetc"}})
      if (const char *value = std::getenv(variable); value && *value)
        return std::filesystem::path(value) / below;
    return std::filesystem::temp_directory_path() / "hetc";
  }

  std::string key_;
  std::filesystem::path path_;
  nlohmann::json content_;
};

/// "Intel(R) Xeon(R) ...", where the system says; else what vectors the processor has.
std::string processorName() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return format("vector level %d", static_cast<int>(cpuVectorLevel()));
}

} // namespace

std::string tileSearchKey(const Problem &problem, int workers, const std::string &kernels) {
  const runtime::Algorithm &algorithm = *problem.algorithm;
  std::string key = format("%s %s %c", algorithm.source, algorithm.name, static_cast<char>(algorithm.type));
  for (const Extent &extent : extentsOf(problem))
    key += format(" %ldx%ld", extent.rows, extent.columns);
  for (int i = 0; i < algorithm.scalarCount; ++i) {
    const runtime::ScalarValue &value = problem.scalars[i];
    key += format(" %s=%ld", algorithm.scalars[i].name, value.integer) + "," +
           formatNumber(std::complex<double>(value.real, value.imag));
  }
  key += format(", %d threads, %s", workers, kernels.c_str());
  if (const char *pinned = std::getenv("OPENBLAS_CORETYPE"))
    key += std::string(" as ") + pinned;
  return key + ", " + processorName();
}

TileChoice searchTileSize(const Problem &problem, const Settings &settings, int workers, const std::string &kernels,
                          Supervisor &supervisor) {
  const auto begin = Clock::now();
  const std::vector<Extent> extents = extentsOf(problem);
  const int guess = chooseTileSize(*problem.algorithm, extents, workers);
  const long side = largestSide(extents);
  if (side < smallestSearch)
    return {guess, false, 0};
  int best = 0;
  try { // whatever goes wrong here goes wrong, with a message, in the run itself, or does not matter
    Memory memory(tileSearchKey(problem, workers, kernels));
    if (const int known = memory.find(); known > 0)
      return {known, false, 0};
    best = bestOf(candidates(side, guess, elementBytes(problem.matrices[0].parameter->type)), problem, settings,
                  workers, supervisor);
    if (best)
      memory.remember(best);
  } catch (const Interrupted &) {
    throw;
  } catch (...) {
  }
  return {best ? best : guess, true, std::chrono::duration<double>(Clock::now() - begin).count()};
}

} // namespace tla::bootstrap
