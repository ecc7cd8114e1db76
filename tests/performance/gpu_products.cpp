// Products of our own on a CUDA device against cuBLAS: a search among the candidates of a space, as hetc tune makes it,
// without hetc's compiler, so that it runs where tools/bundle has been unpacked.
//
//   gpu_products SPACE [--seconds S] [--size N] [--op-b n|t] [--device D] [--seed X]
//
// Candidates are compiled by NVRTC in as many processes as there are cores, and timed one after the other in another
// one, since a driver that was used does not survive fork(). A generation is random candidates at first, then the
// neighbours of the best. Prints a JSON object a line: what the search came to, and then, of the three best, {"bench",
// "candidate", "n", "gflops", "peer", "peer_gflops", "ratio"} over several sizes; exits with 1 when the best of them is
// wrong.
#include "kernels/tuning/cuda/device.hpp"
#include "kernels/tuning/cuda/nvrtc.hpp"
#include "tools/tuner/candidates.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace hetc::tuning;

namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::string space;
  double seconds = 60;
  int size = 6144, device = 0;
  unsigned seed = 7;
  char opB = 'n';
};

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The part of a std::variant that is no mistake; the mistake ends the program.
template <typename T, typename Variant> T valueOr(Variant &&variant, const char *what) {
  if (T *const value = std::get_if<T>(&variant))
    return std::move(*value);
  throw cuda::Error(what);
}

