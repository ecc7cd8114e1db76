// The tile size when the user gives none: a short search, remembered.
#pragma once

#include "runtime/bootstrap/problem.hpp"

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
/// time that the problem itself takes, and nothing when these sizes, threads and kernels were seen before: the answer
/// is kept in tiles.json in hetc's cache directory. `kernels` names the bodies in use, which must be installed.
TileChoice searchTileSize(const Problem &problem, const Settings &settings, int workers, const std::string &kernels);

} // namespace tla::bootstrap
