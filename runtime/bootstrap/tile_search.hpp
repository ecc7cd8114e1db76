// The tile size when the user gives none: a short search, remembered.
#pragma once

#include "runtime/bootstrap/problem.hpp"
#include "runtime/bootstrap/supervisor.hpp"

#include <string>

namespace tla::bootstrap {

struct TileChoice {
  int nb = 0;
  bool searched = false; ///< measured just now; else remembered, or not worth a search
  double seconds = 0;    ///< that the search took
};

/// The tile size with the least predicted time. Candidates cut the largest side into equal parts, a few more and a few
/// less than chooseTileSize() says. For each, the kernels are timed on a problem of three by three tiles, and the
/// task graph of the whole problem is simulated with those times on `workers` workers. Takes at most a quarter of the
/// time that the problem itself takes, and nothing when the same program, sizes, scalars, threads, kernels and
/// processor were seen before: the answer is kept in tiles.json in hetc's cache directory. `kernels` names the bodies
/// in use, which must be installed.
///
/// Never fails a run: candidates with more than a million tasks are passed over, and when the sample does not finish or
/// nothing can be predicted the answer is chooseTileSize()'s and is not remembered. Throws Interrupted on a signal.
TileChoice searchTileSize(const Problem &problem, const Settings &settings, int workers, const std::string &kernels,
                          Supervisor &supervisor);

/// What the answer depends on, as text: the key in tiles.json.
std::string tileSearchKey(const Problem &problem, int workers, const std::string &kernels);

} // namespace tla::bootstrap
