// The accelerators of a program that calls algorithms on its own arrays, and what is chosen for a call on them.
#pragma once

#include <tla/kernels/table.hpp>
#include <tla/runtime/executor.hpp>
#include <tla/runtime/ranks.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tla::host {

/// The tile size and shares for a call on devices.
struct CallPlan {
  int nb = 0;                   ///< size of tiles
  runtime::DeviceShares shares; ///< argument for Executor::share()
};

/// Opened devices. Used by one thread at a time.
class CallDevices {
public:
  /// `choice` as --devices takes it: "auto", "none", "cuda:0,1", "emulated:2,mem=1G". Throws UsageError for one that
  /// cannot be, and for a profile, on which nothing is computed; tla::Error when a device cannot be opened.
  explicit CallDevices(const std::string &choice);
  /// Opens the devices of one of several ranks, collectively: ranks of a machine that choose the same CUDA devices deal
  /// them among themselves. An exception on one rank is thrown on all.
  CallDevices(const std::string &choice, runtime::Transport &transport);
  CallDevices(const CallDevices &) = delete;
  CallDevices &operator=(const CallDevices &) = delete;
  ~CallDevices();

  /// The opened devices, for Options::accelerators. They live as long as this object.
  std::vector<runtime::Accelerator *> accelerators() const;

  /// Plans a call as `hetc run` plans on one node with these devices, also on one of several ranks, whose tile size is
  /// the caller's: by measured rates, which are taken in about a second when they are not known yet, and runs in
  /// virtual time, once for a program and sizes, which are rounded up to eight per octave before; both are kept in
  /// hetc's cache. `tile`: the size of tiles where it is given, else 0. `threads`: that compute. `kernels`: as they
  /// were installed.
  const CallPlan &plan(const runtime::Algorithm &algorithm, const runtime::Values &values,
                       const std::vector<runtime::ScalarValue> &scalars, int tile, int threads,
                       const kernels::KernelStatus &kernels);

private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
  std::map<std::vector<long>, CallPlan> known_;
};

/// One of several ranks with accelerators: RankExecutor of a communicator, whose ranks have opened `devices` together.
/// Options::accelerators is not looked at. Collective, and what it throws all ranks throw, as RankExecutor has it.
struct RankOnDevices {
  std::unique_ptr<CallDevices> devices; ///< null: this rank has none
  std::unique_ptr<runtime::RankExecutor> executor;
};
RankOnDevices makeRank(int communicator, const std::string &distribution, const std::string &devices,
                       runtime::Options options);

} // namespace tla::host
