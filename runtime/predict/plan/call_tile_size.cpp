#include "runtime/host/problem/problem.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"

#include <tla/runtime/tile_size.hpp>

#include <algorithm>
#include <bit>
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

long roundedUp(long size) {
  const long step = static_cast<long>(std::bit_floor(static_cast<unsigned long>(size | 8))) / 8;
  return (size + step - 1) / step * step;
}

int chooseCallTileSize(const runtime::Algorithm &algorithm, const runtime::Values &values,
                       const std::vector<runtime::ScalarValue> &scalars, int threads, const std::string &kernels) {
  const runtime::Values sizes{values.m, values.n, values.k, scalars.data()};
  const std::vector<Extent> extents = matrixExtents(algorithm, sizes);
  const int nb = chooseTileSize(algorithm, extents, threads);
  if (!worthASearch(nb, extents, threads))
    return nb;
  Settings settings;
  for (int s = 0; s < algorithm.scalarCount; ++s) // the caller's: none is searched
    settings.scalars.push_back({algorithm.scalars[s].name, ""});
  const auto problem = makeProblem(algorithm, scalars, sizes);
  PlanCase plan(*problem, settings, threads);
  plan.kernels = kernels;
  return chooseTiles(plan).nb;
}

int CallTileSizes::choose(const runtime::Algorithm &algorithm, const runtime::Values &values,
                          const std::vector<runtime::ScalarValue> &scalars, int threads, const std::string &kernels) {
  const runtime::Values rounded{roundedUp(values.m), roundedUp(values.n), roundedUp(values.k), scalars.data()};
  std::vector<long> key{reinterpret_cast<long>(&algorithm), rounded.m, rounded.n, rounded.k, threads};
  for (const runtime::ScalarValue &scalar : scalars)
    key.push_back(scalar.integer);
  int &nb = known_[key];
  if (nb == 0)
    nb = chooseCallTileSize(algorithm, rounded, scalars, threads, kernels);
  return nb;
}

} // namespace tla::host
