#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"
#include "runtime/bootstrap/tile_size.hpp"

namespace tla::lapack {

int tileSize(const runtime::Algorithm &algorithm, const runtime::Values &values, int threads) {
  if (environment().nb)
    return *environment().nb;
  std::vector<bootstrap::Extent> extents;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    extents.push_back({algorithm.matrices[i].rows(values), algorithm.matrices[i].cols(values)});
  return bootstrap::chooseTileSize(algorithm, extents, threads);
}

} // namespace tla::lapack
