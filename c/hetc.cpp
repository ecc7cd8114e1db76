#include "c/arguments.hpp"
#include "c/blas_guard.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>
#include <tla/runtime/ranks.hpp>

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#define HETC_ALGORITHM(name)                                                                                           \
  extern "C" const tla::runtime::Algorithm tla_algorithm_##name##_s, tla_algorithm_##name##_d,                         \
      tla_algorithm_##name##_c, tla_algorithm_##name##_z;
#include <algorithms.def>
#undef HETC_ALGORITHM

struct hetc_executor {
  explicit hetc_executor(const tla::runtime::Options &options, std::unique_ptr<tla::host::CallDevices> opened = nullptr)
      : devices(std::move(opened)), alone(std::make_unique<tla::runtime::Executor>(options)), executor(*alone) {}
  explicit hetc_executor(std::unique_ptr<tla::runtime::RankExecutor> one,
                         std::unique_ptr<tla::host::CallDevices> opened = nullptr)
      : devices(std::move(opened)), ranks(std::move(one)), executor(ranks->executor()) {}

  std::unique_ptr<tla::host::CallDevices> devices;   ///< null: there are none
  std::unique_ptr<tla::runtime::Executor> alone;     ///< the executor of a program without ranks; otherwise null
  std::unique_ptr<tla::runtime::RankExecutor> ranks; ///< the executor of one of several ranks; otherwise null
  tla::runtime::Executor &executor;
  hetc::Residence residence;
};

