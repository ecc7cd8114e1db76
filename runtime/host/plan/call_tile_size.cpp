#include "runtime/host/plan/tile_search.hpp"
#include "runtime/host/plan/tile_size.hpp"
#include "runtime/host/problem/sizes.hpp"

#include <tla/runtime/tile_size.hpp>

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {

/// The search times the kernels on a problem of three by three tiles, on one thread: what that is of the call itself
/// must be small.
bool worthASearch(int nb, const std::vector<Extent> &extents, int threads) {
  constexpr double share = 0.1, sampleTiles = 3;
  long side = 0;
  for (const Extent &extent : extents)
    side = std::max(side, std::min(extent.rows, extent.columns));
  return threads * std::pow(sampleTiles * nb / static_cast<double>(side), 3) < share;
}

} // namespace

int chooseCallTileSize(const runtime::Algorithm &algorithm, const runtime::Values &values,
                       const std::vector<runtime::ScalarValue> &scalars, int threads, const std::string &kernels) {
  const runtime::Values sizes{values.m, values.n, values.k, scalars.data()};
  const std::vector<Extent> extents = matrixExtents(algorithm, sizes);
  const int nb = chooseTileSize(algorithm, extents, threads);
  if (!worthASearch(nb, extents, threads))
    return nb;
  return chooseTiles(
             {.algorithm = algorithm, .values = sizes, .scalars = scalars, .threads = threads, .kernels = kernels})
      .nb;
}

} // namespace tla::host
