#include "tools/hetc/doctor_program.hpp"

#include "compiler/support/paths.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace hetc::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char libraryName[] = "libhetc_lapack.so";

/// An empty file that is gone at the end.
class TemporaryFile {
public:
  TemporaryFile() : path_((fs::temp_directory_path() / "hetc-doctor-XXXXXX").string()) {
    const int fd = mkstemp(path_.data());
    if (fd < 0)
      throw std::runtime_error("cannot make a file in " + fs::temp_directory_path().string() + ": " +
                               std::strerror(errno));
    close(fd);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// Runs the program and returns its end as waitpid tells it.
int runInShell(const std::string &commandLine, const std::string &library, const std::string &report) {
  const char *const before = std::getenv("LD_PRELOAD");
  const std::string preload = before && *before ? library + ":" + before : library;
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("LD_PRELOAD", preload.c_str(), 1);
    setenv("HETC_LAPACK_REPORT", report.c_str(), 1);
    execl("/bin/sh", "sh", "-c", commandLine.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/// One object per process that ended by itself.
Json readReports(const std::string &path) {
  Json all = Json::array();
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (Json process = Json::parse(line, nullptr, /*allow_exceptions=*/false); process.is_object())
      all.push_back(process);
  return all;
}

/// Shells and the like that have nothing to do with LAPACK.
bool isBystander(const Json &process) { return process["libraries"].empty() && process["calls"].empty(); }

std::string joined(const Json &texts) {
  std::string all;
  for (const Json &text : texts)
    all += (all.empty() ? "" : " ") + text.get<std::string>();
  return all;
}

void line(const std::string &name, const std::string &text) {
  std::cout << name << std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') << text << "\n";
}

void showLibraries(const Json &process) {
  for (const Json &library : process["libraries"]) {
    const std::string kind = library["lapack"] == false ? "BLAS" : library["blas"] == false ? "LAPACK" : "BLAS, LAPACK";
    const Json &names = library["names"].empty() ? library["other_names"] : library["names"];
    line("  " + kind, library["file"].get<std::string>() + (names.empty() ? "" : ", names " + joined(names)));
  }
  for (const Json &caller : process["callers"])
    line("  may call", caller["file"].get<std::string>() + ", " + std::to_string(caller["routines"].size()) +
                           " of hetc's names, as " + caller["routines"][0].get<std::string>());
}

void showCalls(const Json &process) {
  for (const Json &call : process["calls"]) {
    std::string text = std::to_string(call["tiled"].get<long>()) + " on tiles";
    for (const auto &[reason, count] : call["passed_on"].items())
      text += ", " + std::to_string(count.get<long>()) + " passed on (" + reason + ")";
    line("  " + call["routine"].get<std::string>(), text);
  }
  if (const std::string why = process["why_nothing"]; !why.empty())
    line("  nothing", "on tiles: " + why);
}

void show(const Json &report) {
  line("program", report["command"]);
  line("exit code", std::to_string(report["exit_code"].get<int>()));
  for (const Json &process : report["processes"]) {
    if (isBystander(process) && report["processes"].size() > 1)
      continue;
    line("process", std::to_string(process["pid"].get<long>()) + ", " + process["program"].get<std::string>());
    showLibraries(process);
    showCalls(process);
  }
  if (const std::string problem = report["problem"]; !problem.empty())
    std::cout << "  warning: " << problem << "\n";
}

/// Why there is nothing to say of a program that did run.
std::string problemOf(const Json &processes) {
  return processes.empty()
             ? "no process of it ended with " + std::string(libraryName) +
                   " loaded: programs that are linked statically or run with other rights do not load it, "
                   "and one that was killed cannot say what it saw"
             : "";
}

} // namespace

int reportProgram(const std::string &commandLine, bool json) {
  const std::string library = support::libraryDir() + "/" + libraryName;
  std::error_code ignored;
  if (!fs::exists(library, ignored)) {
    std::cerr << "hetc: doctor: there is no " << library << "; build it (ninja hetc_lapack) or install hetc again\n";
    return 2;
  }
  try {
    const TemporaryFile file;
    const int status = runInShell(commandLine, library, file.path());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == 126 || code == 127) {
      std::cerr << "hetc: doctor: the program cannot be run: '" << commandLine << "'\n";
      return 2;
    }
    const Json processes = readReports(file.path());
    const Json report{
        {"command", commandLine}, {"exit_code", code}, {"processes", processes}, {"problem", problemOf(processes)}};
    if (json)
      std::cout << report.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
    else
      show(report);
  } catch (const std::exception &error) {
    std::cerr << "hetc: doctor: " << error.what() << "\n";
    return 2;
  }
  return 0;
}

} // namespace hetc::tools
