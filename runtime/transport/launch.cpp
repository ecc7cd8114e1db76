#include "runtime/transport/launch.hpp"

#include "kernels/open_module.hpp"
#include "runtime/transport/module.hpp"

#include <tla/runtime/error.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <optional>

namespace tla::runtime {

namespace {
struct Convention {
  const char *rank, *size, *launcher;
};

/// In this order: mpirun under Slurm starts its ranks through srun. PMIx has no variable for the size, so it is
/// recognized through the launcher beneath. SLURM_NTASKS is also there in a batch script, which is no rank;
/// SLURM_STEP_NUM_TASKS is what srun gives to the tasks of a step.
constexpr Convention conventions[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "mpirun (MVAPICH)"},
    {"PMI_RANK", "PMI_SIZE", "mpiexec (PMI)"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "srun (PMIx)"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun"},
};

std::optional<int> number(const char *text) {
  int value = 0;
  const char *end = text + std::strlen(text);
  const auto [stop, status] = std::from_chars(text, end, value);
  if (status != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

/// Nothing when the variables are not both set.
std::optional<Launch> launchBy(const Convention &convention) {
  const char *rank = std::getenv(convention.rank), *size = std::getenv(convention.size);
  if (!rank || !size)
    return std::nullopt;
  const std::optional<int> r = number(rank), s = number(size);
  if (!r || !s || *r < 0 || *r >= *s)
    throw UsageError(std::string("the environment says ") + convention.rank + "=" + rank + " and " + convention.size +
                     "=" + size + ", which is no rank of a run");
  return Launch{*r, *s, convention.launcher};
}

void *openMpiModule(const Launch &launch) {
  try {
    return openModule("libtla_mpi.so", "it is built when libopenmpi-dev is installed",
                      [](const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); });
  } catch (const std::runtime_error &error) {
    throw Error(launch.launcher + " started " + std::to_string(launch.size) +
                " ranks, but the transport over MPI cannot be loaded: " + error.what());
  }
}
} // namespace

Launch detectLaunch() {
  for (const Convention &convention : conventions)
    if (const std::optional<Launch> launch = launchBy(convention))
      return *launch;
  return {};
}

std::unique_ptr<Transport> connect(const Launch &launch) {
  if (launch.size == 1)
    return nullptr;
  void *entry = dlsym(openMpiModule(launch), transportEntry);
  if (!entry)
    throw Error(std::string("libtla_mpi.so is of another version of hetc: it has no ") + transportEntry);
  return std::unique_ptr<Transport>(reinterpret_cast<ConnectFunction>(entry)(launch));
}

} // namespace tla::runtime
