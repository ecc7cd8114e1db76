#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"
#include "runtime/bootstrap/tile_search.hpp"
#include "runtime/bootstrap/tile_size.hpp"

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

std::vector<bootstrap::Extent> extentsOf(const Work &work) {
  const runtime::Values values{work.values.m, work.values.n, work.values.k, work.scalars.data()};
  std::vector<bootstrap::Extent> extents;
  for (int i = 0; i < work.algorithm.matrixCount; ++i)
    extents.push_back({work.algorithm.matrices[i].rows(values), work.algorithm.matrices[i].cols(values)});
  return extents;
}

/// The search times the kernels on a problem of three by three tiles, on one thread: what that is of the call itself
/// must be small.
bool worthASearch(int nb, const std::vector<bootstrap::Extent> &extents, int threads) {
  constexpr double share = 0.1, sampleTiles = 3;
  long side = 0;
  for (const bootstrap::Extent &extent : extents)
    side = std::max(side, std::min(extent.rows, extent.columns));
  return threads * std::pow(sampleTiles * nb / static_cast<double>(side), 3) < share;
}

} // namespace

int TileSizes::choose(const Work &work, int threads, const std::string &kernels) {
  if (environment().nb)
    return *environment().nb;
  const Work rounded{
      work.algorithm, {roundedUp(work.values.m), roundedUp(work.values.n), roundedUp(work.values.k)}, work.scalars};
  std::vector<long> key{reinterpret_cast<long>(&work.algorithm), rounded.values.m, rounded.values.n, rounded.values.k,
                        threads};
  for (const runtime::ScalarValue &scalar : work.scalars)
    key.push_back(scalar.integer);
  int &nb = known_[key];
  if (nb)
    return nb;
  const std::vector<bootstrap::Extent> extents = extentsOf(rounded);
  nb = bootstrap::chooseTileSize(rounded.algorithm, extents, threads);
  if (worthASearch(nb, extents, threads))
    nb = bootstrap::chooseTiles({.algorithm = work.algorithm,
                                 .values = rounded.values,
                                 .scalars = work.scalars,
                                 .threads = threads,
                                 .kernels = kernels})
             .nb;
  return nb;
}

} // namespace tla::lapack
