// Executors: of one process or of one of several ranks, with devices or without.
#include "c/guarded.hpp"

#include <algorithm>
#include <string>
#include <vector>

using hetc::guarded, hetc::require;

namespace {

using tla::UsageError;

tla::runtime::LocalPart partOf(const hetc_executor *executor, int64_t rows, int64_t columns, int tile) {
  require(executor, "executor");
  const std::string text = std::to_string(rows) + " x " + std::to_string(columns);
  if (tile < 1)
    throw UsageError("tiles of " + std::to_string(tile) + ": their size must be positive");
  return {executor->executor, hetc::asSize(rows, text), hetc::asSize(columns, text), tile, tile};
}

} // namespace

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
