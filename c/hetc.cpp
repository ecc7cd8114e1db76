// Runs of the C interface, and matrices that stay with the devices between them.
#include "c/arguments.hpp"
#include "c/blas_guard.hpp"
#include "c/guarded.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hetc {

constinit thread_local Message message{};

} // namespace hetc

namespace {

using hetc::algorithmOf, hetc::guarded, hetc::message, hetc::require;
using tla::UsageError;
using tla::runtime::Algorithm;

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

} // namespace

int hetc_interface(void) { return HETC_INTERFACE; }
const char *hetc_version(void) { return HETC_VERSION; }
const char *hetc_message(void) { return message.c_str(); }

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