namespace {

using tla::UsageError;
using tla::runtime::Algorithm;

struct Entry {
  const char *name;
  const Algorithm *types[4]; ///< one description for each element type, in the order of `letters`
};

constexpr char letters[] = "sdcz";
constexpr Entry entries[] = {
#define HETC_ALGORITHM(name)                                                                                           \
  {#name, {&tla_algorithm_##name##_s, &tla_algorithm_##name##_d, &tla_algorithm_##name##_c, &tla_algorithm_##name##_z}},
#include <algorithms.def>
#undef HETC_ALGORITHM
};

const hetc_algorithm *handleOf(const Algorithm *algorithm) {
  return reinterpret_cast<const hetc_algorithm *>(algorithm);
}
const Algorithm &algorithmOf(const hetc_algorithm *handle) {
  if (!handle)
    throw UsageError("the algorithm is null");
  return *reinterpret_cast<const Algorithm *>(handle);
}

/// The error message of the last call on this thread. It has no destructor: calls may come from those of the host's own
/// thread-local and static objects, and from atexit handlers. Longer texts are cut.
class Message {
public:
  void clear() { text_[0] = 0; }
  void operator=(std::string_view text) {
    const std::size_t length = std::min(text.size(), sizeof text_ - 1);
    std::memcpy(text_, text.data(), length);
    text_[length] = 0;
  }
  const char *c_str() const { return text_; }

private:
  char text_[4096];
};
static_assert(std::is_trivially_destructible_v<Message>);

/// The message is the thread's, as errno is: the interface returns a code, and hetc_message() what it means.
constinit thread_local Message message{};

/// Runs the body of a function of the interface: what it throws becomes a code, and the message.
template <typename Body> hetc_status guarded(Body body) noexcept {
  const auto failed = [](hetc_status status, const char *text) {
    message = text;
    return status;
  };
  try {
    message.clear();
    return body();
  } catch (const UsageError &error) {
    return failed(HETC_USAGE, error.what());
  } catch (const std::bad_alloc &) {
    return failed(HETC_NO_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return failed(HETC_FAULT, error.what());
  } catch (...) {
    return failed(HETC_FAULT, "an exception that is no std::exception");
  }
}

template <typename Value> void require(Value *pointer, const char *name) {
  if (!pointer)
    throw UsageError(std::string(name) + " is null");
}

int indexOf(char type) {
  const char *const letter = type ? std::strchr(letters, type) : nullptr;
  if (!letter)
    throw UsageError(std::string("no element type '") + type + "'; it is s, d, c or z");
  return static_cast<int>(letter - letters);
}

const Algorithm *findAlgorithm(const std::string &name, char type) {
  const int index = indexOf(type);
  for (const Entry &entry : entries)
    if (name == entry.name)
      return entry.types[index];
  throw UsageError("no algorithm '" + name + "' in this library; hetc_name() lists them, hetc_load() takes others");
}

const Algorithm *loadAlgorithm(const char *file, const std::string &name, char type) {
  indexOf(type);
  void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw UsageError(dlerror());
  const std::string symbol = "tla_algorithm_" + name + "_" + type;
  const void *const found = dlsym(library, symbol.c_str());
  if (!found) {
    dlclose(library);
    throw UsageError(std::string(file) + " has no algorithm '" + name + "' for type " + type +
                     "; make it so: hetc --shared --algorithm " + name + " --type " + type);
  }
  return static_cast<const Algorithm *>(found);
}

int requireNumber(int i, int count, const char *what) {
  if (i < 0 || i >= count)
    throw UsageError("no " + std::string(what) + " " + std::to_string(i) + "; there are " + std::to_string(count));
  return i;
}

std::string numericalText(const Algorithm &algorithm, const tla::runtime::Outcome &outcome) {
  return std::string(algorithm.name) + ": info = " + std::to_string(outcome.info) + " from " + outcome.kernel;
}

hetc_status statusOf(const Algorithm &algorithm, const tla::runtime::Outcome &outcome) {
  using Kind = tla::runtime::Outcome::Kind;
  switch (outcome.kind) {
  case Kind::Finished:
    return HETC_OK;
  case Kind::Numerical:
    message = numericalText(algorithm, outcome);
    return HETC_NUMERICAL;
  case Kind::Interrupted:
    message = std::string(algorithm.name) + " was interrupted";
    return HETC_INTERRUPTED;
  case Kind::Fault:
    break;
  }
  message = std::string(algorithm.name) + ": " + outcome.message;
  return HETC_FAULT;
}

/// The storages of those windows that are resident; without windows, of all that are.
std::vector<const tla::Storage *> residentsOf(const hetc_executor &executor, const hetc_matrix *matrices, int count) {
  return matrices ? executor.residence.storagesOf(matrices, count) : executor.residence.storages();
}

/// Ends the residence of these storages; an empty list ends none.
void end(hetc_executor &executor, const std::vector<const tla::Storage *> &storages) {
  if (storages.empty())
    return;
  executor.executor.endResidence(storages);
  executor.residence.remove(storages);
}

hetc_status copyStatus(const tla::runtime::Outcome &outcome, const char *way) {
  using Kind = tla::runtime::Outcome::Kind;
  if (outcome.kind == Kind::Finished)
    return HETC_OK;
  message = std::string("copies of resident matrices ") + way + ": " +
            (outcome.kind == Kind::Interrupted ? "interrupted" : outcome.message);
  return outcome.kind == Kind::Interrupted ? HETC_INTERRUPTED : HETC_FAULT;
}

/// Copies matrices that have just become resident to the devices. If it does not, they are not resident.
hetc_status bring(hetc_executor &executor, const std::vector<const tla::Storage *> &added) {
  if (added.empty())
    return HETC_OK;
  struct Undo {
    ~Undo() {
      if (!isDone)
        end(executor, added);
    }
    hetc_executor &executor;
    const std::vector<const tla::Storage *> &added;
    bool isDone = false;
  } undo{executor, added};
  const hetc_status status = copyStatus(executor.executor.updateAccelerators(added), "to the devices");
  undo.isDone = status == HETC_OK;
  return status;
}

tla::runtime::LocalPart partOf(const hetc_executor *executor, int64_t rows, int64_t columns, int tile) {
  require(executor, "executor");
  const std::string text = std::to_string(rows) + " x " + std::to_string(columns);
  if (tile < 1)
    throw UsageError("tiles of " + std::to_string(tile) + ": their size must be positive");
  return {executor->executor, hetc::asSize(rows, text), hetc::asSize(columns, text), tile, tile};
}

} // namespace

int hetc_interface(void) { return HETC_INTERFACE; }
const char *hetc_version(void) { return HETC_VERSION; }
const char *hetc_message(void) { return message.c_str(); }

hetc_status hetc_executor_create(int threads, hetc_executor **executor) {
  return hetc_executor_create_window(threads, 0, executor);
}

hetc_status hetc_executor_create_window(int threads, int window, hetc_executor **executor) {
  return guarded([&] {
    require(executor, "executor");
    tla::runtime::Options options;
    options.threads = threads;
    if (window != 0)
      options.window = window;
    *executor = new hetc_executor(options);
    return HETC_OK;
  });
}

hetc_status hetc_executor_create_devices(int threads, const char *devices, hetc_executor **executor) {
  return guarded([&] {
    require(executor, "executor");
    require(devices, "devices");
    auto opened = std::make_unique<tla::host::CallDevices>(devices);
    tla::runtime::Options options;
    options.threads = threads;
    options.accelerators = opened->accelerators();
    if (options.accelerators.empty())
      opened.reset();
    *executor = new hetc_executor(options, std::move(opened));
    return HETC_OK;
  });
}

hetc_status hetc_executor_create_ranks(int threads, int communicator, const char *distribution,
                                       hetc_executor **executor) {
  return guarded([&] {
    require(executor, "executor");
    tla::runtime::Options options;
    options.threads = threads;
    *executor = new hetc_executor(
        std::make_unique<tla::runtime::RankExecutor>(communicator, distribution ? distribution : "", options));
    return HETC_OK;
  });
}

hetc_status hetc_executor_create_ranks_devices(int threads, int communicator, const char *distribution,
                                               const char *devices, hetc_executor **executor) {
  return guarded([&] {
    require(executor, "executor");
    tla::runtime::Options options;
    options.threads = threads;
    auto made =
        tla::host::makeRank(communicator, distribution ? distribution : "", devices ? devices : "none", options);
    *executor = new hetc_executor(std::move(made.executor), std::move(made.devices));
    return HETC_OK;
  });
}

int hetc_executor_rank(const hetc_executor *executor) {
  return executor && executor->ranks ? executor->ranks->rank() : 0;
}
int hetc_executor_ranks(const hetc_executor *executor) {
  return executor && executor->ranks ? executor->ranks->size() : 1;
}

hetc_status hetc_refuse(hetc_executor *executor, const char *why) {
  return guarded([&] {
    require(executor, "executor");
    tla::runtime::agreeOnCall(
        executor->executor, [&]() -> std::string { throw UsageError(why ? why : "this rank does not make the call"); });
    return HETC_OK;
  });
}

hetc_status hetc_local_size(const hetc_executor *executor, int64_t rows, int64_t columns, int tile, int64_t *localRows,
                            int64_t *localColumns) {
  return guarded([&] {
    const auto part = partOf(executor, rows, columns, tile);
    if (localRows)
      *localRows = part.rows();
    if (localColumns)
      *localColumns = part.columns();
    return HETC_OK;
  });
}

hetc_status hetc_local_indices(const hetc_executor *executor, int64_t rows, int64_t columns, int tile,
                               int64_t *rowIndices, int64_t *columnIndices) {
  return guarded([&] {
    const auto part = partOf(executor, rows, columns, tile);
    const std::vector<int> down = part.rowIndices(), across = part.columnIndices();
    if (rowIndices)
      std::ranges::copy(down, rowIndices);
    if (columnIndices)
      std::ranges::copy(across, columnIndices);
    return HETC_OK;
  });
}

void hetc_executor_destroy(hetc_executor *executor) { delete executor; }
int hetc_executor_devices(const hetc_executor *executor) { return executor ? executor->executor.accelerators() : 0; }
int hetc_executor_threads(const hetc_executor *executor) { return executor ? executor->executor.threads() : 0; }
void hetc_interrupt(hetc_executor *executor) {
  if (executor)
    executor->executor.interrupt();
}
double hetc_flops_done(const hetc_executor *executor) { return executor ? executor->executor.flopsDone() : 0; }

const char *hetc_name(int i) { return i >= 0 && i < static_cast<int>(std::size(entries)) ? entries[i].name : nullptr; }

hetc_status hetc_find(const char *name, char type, const hetc_algorithm **algorithm) {
  return guarded([&] {
    require(name, "name");
    require(algorithm, "algorithm");
    *algorithm = handleOf(findAlgorithm(name, type));
    return HETC_OK;
  });
}

hetc_status hetc_load(const char *file, const char *name, char type, const hetc_algorithm **algorithm) {
  return guarded([&] {
    require(file, "file");
    require(name, "name");
    require(algorithm, "algorithm");
    *algorithm = handleOf(loadAlgorithm(file, name, type));
    return HETC_OK;
  });
}

const char *hetc_algorithm_name(const hetc_algorithm *algorithm) {
  return algorithm ? algorithmOf(algorithm).name : nullptr;
}
int hetc_matrix_count(const hetc_algorithm *algorithm) { return algorithm ? algorithmOf(algorithm).matrixCount : 0; }
int hetc_scalar_count(const hetc_algorithm *algorithm) { return algorithm ? algorithmOf(algorithm).scalarCount : 0; }

hetc_status hetc_matrix_at(const hetc_algorithm *algorithm, int i, hetc_matrix_parameter *parameter) {
  return guarded([&] {
    require(parameter, "parameter");
    const Algorithm &described = algorithmOf(algorithm);
    const tla::runtime::MatrixParameter &matrix = described.matrices[requireNumber(i, described.matrixCount, "matrix")];
    const char part = matrix.shape == tla::Shape::General ? 'G' : matrix.shape == tla::Shape::Lower ? 'L' : 'U';
    *parameter = {matrix.name, matrix.shapeText, static_cast<char>(matrix.type),
                  part,        matrix.written,   matrix.workspace != nullptr};
    return HETC_OK;
  });
}

hetc_status hetc_scalar_at(const hetc_algorithm *algorithm, int i, hetc_scalar_parameter *parameter) {
  return guarded([&] {
    require(parameter, "parameter");
    const Algorithm &described = algorithmOf(algorithm);
    const tla::runtime::ScalarParameter &scalar = described.scalars[requireNumber(i, described.scalarCount, "scalar")];
    const bool tuned = !scalar.hasDefault && scalar.candidateCount > 0;
    const hetc_scalar value{tuned ? scalar.candidates[0] : scalar.defaultValue.integer, scalar.defaultValue.real,
                            scalar.defaultValue.imag};
    *parameter = {scalar.name, scalar.type, scalar.hasDefault || tuned, value};
    return HETC_OK;
  });
}

hetc_status hetc_run(hetc_executor *executor, const hetc_algorithm *algorithm, const hetc_matrix *matrices,
                     int matrixCount, const hetc_scalar *scalars, int scalarCount, int tile, hetc_outcome *outcome) {
  return guarded([&] {
    if (outcome)
      *outcome = {};
    require(executor, "executor");
    const Algorithm *wanted = nullptr;
    std::optional<hetc::BlasGuard> guard;
    std::vector<tla::runtime::ScalarValue> values;
    std::optional<hetc::Matrices> arguments;
    tla::runtime::agreeOnCall(executor->executor, [&] {
      wanted = &algorithmOf(algorithm);
      if (matrixCount > 0)
        require(matrices, "matrices");
      if (scalarCount > 0)
        require(scalars, "scalars");
      guard.emplace();
      values = hetc::scalarsOf(*wanted, scalars, scalarCount);
      arguments.emplace(*wanted, matrices, matrixCount, values, tile, executor->executor, executor->devices.get(),
                        executor->residence);
      if (executor->devices)
        executor->executor.share(arguments->shares());
      return executor->ranks ? describeCall(executor->executor, *wanted, {arguments->storages(), values.data()})
                             : std::string();
    });
    const auto result = executor->executor.run(*wanted, {arguments->storages(), values.data()});
    if (outcome)
      *outcome = {result.info, arguments->tile(), result.statistics.seconds, result.statistics.tasks};
    return statusOf(*wanted, result);
  });
}

hetc_status hetc_make_resident(hetc_executor *executor, const hetc_algorithm *algorithm, const hetc_matrix *matrices,
                               int matrixCount, const hetc_scalar *scalars, int scalarCount, int tile) {
  return guarded([&] {
    require(executor, "executor");
    if (!executor->devices)
      throw UsageError("the executor has no devices with which matrices could stay");
    if (executor->ranks)
      throw UsageError(
          "matrices of several ranks cannot become resident: their parts are with the devices during a run");
    const Algorithm &wanted = algorithmOf(algorithm);
    if (matrixCount > 0)
      require(matrices, "matrices");
    if (scalarCount > 0)
      require(scalars, "scalars");
    const hetc::BlasGuard guard;
    const std::vector<tla::runtime::ScalarValue> values = hetc::scalarsOf(wanted, scalars, scalarCount);
    const hetc::Matrices arguments(wanted, matrices, matrixCount, values, tile, executor->executor,
                                   executor->devices.get(), executor->residence, /*isToReside=*/true);
    executor->executor.share(arguments.shares());
    const std::string obstacle = executor->executor.makeResident(wanted, {arguments.storages(), values.data()});
    if (!obstacle.empty()) {
      message = std::string(wanted.name) + ": " + obstacle;
      return HETC_NO_MEMORY;
    }
    return bring(*executor, arguments.addTo(executor->residence, matrices));
  });
}

hetc_status hetc_update_host(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount) {
  return guarded([&] {
    require(executor, "executor");
    const auto meant = residentsOf(*executor, matrices, matrixCount);
    return matrices && meant.empty() ? HETC_OK : copyStatus(executor->executor.updateHost(meant), "to the host");
  });
}

hetc_status hetc_update_devices(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount) {
  return guarded([&] {
    require(executor, "executor");
    const auto meant = residentsOf(*executor, matrices, matrixCount);
    return matrices && meant.empty() ? HETC_OK
                                     : copyStatus(executor->executor.updateAccelerators(meant), "to the devices");
  });
}

hetc_status hetc_end_residence(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount) {
  return guarded([&] {
    if (executor)
      end(*executor, residentsOf(*executor, matrices, matrixCount));
    return HETC_OK;
  });
}