class Search {
public:
  explicit Search(const Settings &settings)
      : settings_(settings), variant_{.type = 'd', .opA = 'n', .opB = settings.opB}, plan_(planOf()),
        candidates_(namesOf(plan_), pointsOf(plan_)), random_(settings.seed),
        folder_(std::filesystem::temp_directory_path() / ("gpu_products." + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  Search(const Search &) = delete;
  Search &operator=(const Search &) = delete;
  ~Search() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// Says why it cannot begin.
  bool hasDevice() const {
    return inChild([this] {
             const std::string there = cuda::factsOf(settings_.device).architecture;
             if (there != architecture)
               throw cuda::Error(std::string("this searches for ") + architecture + ", and the device is " + there);
             return 0;
           }) == 0;
  }

  void run() {
    for (std::vector<int> generation = firstOnes(); !generation.empty() && secondsLeft() > 0;
         generation = neighboursOfBest()) {
      compile(generation);
      measure(generation);
    }
    std::printf("{\"bench\": \"search\", \"candidates\": %d, \"tried\": %zu, \"measured\": %zu, \"seconds\": %.1f}\n",
                candidates_.size(), tried_.size(), rates_.size(), seconds());
    std::fflush(stdout);
  }

  /// Whether the best is right.
  bool report() {
    return inChild([&] {
             bool isRight = false;
             const std::vector<int> list = best(3);
             for (const int candidate : list) {
               const std::string wrong =
                   cuda::GemmOnDevice(settings_.device, cubinOf(candidate), {512, 512, 512, 1}).verify();
               if (!wrong.empty())
                 std::fprintf(stderr, "gpu_products: %s: %s\n", candidates_.text(candidate).c_str(), wrong.c_str());
               isRight |= wrong.empty() && candidate == list.front();
               for (const cuda::Problem &problem : {cuda::Problem{512, 512, 512, 8},
                                                    {1024, 1024, 1024, 8},
                                                    {2048, 2048, 2048, 2},
                                                    {8192, 8192, 8192, 1},
                                                    {16384, 16384, 16384, 1}})
                 compare(candidate, problem);
             }
             return isRight ? 0 : 1;
           }) == 0;
  }

private:
  static constexpr const char *architecture = "sm_90";
  static constexpr int first = 90, most = 75; ///< candidates of a generation

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double secondsLeft() const { return settings_.seconds - seconds(); }

  EnumerationPlan planOf() const {
    Space space = valueOr<Space>(parseSpace(contentOf(settings_.space)), "the space cannot be read");
    cuda::setParameters(space, variant_, architecture);
    return valueOr<EnumerationPlan>(plan(std::move(space)), "the space has no nest");
  }
  static std::vector<std::string> namesOf(const EnumerationPlan &plan) {
    std::vector<std::string> names;
    for (const auto &loop : plan.loops)
      names.push_back(plan.space.symbols[loop.iterator].name);
    return names;
  }
  static std::vector<Point> pointsOf(const EnumerationPlan &plan) {
    return valueOr<Enumeration>(enumerate(plan, {.workers = 1, .collectPoints = true}),
                                "the space cannot be enumerated")
        .points;
  }

  std::int64_t valueOf(int candidate, const char *name) const {
    const auto &names = candidates_.names();
    return candidates_[candidate][std::find(names.begin(), names.end(), name) - names.begin()];
  }
  /// Whether a candidate may keep a large device busy: most of a space is small blocks.
  bool isPromising(int candidate) const {
    const std::int64_t elements = valueOf(candidate, "blk_m") * valueOf(candidate, "blk_n"),
                       warps = valueOf(candidate, "warps_m") * valueOf(candidate, "warps_n");
    return elements >= 64 * 128 && elements <= 128 * 192 && warps >= 4 && valueOf(candidate, "mma_m") == 16;
  }
  /// The space's default and random ones.
  std::vector<int> firstOnes() {
    std::vector<int> list;
    for (int i = 0; i < candidates_.size(); ++i)
      if (isPromising(i))
        list.push_back(i);
    std::shuffle(list.begin(), list.end(), random_);
    if (const auto point = defaultPoint(plan_))
      if (const int usual = candidates_.find(*point); usual >= 0) {
        std::erase(list, usual);
        list.insert(list.begin(), usual);
      }
    list.resize(std::min<std::size_t>(list.size(), first));
    tried_.insert(list.begin(), list.end());
    return list;
  }
  std::vector<int> neighboursOfBest() {
    std::vector<int> list;
    for (const int candidate : best(6))
      for (const int neighbour : candidates_.neighbours(candidate))
        if (static_cast<int>(list.size()) < most && tried_.insert(neighbour).second)
          list.push_back(neighbour);
    return list;
  }
  std::vector<int> best(std::size_t count) const {
    std::vector<std::pair<double, int>> order;
    for (const auto &[candidate, rate] : rates_)
      order.emplace_back(-rate, candidate);
    std::sort(order.begin(), order.end());
    std::vector<int> list;
    for (const auto &[rate, candidate] : order)
      if (list.size() < count && rate < 0)
        list.push_back(candidate);
    return list;
  }

  /// Runs act() in a process of its own; its exit code, or -1.
  template <typename Act> static int inChild(Act &&act) { return waitFor(start(act)); }
  template <typename Act> static pid_t start(Act &&act) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child != 0)
      return child;
    int code = 1;
    try {
      code = act();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "gpu_products: %s\n", error.what());
    }
    std::fflush(nullptr);
    _exit(code);
  }
  static int waitFor(pid_t child) {
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::filesystem::path fileOf(int candidate) const { return folder_ / std::to_string(candidate); }
  std::string cubinOf(int candidate) const { return contentOf(fileOf(candidate)); }

  void compile(const std::vector<int> &generation) const {
    const int workers = std::max(1u, std::thread::hardware_concurrency());
    std::vector<pid_t> children;
    for (int worker = 0; worker < workers; ++worker)
      children.push_back(start([&] {
        const cuda::NvrtcCompiler compiler;
        for (std::size_t i = worker; i < generation.size(); i += workers) {
          cuda::Constants constants;
          for (std::size_t k = 0; k < candidates_.names().size(); ++k)
            constants.emplace_back(candidates_.names()[k], candidates_[generation[i]][k]);
          const auto made = compiler.compile(cuda::sourceOf(cuda::templateFor(constants), constants, variant_),
                                             cuda::headers(), architecture);
          if (const auto *cubin = std::get_if<cuda::Cubin>(&made))
            std::ofstream(fileOf(generation[i]), std::ios::binary) << cubin->image;
        }
        return 0;
      }));
    for (const pid_t child : children)
      waitFor(child);
  }

  /// Measures a generation; a candidate that cannot be compiled, launched or measured in time has no rate.
  void measure(const std::vector<int> &generation) {
    const std::filesystem::path results = folder_ / "rates";
    inChild([&] {
      std::ofstream out(results);
      for (const int candidate : generation) {
        const std::string cubin = cubinOf(candidate);
        if (cubin.empty() || secondsLeft() <= 0)
          continue;
        try {
          const cuda::Problem problem{settings_.size, settings_.size, settings_.size, 1};
          cuda::GemmOnDevice product(settings_.device, cubin, problem);
          product.run();
          out << candidate << ' ' << problem.flops(false) / std::min(product.run(), product.run()) << std::endl;
        } catch (const cuda::Error &) {
          // another one may do
        }
      }
      return 0;
    });
    std::ifstream in(results);
    double rate = 0;
    for (int candidate; in >> candidate >> rate;)
      rates_[candidate] = rate;
  }

  void compare(int candidate, const cuda::Problem &problem) const {
    cuda::GemmOnDevice product(settings_.device, cubinOf(candidate), problem);
    double ours = product.run(), theirs = product.runCublas(); // the first load code
    for (int round = 0; round < 3; ++round) {
      const double our = product.run(), their = product.runCublas();
      ours = round ? std::min(ours, our) : our;
      theirs = round ? std::min(theirs, their) : their;
    }
    std::printf("{\"bench\": \"own dgemm\", \"candidate\": \"%s\", \"n\": %d, \"gflops\": %.0f, \"peer\": \"cuBLAS\", "
                "\"peer_gflops\": %.0f, \"ratio\": %.3f}\n",
                candidates_.text(candidate).c_str(), problem.m, problem.flops(false) / ours * 1e-9,
                problem.flops(false) / theirs * 1e-9, theirs / ours);
    std::fflush(stdout);
  }

  const Settings settings_;
  const Clock::time_point begin_ = Clock::now();
  const cuda::Variant variant_;
  const EnumerationPlan plan_;
  const Candidates candidates_;
  std::mt19937 random_;
  const std::filesystem::path folder_;
  std::set<int> tried_;
  std::map<int, double> rates_; ///< flops a second
};

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("gpu_products: products of our own on a CUDA device against cuBLAS");
  app.add_option("space", settings.space)->required()->check(CLI::ExistingFile);
  app.add_option("--seconds", settings.seconds)->check(CLI::PositiveNumber);
  app.add_option("--size", settings.size)->check(CLI::PositiveNumber);
  app.add_option("--device", settings.device)->check(CLI::NonNegativeNumber);
  app.add_option("--seed", settings.seed);
  std::string opB = "n";
  app.add_option("--op-b", opB)->check(CLI::IsMember({"n", "t"}));
  CLI11_PARSE(app, argc, argv);
  settings.opB = opB[0];
  try {
    Search search(settings);
    if (!search.hasDevice())
      return 1;
    search.run();
    return search.report() ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gpu_products: %s\n", error.what());
    return 1;
  }
}
