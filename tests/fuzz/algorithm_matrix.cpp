// All algorithms of algorithms/ at awkward sizes: 0, 1, one less and one more than a tile, ragged, wide, tall; whole
// and in up to 4 slices; on 2 and 4 ranks by all shapes of 2dbc, as they are and reflected, by loops of nodes and by
// replay. Each passes its own exact check on one thread, and has the same bits, tasks, messages and bytes everywhere
// else.
//
//   algorithm_matrix [--split 1] [--shifts 2] [--type d] [NAME ...]
#include "compiler/support/paths.hpp"
#include "runtime/distribution/distribution.hpp"
#include "tests/fuzz/child.hpp"
#include "tests/fuzz/compiled.hpp"
#include "tests/integration/load_algorithm.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <unistd.h>

namespace {

using fuzz::Case;
using fuzz::Counts;
using fuzz::Failure;

/// The grids of 2 and 4 ranks, each as it is and reflected with so many of its shifts, others for each turn; -1: all.
std::vector<std::string> distributions(int shifts, unsigned turn) {
  std::vector<std::string> names;
  for (const auto &[P, Q] : {std::pair{1, 2}, {2, 1}, {2, 2}}) {
    names.push_back(tla::Distribution::blockCyclic(P, Q).name());
    std::vector<std::string> reflected;
    for (int row = 0; row < 2 * P; ++row)
      for (int column = 0; column < 2 * Q; ++column)
        reflected.push_back(tla::Distribution::reflected(P, Q, {row, column}).name());
    std::sort(reflected.begin(), reflected.end());
    reflected.erase(std::unique(reflected.begin(), reflected.end()), reflected.end());
    const int count = static_cast<int>(reflected.size());
    for (int i = 0; i < (shifts < 0 ? count : std::min(shifts, count)); ++i)
      names.push_back(reflected[(turn * 3 + static_cast<unsigned>(i) * 5) % reflected.size()]);
  }
  return names;
}

/// The cases on a distribution, by loops of nodes and by replay, in turn.
std::vector<Case> cases(const std::string &distribution) {
  const tla::Distribution owners = tla::parseDistribution(distribution);
  const int ranks = owners.nodes();
  std::vector<Case> all;
  const auto add = [&](long m, long n) {
    Case one;
    one.sizes = {m, n, std::min(m, 65L), 64, 1, 32, owners.period().rows, owners.period().columns};
    one.ranks = ranks;
    one.distribution = distribution;
    one.byNodes = all.size() % 3 != 2;
    all.push_back(one);
  };
  for (const long size : {0, 1, 63, 64, 65, 300, 517})
    add(size, size);
  add(517, 65);
  add(300, 1);
  add(65, 300);
  add(63, 517);
  return all;
}

/// By the algorithm's own `requires`, before anything runs: ge2gb takes no wide matrix.
bool isRefused(const Failure &failure, const std::string &algorithm) {
  return failure.kind == "exception" && failure.detail.starts_with(algorithm + " requires ");
}

struct Matrix {
  char type = 'd';
  int slices = 1, shifts = 2;
  std::filesystem::path directory;
  Counts counts;

  /// Prints what fails.
  void examine(const std::filesystem::path &file, const std::string &distribution) {
    const std::vector<Case> all = cases(distribution);
    const auto work = [&](const fuzz::Step &step, Counts &done, int &failedCase) -> std::optional<Failure> {
      step("compile 0");
      const tla::runtime::Algorithm *algorithm = nullptr;
      const std::string library = (directory / (file.stem().string() + ".so")).string();
      fuzz::TrialPlan plan;
      plan.type = type;
      if (auto failure = fuzz::compile(file.string(), file.stem().string(), plan,
                                       {.slices = slices, .distribution = distribution}, library, done, algorithm))
        return failure;
      fuzz::Examiner examiner(*algorithm, step, done, true);
      for (failedCase = 0; failedCase < static_cast<int>(all.size()); ++failedCase) {
        step("case " + std::to_string(failedCase));
        const auto failure = examiner.examine(all[failedCase], std::nullopt);
        if (failure && !isRefused(*failure, file.stem().string()))
          return failure;
        done["cases that an algorithm's requires refuses"] += failure.has_value();
      }
      return std::nullopt;
    };
    const fuzz::Trial trial = fuzz::runInChild(work, (directory / "log").string(), {300, 120});
    for (const auto &[what, count] : trial.counts)
      counts[what] += count;
    counts["cases"] += all.size();
    if (trial.failure)
      report(file, distribution, trial, all);
  }

private:
  void report(const std::filesystem::path &file, const std::string &distribution, const fuzz::Trial &trial,
              const std::vector<Case> &all) {
    ++counts["failures"];
    std::cout << "FAILED: " << trial.failure->kind << ": " << trial.failure->detail << "\n  ";
    std::cout << file.string() << " --type " << type << " --split " << slices << " --dist " << distribution;
    if (trial.failedCase >= 0) {
      const Case &one = all[trial.failedCase];
      std::cout << " --nb " << one.sizes.nb << ", m = " << one.sizes.m << ", n = " << one.sizes.n
                << ", k = " << one.sizes.k << ", by " << (one.byNodes ? "loops of nodes" : "replay");
    }
    std::cout << std::endl;
  }
};

} // namespace

int main(int argc, char **argv) {
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  CLI::App app("every algorithm at awkward sizes, on all kinds of grids");
  Matrix matrix;
  std::string type = "d";
  std::vector<std::string> names;
  app.add_option("--type", type, "s, d, c or z")->check(CLI::IsMember({"s", "d", "c", "z"}))->capture_default_str();
  app.add_option("--split", matrix.slices, "slices of a tile")->check(CLI::Range(1, 8))->capture_default_str();
  app.add_option("--shifts", matrix.shifts, "of each reflected grid; -1: all")->capture_default_str();
  app.add_option("names", names, "algorithms; all by default");
  CLI11_PARSE(app, argc, argv);
  matrix.type = type[0];
  matrix.directory = std::filesystem::temp_directory_path() / ("hetc-matrix-" + std::to_string(getpid()));
  std::filesystem::create_directories(matrix.directory);
  tla::kernels::installKernels("auto");
  unsigned turn = 0;
  for (const std::filesystem::path &file : tla::test::algorithmFiles(names)) {
    for (const std::string &distribution : distributions(matrix.shifts, turn++))
      matrix.examine(file, distribution);
    std::cerr << file.stem().string() << ", " << matrix.counts["cases"] << " cases, " << matrix.counts["failures"]
              << " failed" << std::endl;
  }
  std::filesystem::remove_all(matrix.directory);
  for (const auto &[what, count] : matrix.counts)
    std::cout << "  " << what << ": " << count << "\n";
  return matrix.counts["failures"] || !matrix.counts["cases"] ? 1 : 0;
}
