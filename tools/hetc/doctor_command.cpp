#include "tools/hetc/doctor_tuning.hpp"
#include "tools/hetc/options.hpp"

#include "compiler/driver/cache.hpp"
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "runtime/bootstrap/device_report.hpp"
#include "runtime/transport/launch.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/executor.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

namespace hetc::tools {

namespace {

/// Prints "name: text", aligned; problems are counted and marked.
class Report {
public:
  void line(const std::string &name, const std::string &text) {
    std::cout << name << std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') << text << "\n";
  }
  void warn(const std::string &text) {
    std::cout << "  warning: " << text << "\n";
    ++warnings;
  }
  int warnings = 0;
};

std::string fieldOf(const char *file, const std::string &key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, key.size(), key) == 0)
      if (const std::size_t colon = line.find(':'); colon != std::string::npos)
        return line.substr(line.find_first_not_of(" \t", colon + 1));
  return "unknown";
}

/// Vector levels in rising order, so that a pin below the machine's own can be told.
enum class Vectors { Sse, Avx, Avx2, Avx512 };

Vectors vectorLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return Vectors::Avx512;
  if (__builtin_cpu_supports("avx2"))
    return Vectors::Avx2;
  if (__builtin_cpu_supports("avx"))
    return Vectors::Avx;
#endif
  return Vectors::Sse;
}

const char *vectorName(Vectors level) {
  static const char *names[] = {"128 bits", "256 bits (AVX)", "256 bits (AVX2)", "512 bits (AVX-512)"};
  return names[static_cast<int>(level)];
}

/// The vector level that an OpenBLAS core type uses; the best for names not listed, so that nothing is claimed of them.
Vectors coreTypeLevel(const std::string &coreType) {
  static const std::map<std::string, Vectors> levels = {
      {"Prescott", Vectors::Sse},  {"Core2", Vectors::Sse},      {"Penryn", Vectors::Sse},
      {"Nehalem", Vectors::Sse},   {"Barcelona", Vectors::Sse},  {"Sandybridge", Vectors::Avx},
      {"Bulldozer", Vectors::Avx}, {"Piledriver", Vectors::Avx}, {"Steamroller", Vectors::Avx},
      {"Haswell", Vectors::Avx2},  {"Excavator", Vectors::Avx2}, {"Zen", Vectors::Avx2}};
  const auto found = levels.find(coreType);
  return found == levels.end() ? Vectors::Avx512 : found->second;
}

void reportKernels(Report &report) {
  try {
    const auto status = tla::kernels::installKernels("auto");
    report.line("kernels", status.backEnd + (status.detail.empty() ? "" : " (" + status.detail + ")"));
    if (status.backEnd == "reference")
      report.warn("the reference bodies run, many times slower than those of OpenBLAS or our own");
    for (const auto &[type, bodies] : describeBodies())
      report.line("  " + type, bodies);
  } catch (const std::runtime_error &error) {
    report.warn(error.what());
  }
  std::string name = "tuning";
  for (const std::string &line : describeTuning())
    report.line(std::exchange(name, ""), line);
  const char *pin = std::getenv("OPENBLAS_CORETYPE");
  if (pin && coreTypeLevel(pin) < vectorLevel())
    report.warn(std::string("OPENBLAS_CORETYPE=") + pin + " makes OpenBLAS use " + vectorName(coreTypeLevel(pin)) +
                " of " + vectorName(vectorLevel()) + "; unset it for full speed");
  if (const char *cache = std::getenv("OPENBLAS_L2_SIZE"))
    report.warn(std::string("OPENBLAS_L2_SIZE=") + cache +
                " overrides the cache size that OpenBLAS finds; unset it for full speed");
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

tla::runtime::DeviceChoice devicesNamed(const std::string &text) {
  std::string error;
  const auto choice = tla::runtime::parseDevices(text, error);
  if (!choice)
    throw CLI::ValidationError("--devices", error);
  return *choice;
}

} // namespace

int doctorCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc doctor: what this machine offers to hetc, and what is missing");
  tla::runtime::DeviceChoice devices{{}, tla::runtime::CudaOptions{}, "auto"};
  app.add_option_function<std::string>(
         "--devices", [&devices](const std::string &text) { devices = devicesNamed(text); },
         "accelerators to measure, as for a run (default: auto)")
      ->type_name("LIST");
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  Report report;
  report.line("hetc", std::string(config::version) + ", " + support::executablePath());
  report.line("processor", fieldOf("/proc/cpuinfo", "model name"));
  tla::runtime::Executor executor({});
  report.line("cores", std::to_string(executor.threads()) + " for this process");
  report.line("vectors", vectorName(vectorLevel()));
  report.line("memory",
              fieldOf("/proc/meminfo", "MemAvailable") + " available of " + fieldOf("/proc/meminfo", "MemTotal"));
  reportKernels(report);
  const std::string noTransport = tla::runtime::whyNoTransport();
  report.line("mpi", !noTransport.empty() ? "one rank only: " + noTransport
                     : onPath("mpirun")   ? "several ranks; mpirun starts them"
                                          : "several ranks; mpirun is not there: install openmpi-bin, or use srun");
  std::error_code ignored;
  for (const auto &[name, text] : tla::bootstrap::deviceReport(devices))
    report.line(name, text);
  report.line("compiler", "clang's headers in " + support::clangResourceDir());
  if (!std::filesystem::exists(support::clangResourceDir(), ignored))
    report.warn("that directory is missing: install clang-19");
  report.line("cache", driver::cacheDirectory());
  std::cout << (report.warnings ? "" : "nothing is missing\n");
  return 0;
}

} // namespace hetc::tools
