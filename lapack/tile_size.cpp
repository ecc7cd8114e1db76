#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"
#include "runtime/host/plan/tile_search.hpp"
#include "runtime/host/plan/tile_size.hpp"
#include "runtime/host/problem/sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tla::lapack {
namespace {

/// Up to the next of 8, 9, .. 15, 16, 18, .. 30, 32, 36, ..
long roundedUp(long size) {
  const long step = static_cast<long>(std::bit_floor(static_cast<unsigned long>(size | 8))) / 8;
  return (size + step - 1) / step * step;
}

/// The search times the kernels on a problem of three by three tiles, on one thread: what that is of the call itself
/// must be small.
bool worthASearch(int nb, const std::vector<host::Extent> &extents, int threads) {
  constexpr double share = 0.1, sampleTiles = 3;
  long side = 0;
  for (const host::Extent &extent : extents)
    side = std::max(side, std::min(extent.rows, extent.columns));
  return threads * std::pow(sampleTiles * nb / static_cast<double>(side), 3) < share;
}

} // namespace

std::vector<runtime::ScalarValue> withDefaults(const runtime::Algorithm &algorithm,
                                               std::vector<runtime::ScalarValue> given) {
  for (int i = static_cast<int>(given.size()); i < algorithm.scalarCount; ++i)
    given.push_back(algorithm.scalars[i].defaultValue);
  return given;
}

int TileSizes::choose(const Work &work, int threads, const std::string &kernels) {
  if (environment().nb)
    return *environment().nb;
  const std::vector<runtime::ScalarValue> scalars = withDefaults(work.algorithm, work.scalars);
  const runtime::Values rounded{roundedUp(work.values.m), roundedUp(work.values.n), roundedUp(work.values.k),
                                scalars.data()};
  std::vector<long> key{reinterpret_cast<long>(&work.algorithm), rounded.m, rounded.n, rounded.k, threads};
  for (const runtime::ScalarValue &scalar : scalars)
    key.push_back(scalar.integer);
  int &nb = known_[key];
  if (nb)
    return nb;
  const std::vector<host::Extent> extents = host::matrixExtents(work.algorithm, rounded);
  nb = host::chooseTileSize(work.algorithm, extents, threads);
  if (worthASearch(nb, extents, threads))
    nb = host::chooseTiles({.algorithm = work.algorithm,
                            .values = rounded,
                            .scalars = scalars,
                            .threads = threads,
                            .kernels = kernels})
             .nb;
  return nb;
}

} // namespace tla::lapack
