#include "tools/hetc/doctor_program.hpp"
#include "tools/hetc/doctor_tuning.hpp"
#include "tools/hetc/options.hpp"

#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/cache_folder.hpp"
#include "dsl/base/processor.hpp"
#include "kernels/blas_pin.hpp"
#include "runtime/interfaces/launch.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/devices.hpp>
#include <tla/runtime/executor.hpp>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

namespace hetc::tools {

namespace {

using Json = nlohmann::ordered_json;

/// Lines "name: text", aligned, for people, and an object for scripts; problems are marked, or listed.
class Report {
public:
  void line(const std::string &name, const std::string &text) {
    text_ += name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + text + "\n";
  }
  void warn(const std::string &text) {
    text_ += "  warning: " + text + "\n";
    warnings_.push_back(text);
  }
  std::string text() const { return text_ + (warnings_.empty() ? "nothing is missing\n" : ""); }
  std::string json() const {
    Json all = object;
    all["warnings"] = warnings_;
    return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  Json object = Json::object();

private:
  std::string text_;
  std::vector<std::string> warnings_;
};

std::string fieldOf(const char *file, const std::string &key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, key.size(), key) == 0)
      if (const std::size_t colon = line.find(':'); colon != std::string::npos)
        return line.substr(line.find_first_not_of(" \t", colon + 1));
  return "unknown";
}

/// The bytes of a text such as "16384 kB"; null for anything else.
Json bytesOf(const std::string &text) {
  const long long kilobytes = std::atoll(text.c_str());
  return kilobytes > 0 ? Json(1024 * kilobytes) : Json();
}

const char *vectorName(tla::VectorLevel level) {
  static const char *names[] = {"128 bits", "256 bits (AVX)", "256 bits (AVX2)", "512 bits (AVX-512)"};
  return names[static_cast<int>(level)];
}

void reportKernels(Report &report) {
  try {
    const auto status = tla::kernels::installKernels("auto");
    report.line("kernels", status.backEnd + (status.detail.empty() ? "" : " (" + status.detail + ")"));
    if (status.backEnd == "reference")
      report.warn("the reference bodies run, many times slower than those of OpenBLAS or our own");
    for (const auto &[type, bodies] : describeBodies())
      report.line("  " + type, bodies);
    report.object["kernels"] = {{"back_end", status.backEnd},
                                {"detail", status.detail},
                                {"winners", status.winners},
                                {"bodies", bodiesByKernel()}};
  } catch (const std::runtime_error &error) {
    report.warn(error.what());
  }
  std::string name = "tuning";
  for (const std::string &line : describeTuning()) {
    report.line(std::exchange(name, ""), line);
    report.object["tuning"].push_back(line);
  }
  if (const std::string weak = tla::kernels::weakPinWarning(std::getenv("OPENBLAS_CORETYPE"), tla::vectorLevel());
      !weak.empty())
    report.warn(weak);
  if (const char *cache = std::getenv("OPENBLAS_L2_SIZE"))
    report.warn(std::string("OPENBLAS_L2_SIZE=") + cache +
                " overrides the cache size that OpenBLAS finds; unset it for full speed");
}

void reportAccelerators(Report &report, const std::string &choice) {
  try {
    const tla::host::DeviceReport devices = tla::host::reportDevices(choice);
    for (const auto &[name, text] : devices.lines)
      report.line(name, text);
    report.object.update(Json::parse(devices.json));
  } catch (const tla::UsageError &) {
    throw;
  } catch (const std::exception &error) { // of a device that does not do what it should
    report.warn(error.what());
  }
}

bool onPath(const std::string &program) {
  const char *path = std::getenv("PATH");
  std::string directories = path ? path : "";
  for (std::size_t begin = 0; begin <= directories.size();) {
    const std::size_t end = std::min(directories.find(':', begin), directories.size());
    std::error_code ignored;
    if (std::filesystem::exists(directories.substr(begin, end - begin) + "/" + program, ignored))
      return true;
    begin = end + 1;
  }
  return false;
}

} // namespace

/// As `hetc cost --machine` reads it; of several ranks the first speaks.
static int printMachine(const std::string &devices) {
  try {
    std::cout << tla::host::measureMachine(devices);
    return 0;
  } catch (const tla::UsageError &error) {
    std::cerr << "hetc: doctor: " << error.what() << "\n";
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "hetc: doctor: " << error.what() << "\n";
    return 4;
  }
}

int doctorCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc doctor: what this machine offers to hetc, and what is missing");
  std::string devices = "auto";
  app.add_option("--devices", devices, "accelerators to measure, as for a run (default: auto)")
      ->check(CLI::Validator(tla::host::whyNoDevices, ""))
      ->type_name("LIST");
  std::string program;
  app.add_option("--program", program,
                 "run this command line, and say which BLAS and LAPACK it loads and which of its calls\nthe drop-in "
                 "library computes on tiles, instead")
      ->type_name("COMMAND");
  bool measure = false;
  app.add_flag("--measure", measure,
               "measure cores and accelerators, in some seconds, and print what 'hetc cost --machine' reads,\ninstead");
  bool json = false;
  app.add_flag("--json", json, "one JSON object instead of text");
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  if (app.count("--program") && program.find_first_not_of(" \t\n") == std::string::npos) {
    std::cerr << "hetc: doctor: --program is empty: give a command line, as in --program \"python3 solve.py\"\n";
    return 2;
  }
  if (!program.empty())
    return reportProgram(program, json);
  if (measure)
    return printMachine(devices);
  Report report;
  report.line("hetc", std::string(config::version) + ", " + support::executablePath());
  report.object["hetc"] = {{"version", config::version}, {"path", support::executablePath()}};
  const std::string processor = fieldOf("/proc/cpuinfo", "model name");
  report.line("processor", processor);
  report.object["processor"] = processor;
  tla::runtime::Executor executor({});
  report.line("cores", std::to_string(executor.threads()) + " for this process");
  report.object["cores"] = executor.threads();
  report.line("vectors", vectorName(tla::vectorLevel()));
  report.object["vectors"] = vectorName(tla::vectorLevel());
  const std::string available = fieldOf("/proc/meminfo", "MemAvailable"), all = fieldOf("/proc/meminfo", "MemTotal");
  report.line("memory", available + " available of " + all);
  report.object["memory"] = {{"available_bytes", bytesOf(available)}, {"total_bytes", bytesOf(all)}};
  reportKernels(report);
  const std::string noTransport = tla::runtime::whyNoTransport();
  report.line("mpi", !noTransport.empty() ? "one rank only: " + noTransport
                     : onPath("mpirun")   ? "several ranks; mpirun starts them"
                                          : "several ranks; mpirun is not there: install openmpi-bin, or use srun");
  report.object["mpi"] = {
      {"several_ranks", noTransport.empty()}, {"problem", noTransport}, {"mpirun", onPath("mpirun")}};
  reportAccelerators(report, devices);
  report.line("compiler", "clang's headers in " + support::clangResourceDir());
  report.object["compiler"] = {{"clang_headers", support::clangResourceDir()}};
  std::error_code ignored;
  if (!std::filesystem::exists(support::clangResourceDir(), ignored))
    report.warn("that directory is missing: install clang-19");
  report.line("cache", tla::cacheFolder().string());
  report.object["cache"] = tla::cacheFolder().string();
  std::cout << (json ? report.json() : report.text());
  return 0;
}

} // namespace hetc::tools
