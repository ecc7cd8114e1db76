// Cases as a user runs them: hetc run, under mpirun.
#include "tests/fuzz/campaign.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>

namespace fuzz {

namespace {

/// Matrices that some task writes, those of the caller that files can hold.
std::set<std::string> writtenMatrices(const Program &program) {
  std::set<std::string> written;
  forEachStatement(program.body, [&](const Statement &statement) {
    for (const Argument &argument : statement.arguments) {
      const Matrix *const matrix = program.find(argument.matrix);
      const bool writes = argument.kind == Argument::Kind::Matrix || argument.access != Access::Read;
      if (matrix && writes && matrix->kind != MatrixKind::Workspace)
        written.insert(argument.matrix);
    }
  });
  return written;
}

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int exitCode(const std::string &command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

} // namespace

std::optional<Failure> launch(const Program &program, const Plan &plan, const Case &one, const std::string &directory,
                              Counts &counts) {
  const std::string mpirun = TLA_FUZZ_MPIRUN;
  const std::set<std::string> matrices = writtenMatrices(program);
  if (mpirun.empty() || matrices.empty())
    return std::nullopt;
  const std::string folder = directory + "/" + program.name + ".run";
  std::filesystem::create_directories(folder);
  const std::string environment = "HETC_CACHE_DIR='" + folder +
                                  "/cache' OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                  "OMPI_MCA_mpi_yield_when_idle=1 ";
  const auto outputs = [&](const char *run) {
    std::string text;
    for (const std::string &matrix : matrices)
      text += " --output " + matrix + "='" + folder + "/" + matrix + "." + run + ".npy'";
    return text;
  };
  const auto start = [&](const Case &which, const char *run, const std::string &more) {
    std::string command = commandLine(fileOf(program, directory), plan, which);
    if (const std::size_t at = command.find("--generator nodes"); at != std::string::npos)
      command.erase(at, 17); // by loops of nodes where the compiler has found some
    const std::size_t hetc = command.find("hetc run");
    command = (hetc ? mpirun + command.substr(6, hetc - 6) : "") + TLA_FUZZ_HETC + command.substr(hetc + 4);
    return exitCode(environment + "timeout -k 5 180 " + command + " --no-check --quiet" + more + outputs(run) + " > '" +
                    folder + "/" + run + ".log' 2>&1");
  };
  Case alone = one;
  alone.ranks = 1;
  alone.threads = 1;
  alone.devices = "none";
  ++counts["cases under mpirun"];
  if (const int code = start(alone, "one", plan.variants[one.variant].slices == 1 ? " --serial" : ""))
    return Failure{"hetc run", "exit code " + std::to_string(code) + ", see " + folder};
  if (const int code = start(one, "ranks", ""))
    return Failure{"mpirun hetc run", "exit code " + std::to_string(code) + ", see " + folder};
  for (const std::string &matrix : matrices)
    if (bytesOf(folder + "/" + matrix + ".one.npy") != bytesOf(folder + "/" + matrix + ".ranks.npy"))
      return Failure{"mpirun hetc run differs", matrix + ", see " + folder};
  std::filesystem::remove_all(folder);
  return std::nullopt;
}

} // namespace fuzz
