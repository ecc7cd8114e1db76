// How fast the cores and accelerators of a node are, and what that means for who gets what ([Dongarra14] 6.2, 6.6).
#pragma once

#include "runtime/device/accelerator.hpp"

#include <tla/runtime/executor.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// The measured rates of one core or one accelerator, for one element type.
struct UnitRates {
  /// Seconds of one task on full nb x nb tiles, in a stream of such tasks: by the kernel's short name and nb.
  std::map<std::string, std::map<int, double>> seconds;
  /// Seconds of one task while an accelerator has nothing else to do: launches, and the part of it that stays idle.
  /// Above `seconds` where tasks overlap. Kernels that are missing here do not overlap.
  std::map<std::string, std::map<int, double>> alone = {};
  /// Seconds of one task alone on a panel of tallPanel tiles of nb rows, by panel kernels that take such: on an
  /// accelerator it takes hardly longer than on one tile, as its columns wait for each other; on a core the part above
  /// one tile is long products (larfb). Kernels that are missing here take time in proportion to the rows. For "laswp"
  /// the panel's height does not matter.
  std::map<std::string, std::map<int, double>> tall = {};
  static constexpr int tallPanel = 8;
  /// Additional seconds that a kernel takes while products fill the accelerator, for kernels that are several of an
  /// accelerator's own, one after the other; for those that take panels on one of tallPanel tiles. Taken to grow with
  /// the columns, and for larfb with the tiles.
  std::map<std::string, std::map<int, double>> waits = {};
  /// Seconds of the host's thread that begins tasks of an accelerator, for a launch that could take several: small ones
  /// that are launched alone take this. 0: no more than the tasks, or there are no such kernels.
  double launch = 0;
  /// An accelerator's copies, in the slower direction: latency in seconds, and bytes per second; 0: none was measured.
  double latency = 0, bandwidth = 0;

  /// Seconds of one task on nb x nb tiles. Between the sizes that were measured seconds / nb^3 is interpolated in log
  /// nb; above the largest that quotient is the largest's, below the smallest the seconds are the smallest's. nullopt
  /// for a kernel that was not measured.
  std::optional<double> secondsOf(const std::string &kernel, int nb) const;
  /// Seconds of the kernel by `alone`, at least secondsOf().
  std::optional<double> secondsAlone(const std::string &kernel, int nb) const;
  /// Seconds of one task alone on a panel of `tiles` tiles of nb rows, by `tall`; nullopt where that has not the
  /// kernel.
  std::optional<double> panelSeconds(const std::string &kernel, int nb, double tiles) const;
  /// Seconds of the kernel by `waits`; 0 where none were measured. Beyond the largest size measured they are in
  /// proportion to nb.
  double waitSeconds(const std::string &kernel, int nb) const;
  /// Seconds to copy a tile of so many bytes between host and accelerator; 0 where nothing was measured.
  double copySeconds(double bytes) const { return bandwidth > 0 ? latency + bytes / bandwidth : 0; }
};

struct NodeRates {
  UnitRates core;
  std::vector<UnitRates> accelerators;
};

/// Small integers in proportion to rates: the first is the host's, which may become 0, the others are at least 1. With
/// the largest weight as small as possible, at most 10, the columns of a matrix that are dealt by them are done in a
/// time within 2% of the best; where no such weights come within 10%, because the rates are far apart, it may be up to
/// 100. Equal ones when nothing is known: rates of 0.
std::vector<int> weightsOf(const std::vector<double> &rates);

/// The problem for which the shares of host and accelerators are chosen.
struct ShareRequest {
  std::string kernel; ///< the one that decides, where most operations are: [Song12] 3.2's dominant kernel
  int nb = 0;
  int threads = 1; ///< threads of the host
  std::size_t elementBytes = 8;
};

/// Columns in proportion to the rates of the deciding kernel. The host's rate is that of all its threads, and 0 beside
/// accelerators whose kernels take the host's cores: what is left of these is for panels.
///
/// A panel kernel runs on an accelerator for which it takes less time than a core's, the ways of the tile there and
/// back added ([Dongarra14] 6.2: computation + communication), of a panel of tallPanel tiles where that is known; where
/// it was not measured, or takes the host's cores anyhow, as AcceleratorProperties::runs says.
runtime::DeviceShares sharesOf(const NodeRates &rates, const std::vector<runtime::AcceleratorProperties> &devices,
                               const ShareRequest &request);

} // namespace tla::host
