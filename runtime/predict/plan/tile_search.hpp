// Tile size and tuning parameters when the user gives none: a short search, remembered.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "runtime/predict/plan/kernel_times.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <tla/runtime/executor.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tla::host {

/// The accelerators of a rank, as far as the search knows them.
struct SearchedDevices {
  std::vector<runtime::AcceleratorProperties> properties;
  NodeRates rates;
  /// Who gets what when tiles are nb wide.
  std::function<runtime::DeviceShares(int nb)> shares = {};
};

/// What is to be run, as far as its speed depends on it.
struct TileRequest {
  const runtime::Algorithm &algorithm;
  runtime::Values values;                    ///< sizes; its scalars are not looked at
  std::vector<runtime::ScalarValue> scalars; ///< one per parameter; those of `tunable` are where the search starts
  std::vector<int> tunable = {};             ///< numbers of scalar parameters with candidates that may be chosen
  int threads = 1;                           ///< that the run will have, on each rank
  int ranks = 1;
  std::string distribution = {};     ///< that was given; empty: it is chosen with the tile size
  std::optional<Period> period = {}; ///< that matrices have; empty: that of the distribution that is tried
  /// On several ranks: who may own the tiles when they are nb wide; at least one. The first moves the fewest bytes:
  /// others must be faster to be chosen.
  std::function<std::vector<Distribution>(int nb)> owners = {};
  /// The accelerators of each rank, the same on all. Empty: none.
  SearchedDevices devices = {};
  /// How tiles are cut when they are nb wide; throws UsageError where they cannot be, but not for chooseTileSize()'s.
  /// Null: they are whole.
  std::function<Cut(int nb)> cut = {};
  std::string kernels; ///< what bodies are in use, with versions; they must be installed
  int nb = 0;          ///< not 0: given; only the tuning parameters are searched
  /// One with measuringOptions(), whose interrupt ends the search; null: the search makes its own.
  runtime::Executor *executor = nullptr;
  /// Called between measurements; may throw Interrupted (parallel.hpp).
  std::function<void()> checkpoint = {};
  /// Gives the times that a measurement on a sample would give, each time. Null: kernels are measured.
  std::function<KernelTimes(int nb, const std::vector<runtime::ScalarValue> &scalars)> times = {};
};

struct TileChoice {
  int nb = 0;
  std::vector<runtime::ScalarValue> scalars; ///< the request's, the tunable ones chosen
  std::string distribution = {};             ///< name of one of the owners; empty: nothing was found
  bool searched = false;                     ///< measured just now; else remembered, or not worth a search
  double seconds = 0;                        ///< that the search took
  std::string problem = {};                  ///< why nothing was found, where something went wrong; else empty
};

/// The options of an executor that kernels are timed on: one thread, every task recorded.
runtime::Options measuringOptions();

/// The parameters of the algorithm that have candidates, less those that the user gave a value.
std::vector<int> tunableScalars(const runtime::Algorithm &algorithm, const std::vector<std::string> &given);

/// Whether the problem is large enough that a search pays.
bool isWorthSearching(const TileRequest &request);
/// The sizes that chooseTiles() tries, the most promising first.
std::vector<int> tileSizes(const TileRequest &request);

/// The tile size and tuning parameters with the least predicted time. Candidates for nb cut the problem into equal
/// parts, a few more and a few less than chooseTileSize() says, each cut as it would be in a run; the first of them is
/// tried with every candidate of the other parameters, the rest with the best of those. On several ranks sizes that
/// give each rank more tiles are tried, too. For each, the kernels are timed on a problem of three by three tiles, and
/// the task graph of the whole problem is simulated with those times on `threads` workers, of which idle ones help with
/// tall panels, or on `ranks` nodes of so
/// many, where each node runs its own tasks and waits for the others' tiles, once for each of the possible owners;
/// accelerators run theirs one after the other, by measured rates, and a tile takes a copy's time from place to place.
/// What is close to the best is timed again, up to five times, and the least times count.
/// Takes at most a quarter of the time that the problem itself takes, or twice that time within 0.2 s, once (more only
/// when the first sample does), and nothing when the same program, sizes, scalars, ranks, threads, kernels and
/// processor were seen before: the answer is kept in tiles.json in hetc's cache directory.
///
/// Never fails a run: candidates with more than a million tasks are passed over, and when the sample does not finish or
/// nothing can be predicted the answer is chooseTileSize()'s and is not remembered; what was thrown is its `problem`.
/// Throws Interrupted only, when asked to, and what is no std::exception. Says nothing, touches no signal.
TileChoice chooseTiles(const TileRequest &request);

/// Everything that chooseTiles() depends on, as text: its key in tiles.json.
std::string tileSearchKey(const TileRequest &request);

} // namespace tla::host
