#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"
#include "runtime/bootstrap/tile_size.hpp"

namespace tla::lapack {

int tileSize(const runtime::Algorithm &algorithm, const runtime::Values &values, const std::vector<long> &scalars,
             int threads) {
  if (environment().nb)
    return *environment().nb;
  std::vector<runtime::ScalarValue> given(algorithm.scalarCount);
  for (std::size_t i = 0; i < scalars.size(); ++i)
    given[i].integer = scalars[i];
  const runtime::Values all{values.m, values.n, values.k, given.data()};
  std::vector<bootstrap::Extent> extents;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    extents.push_back({algorithm.matrices[i].rows(all), algorithm.matrices[i].cols(all)});
  return bootstrap::chooseTileSize(algorithm, extents, threads);
}

} // namespace tla::lapack
