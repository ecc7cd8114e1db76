// Tile size and tuning parameters when the user gives none: a short search, remembered.
#pragma once

#include "runtime/predict/plan/plan_case.hpp"

#include <tla/runtime/executor.hpp>

#include <string>
#include <vector>

namespace tla::host {

struct TileChoice {
  int nb = 0;
  std::vector<runtime::ScalarValue> scalars; ///< the case's, the tunable ones chosen
  std::optional<Distribution> distribution;  ///< one of the owners; nothing was found where there is none
  bool searched = false;                     ///< measured just now; else remembered, or not worth a search
  double seconds = 0;                        ///< time of the search
  std::string problem = {};                  ///< why nothing was found, where something went wrong; else empty
};

/// The options of an executor that kernels are timed on: one thread, every task recorded.
runtime::Options measuringOptions();

/// Whether the problem is large enough that a search pays.
bool isWorthSearching(const PlanCase &plan);
/// The sizes that chooseTiles() tries where none is given, the most promising first.
std::vector<int> tileSizes(const PlanCase &plan);

/// The tile size and tuning parameters with the least predicted time; with nb > 0 the parameters for tiles of that
/// size. Candidates for nb cut the problem into equal parts, a few more and a few less than chooseTileSize() says, each
/// cut as it would be in a run; the first of them is tried with every candidate of the other parameters, the rest with
/// the best of those. On several ranks sizes that give each rank more tiles are tried, too. For each, the kernels are
/// timed on a problem of three by three tiles, and the task graph of the whole problem is simulated with those times on
/// `threads` workers, of which idle ones help with tall panels, or on `ranks` nodes of so many, where each node runs
/// its own tasks and waits for the others' tiles, once for each of the possible owners; accelerators run theirs one
/// after the other, by measured rates, and a tile takes a copy's time from place to place.
/// What is close to the best is timed again, up to five times, and the least times count.
/// Takes at most a quarter of the time that the problem itself takes, or twice that time within 0.2 s, once (more only
/// when the first sample does), and nothing when the same program, sizes, scalars, ranks, threads, kernels and
/// processor were seen before: the answer is kept in tiles.json in hetc's cache directory.
///
/// Of a problem with more tasks than there is time to simulate a smaller one is (part_of_problem.hpp).
/// Never fails a run: when the sample does not finish or
/// nothing can be predicted the answer is chooseTileSize()'s and is not remembered; what was thrown is its `problem`.
/// Throws Interrupted only, when asked to, and what is no std::exception. Says nothing, touches no signal.
TileChoice chooseTiles(const PlanCase &plan, int nb = 0);

/// Everything that chooseTiles() depends on, as text: its key in tiles.json.
std::string tileSearchKey(const PlanCase &plan, int nb = 0);

} // namespace tla::host
