// What the command line asked for, as a value.
#pragma once

#include "runtime/device/choice/devices.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/host/problem/task_order.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// NAME=VALUE
struct Assignment {
  std::string name, value;
};

enum class CheckMode { None, Probe, Full };
enum class KernelChoice { Auto, Reference, OpenBlas, Tuned };
/// The choice's name, as tla::kernels::installKernels() takes it.
inline const char *kernelsName(KernelChoice choice) {
  static constexpr const char *names[] = {"auto", "reference", "openblas", "tuned"};
  return names[static_cast<int>(choice)];
}
enum class GeneratorChoice { Auto, Replay, Nodes };
enum class ProgressMode { Auto, Always, Never };

/// A trace has so many tasks, copies and messages at most, of all ranks together: those that come first in each rank's
/// order. Of more, viewers become slow.
inline constexpr std::size_t mostTraced = 1'000'000;

struct Settings {
  std::optional<long> m, n, k;                                                ///< elements, 0 .. 2^31 - 1
  std::optional<int> nb;                                                      ///< >= 1; not given: chooseTileSize
  std::optional<int> slice;                                                   ///< >= 1; not given: chooseCut
  int threads = 0;                                                            ///< 0: one per core this process may use
  int window = 8192;                                                          ///< tasks
  std::optional<double> memory;                                               ///< bytes of each rank, at most
  runtime::DeviceChoice devices{{}, runtime::CudaOptions{}, nullptr, "auto"}; ///< devices of each rank
  std::vector<int> deviceWeights;                                             ///< empty: by measured rates
  std::optional<Period> deviceGrid;         ///< rows and columns in which the devices stand; not given: one row
  bool resident = false;                    ///< matrices stay with the devices
  WantedOrder order;                        ///< order of tasks on devices; not given: chooseOrder
  std::optional<Distribution> distribution; ///< not given: the one that moves the fewest bytes
  std::vector<int> nodeWeights; ///< weights of the nodes for which the distribution is made; empty: equal ones
  std::optional<Period> period; ///< not given: the distribution's
  GeneratorChoice generator = GeneratorChoice::Auto;
  double watchdogSeconds = 60; ///< runtime::Options::watchdogSeconds
  std::uint64_t seed = 42;
  CheckMode check = CheckMode::Probe;
  int repeat = 1;
  KernelChoice kernels = KernelChoice::Auto;
  ProgressMode progress = ProgressMode::Auto;
  bool plan = false; ///< say what would be run, and stop
  bool serial = false, stats = false, quiet = false;
  bool json = false;
  std::string jsonFile = "-";              ///< "-": standard output
  std::string traceFile;                   ///< empty: no trace; "-": standard output
  std::vector<Assignment> inputs, outputs; ///< matrix = file
  std::vector<Assignment> patterns;        ///< --pattern, matrix = file, or file,fill
  std::vector<Assignment> scalars;         ///< --set
  std::vector<Assignment> generators;      ///< --generate, e.g. A = matern(0.1)
};

} // namespace tla::host
