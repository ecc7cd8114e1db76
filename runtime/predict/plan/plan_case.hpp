// What a plan is about, as one value: every search of a plan reads it, and asks it what follows for tiles of a size.
#pragma once

#include "runtime/predict/plan/plan.hpp"
#include "runtime/predict/rates/device_rates.hpp"
#include "runtime/predict/rates/kernel_times.hpp"

#include <tla/runtime/executor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// One problem on one machine, with what is known of it so far: rates once they are measured, choices once they are
/// made. The functions say what follows for tiles of nb columns; they change nothing, and a test may answer in their
/// place. Used by one thread at a time.
class PlanCase {
public:
  /// `threads`: of each rank. The case refers to the problem and the settings.
  PlanCase(const Problem &problem, const Settings &settings, int threads, int ranks = 1);
  PlanCase(const PlanCase &) = delete;
  PlanCase &operator=(const PlanCase &) = delete;
  virtual ~PlanCase() = default;

  const runtime::Algorithm &algorithm() const { return *problem.algorithm; }

  /// How tiles are cut, as rates have it: trials are for the tile size that is chosen in the end. Throws UsageError
  /// where tiles are too narrow for it.
  virtual Cut cut(int nb) const;
  /// The shares of the host and each accelerator.
  virtual runtime::DeviceShares shares(int nb) const { return sharesWith(nb, cut(nb), hostComputes); }
  /// The distribution that was given, or the best one for tiles of nb. While the tile size is open also others that
  /// move few bytes more, behind it; with a given size owners do not depend on measurements.
  virtual std::vector<Distribution> owners(int nb) const;
  /// Times as a measurement of the kernels on a sample would give them. Nothing: they are to be measured.
  virtual std::optional<KernelTimes> times(int /*nb*/, const std::vector<runtime::ScalarValue> & /*scalars*/) const {
    return std::nullopt;
  }

  /// Shares where tiles are cut so; without `host` its share of whole columns is none, whatever the rates say.
  runtime::DeviceShares sharesWith(int nb, Cut cut, bool host) const;
  /// Whether rates give the host whole columns at all.
  bool hostMay(int nb) const;
  /// Seconds of a run in the machine's time; infinite: it cannot run on such tiles. Throws Interrupted.
  double virtualSeconds(const runtime::VirtualHardware &hardware, int nb, bool host) const;
  /// The machine of the settings' profile, or of measured rates.
  runtime::VirtualHardware hardware() const;
  /// Plan::timing.
  std::shared_ptr<const runtime::VirtualHardware> timing() const;
  /// The cut of the settings, without a look at rates.
  Cut cutBySettings(int nb) const;
  /// The problem without its data, on tiles of nb, with what is chosen so far.
  std::unique_ptr<Problem> on(int nb, Cut cut) const;

  void remark(const std::string &text) const {
    if (events.remark)
      events.remark(text);
  }
  void checkpoint() const {
    if (events.checkpoint)
      events.checkpoint();
  }

  const Problem &problem; ///< problem, whose tile size, cut and distribution are not looked at
  const Settings &settings;
  int threads = 1; ///< threads of each rank
  int ranks = 1;
  std::string kernels;                                 ///< bodies in use, with versions; they must be installed
  std::vector<runtime::AcceleratorProperties> devices; ///< devices of each rank, the same on all
  RatesRequest units;                                  ///< how their rates are found; empty: they are not wanted
  NodeRates rates;                                     ///< nothing when weights and tile size were given
  PlanEvents events;

  std::vector<runtime::ScalarValue> scalars; ///< the problem's, with parameters that were chosen
  Distribution distribution;                 ///< distribution that was chosen
  bool hostComputes = true;                  ///< whether the host has a share of whole tile columns by rates; else none
};

} // namespace tla::host
