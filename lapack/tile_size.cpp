#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"

namespace tla::lapack {

std::vector<runtime::ScalarValue> withDefaults(const runtime::Algorithm &algorithm,
                                               std::vector<runtime::ScalarValue> given) {
  for (int i = static_cast<int>(given.size()); i < algorithm.scalarCount; ++i)
    given.push_back(algorithm.scalars[i].defaultValue);
  return given;
}

int TileSizes::choose(const Work &work, int threads, const std::string &kernels) {
  if (environment().nb)
    return *environment().nb;
  return sizes_.choose(work.algorithm, work.values, withDefaults(work.algorithm, work.scalars), threads, kernels);
}

} // namespace tla::lapack
