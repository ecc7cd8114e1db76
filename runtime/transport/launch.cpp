#include "runtime/interfaces/launch.hpp"

#include "kernels/open_module.hpp"
#include "runtime/transport/module.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/runtime/error.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <string_view>

#include <unistd.h>

namespace tla::runtime {

namespace {
struct Convention {
  const char *rank, *size, *localRank, *localSize, *launcher;
};

/// In this order: mpirun under Slurm starts its ranks through srun. PMIx has no variable for the size, so it is
/// recognized through the launcher beneath. SLURM_NTASKS is also there in a batch script, which is no rank;
/// SLURM_STEP_NUM_TASKS is what srun gives to the tasks of a step.
constexpr Convention conventions[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "mpirun (Open MPI)"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE",
     "mpirun (MVAPICH)"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "mpiexec (PMI)"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "srun (PMIx)"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "srun"},
};

struct Place {
  int rank, size;
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<Place> placeOf(std::string_view rankText, std::string_view sizeText) {
  const std::optional<int> rank = number(rankText), size = number(sizeText);
  if (!rank || !size || *rank < 0 || *rank >= *size)
    return std::nullopt;
  return Place{*rank, *size};
}

/// Among all ranks; nothing when the variables are not both set.
std::optional<Place> placeBy(const Convention &convention) {
  const char *rank = std::getenv(convention.rank), *size = std::getenv(convention.size);
  if (!rank || !size)
    return std::nullopt;
  const std::optional<Place> place = placeOf(rank, size);
  if (!place)
    throw UsageError(std::string("the environment says ") + convention.rank + "=" + rank + " and " + convention.size +
                     "=" + size + ", which is no rank of a run");
  return place;
}

/// The rank's place among those on this machine. A guess where the launcher is vague: Slurm says "4(x2)" for four on
/// each of two nodes, and a list where their numbers differ, which is passed over.
Place localPlaceBy(const Convention &convention) {
  const char *rank = std::getenv(convention.localRank), *size = std::getenv(convention.localSize);
  if (!rank || !size || std::strchr(size, ','))
    return {0, 1};
  return placeOf(rank, std::string_view(size).substr(0, std::strcspn(size, "("))).value_or(Place{0, 1});
}

std::optional<ProcessLaunch> launchBy(const Convention &convention) {
  const std::optional<Place> place = placeBy(convention);
  if (!place)
    return std::nullopt;
  const Place local = localPlaceBy(convention);
  return ProcessLaunch{place->rank, place->size, convention.launcher,
                       local.rank,  local.size,  ProcessLaunch().watchdogSeconds};
}

/// Throws std::runtime_error.
void *openMpiModule() {
  return openModule("libtla_mpi.so", "it is built when libopenmpi-dev is installed",
                    [](const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); });
}

void *openMpiModule(const ProcessLaunch &launch) {
  try {
    return openMpiModule();
  } catch (const std::runtime_error &error) {
    throw Error(launch.launcher + " started " + std::to_string(launch.size) +
                " ranks, but the transport over MPI cannot be loaded: " + error.what());
  }
}

void *entryOf(void *module, const char *name) {
  if (void *const entry = dlsym(module, name))
    return entry;
  throw Error(std::string("libtla_mpi.so is of another version of hetc: it has no ") + name);
}
} // namespace

ProcessLaunch detectLaunch() {
  for (const Convention &convention : conventions)
    if (const std::optional<ProcessLaunch> launch = launchBy(convention))
      return *launch;
  return {};
}

std::unique_ptr<Transport> connect(const ProcessLaunch &launch) {
  if (launch.size == 1)
    return nullptr;
  void *const entry = entryOf(openMpiModule(launch), transportEntry);
  return std::unique_ptr<Transport>(reinterpret_cast<ConnectFunction>(entry)(launch));
}

std::unique_ptr<Transport> join(int communicator) {
  const auto module = [] {
    try {
      return openMpiModule();
    } catch (const std::runtime_error &error) {
      throw Error(std::string("the transport over MPI cannot be loaded: ") + error.what());
    }
  };
  void *const entry = entryOf(module(), transportJoinEntry);
  return std::unique_ptr<Transport>(reinterpret_cast<JoinFunction>(entry)(communicator));
}

std::string whyNoTransport() {
  try {
    openMpiModule();
    return {};
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

void awaitEnd() { ::sleep(10); }

} // namespace tla::runtime
