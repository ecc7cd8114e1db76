// Cases as a user runs them: hetc run, under mpirun.
#include "tests/fuzz/campaign.hpp"
#include "tests/fuzz/shock.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>

namespace fuzz {

namespace {

/// Matrices that some task writes, those of the caller that files can hold. Without those whose names change places:
/// which of them is written is for hetc to say.
std::set<std::string> writtenMatrices(const Program &program) {
  std::set<std::string> written, swapped;
  forEachStatement(program.body, [&](const Statement &statement) {
    for (const Argument &argument : statement.arguments) {
      const Matrix *const matrix = program.find(argument.matrix);
      const bool writes = argument.kind == Argument::Kind::Matrix || argument.access != Access::Read;
      if (matrix && writes && matrix->kind != MatrixKind::Workspace)
        written.insert(argument.matrix);
      if (statement.kind == Statement::Kind::Swap)
        swapped.insert(argument.matrix);
    }
  });
  std::erase_if(written, [&](const std::string &matrix) { return swapped.contains(matrix); });
  return written;
}

constexpr int shocksOfCase = 4; ///< shocks for each compilation, which takes longer

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int exitCode(const std::string &command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// One case, again and again, in a folder of its own.
class Launch {
public:
  Launch(const Program &program, const TrialPlan &plan, const std::string &directory)
      : plan_(plan), file_(fileOf(program, directory)), folder_(directory + "/" + program.name + ".run"),
        matrices_(writtenMatrices(program)) {
    std::filesystem::create_directories(folder_);
  }
  /// The run was refused, as the program has no updates that copies of the nodes could share.
  bool hasNoCopies(const char *run) const { return log(run).find("copies of the nodes") != std::string::npos; }
  void removeFolder() const { std::filesystem::remove_all(folder_); }

  bool writes() const { return !matrices_.empty(); }
  /// hetc has said that no task which can run writes a matrix: it is not asked for again.
  bool dropUnwritten(const char *run) {
    const std::string text = log(run), words = " does not write ";
    const std::size_t at = text.find(words);
    return at != text.npos && matrices_.erase(text.substr(at + words.size(), text.find('\n', at) - at - words.size()));
  }
  std::string see() const { return ", see " + folder_; }
  std::string cache() const { return "HETC_CACHE_DIR=" + folder_ + "/cache"; }
  std::string log(const char *run) const { return bytesOf(folder_ + "/" + run + ".log"); }

  std::string command(const Case &one, const char *run, const std::string &more) const {
    Case quiet = one;
    quiet.fault = {};
    std::string command = commandLine(file_, plan_, quiet);
    const std::size_t hetc = command.find("hetc run");
    command = (hetc ? TLA_FUZZ_MPIRUN + command.substr(6, hetc - 6) : "") + TLA_FUZZ_HETC + command.substr(hetc + 4);
    for (const std::string &matrix : matrices_)
      command += " --output " + matrix + "='" + output(matrix, run) + "'";
    return "env '" + cache() +
           "' HETC_PROGRAMS_DIR= OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
           "OMPI_MCA_mpi_yield_when_idle=1 "
           "timeout -k 5 180 " +
           command + " --no-check --quiet" + more + " > '" + folder_ + "/" + run + ".log' 2>&1";
  }

  void removeOutputs(const char *run) const {
    for (const std::string &matrix : matrices_)
      std::filesystem::remove(output(matrix, run));
  }

  /// The first matrix that two runs have written otherwise; empty: none. `partly`: the second may have written none.
  std::string differs(const char *a, const char *b, bool partly = false) const {
    for (const std::string &matrix : matrices_)
      if (!(partly && !std::filesystem::exists(output(matrix, b))) &&
          bytesOf(output(matrix, a)) != bytesOf(output(matrix, b)))
        return matrix;
    return {};
  }

private:
  std::string output(const std::string &matrix, const char *run) const {
    return folder_ + "/" + matrix + "." + run + ".npy";
  }

  const TrialPlan &plan_;
  const std::string file_, folder_;
  std::set<std::string> matrices_;
};

/// As the documentation says it.
std::optional<Failure> judge(const Launch &launch, const Case &one, const Shock &shock, const Ending &ending) {
  const std::string log = launch.log("shock");
  const std::string detail = shock.text() + ", rank " + std::to_string(ending.victim) + ": exit code " +
                             std::to_string(ending.exitCode) + ", " + std::to_string(ending.seconds) + " s" +
                             launch.see() + ": " + log.substr(0, 500);
  if (ending.ranksAreLeft)
    return Failure{"processes are left", detail};
  if (const std::string matrix = launch.differs("one", "shock", ending.exitCode != 0); !matrix.empty())
    return Failure{"mpirun hetc run differs after a shock", matrix + ", " + detail};
  if (ending.launcherHangs && shock.kills) // Open MPI's own
    return std::nullopt;
  if (ending.exitCode == 0 || (shock.kills && ending.victim >= 0))
    return std::nullopt;
  const int witness = (ending.victim + one.ranks - 1) % one.ranks;
  const std::string words =
      "hetc: rank " + std::to_string(witness) + ": rank " + std::to_string(ending.victim) + " has not ";
  const bool mayEnd = !shock.kills && ending.victim >= 0 && shock.stopped > shock.watchdog + 3.5;
  if (mayEnd && ending.exitCode == 4 && log.find(words) != std::string::npos)
    return std::nullopt;
  return Failure{"mpirun hetc run after a shock", detail};
}

/// Once more, while somebody stops or kills a rank. `seconds`: that it takes without.
std::optional<Failure> runWithShock(const Launch &launch, const Case &one, double seconds, Random &random,
                                    Counts &counts) {
  const Shock shock = drawShock(1.3 * seconds, random);
  char more[60];
  std::snprintf(more, sizeof more, " --repeat 300 --watchdog %g", shock.watchdog);
  launch.removeOutputs("shock");
  const Ending ending = runWithShock(launch.command(one, "shock", more), launch.cache(), shock);
  const char *const end = ending.victim < 0      ? ", too late"
                          : ending.exitCode == 0 ? ", and finish"
                          : ending.launcherHangs ? ", and mpirun hangs"
                          : ending.exitCode == 4 ? ", and end with exit code 4"
                                                 : ", and end";
  ++counts[std::string("cases under mpirun of which a rank is ") + (shock.kills ? "killed" : "stopped") + end];
  return judge(launch, one, shock, ending);
}

} // namespace

std::optional<Failure> launch(const Program &program, const TrialPlan &plan, const Case &one,
                              const std::string &directory, Random *shocks, Counts &counts) {
  Launch launch(program, plan, directory);
  if (std::string(TLA_FUZZ_MPIRUN).empty() || !launch.writes())
    return std::nullopt;
  Case alone = one;
  alone.ranks = 1;
  alone.threads = 1;
  alone.devices = "none";
  alone.deviceRows = 1;
  alone.resident = false;
  alone.order = {};
  ++counts["cases under mpirun"];
  const bool serial = plan.variants[one.variant].slices == 1 && plan.variants[one.variant].copies == 1;
  int code;
  do {
    if (!launch.writes())
      return std::nullopt;
    code = exitCode(launch.command(alone, "one", serial ? " --serial" : ""));
  } while (code == 2 && launch.dropUnwritten("one"));
  if (code == 2 && plan.variants[one.variant].copies > 1 && launch.hasNoCopies("one")) {
    launch.removeFolder();
    return std::nullopt;
  }
  if (code)
    return Failure{"hetc run", "exit code " + std::to_string(code) + launch.see()};
  if ((code = exitCode(launch.command(one, "ranks", ""))))
    return Failure{"mpirun hetc run", "exit code " + std::to_string(code) + launch.see()};
  if (const std::string matrix = launch.differs("one", "ranks"); !matrix.empty())
    return Failure{"mpirun hetc run differs", matrix + launch.see()};
  if (shocks) {
    const auto begin = std::chrono::steady_clock::now();
    if ((code = exitCode(launch.command(one, "ranks", "")))) // compiled by now
      return Failure{"mpirun hetc run", "exit code " + std::to_string(code) + launch.see()};
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    for (int shock = 0; shock < shocksOfCase; ++shock)
      if (auto failure = runWithShock(launch, one, seconds.count(), *shocks, counts))
        return failure;
  }
  launch.removeFolder();
  return std::nullopt;
}

} // namespace fuzz
