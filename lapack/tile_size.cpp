#include "lapack/tile_size.hpp"

#include "lapack/environment.hpp"

#include <tla/runtime/tile_size.hpp>

#include <bit>

namespace tla::lapack {
namespace {

/// Up to the next of 8, 9, .. 15, 16, 18, .. 30, 32, 36, ..
long roundedUp(long size) {
  const long step = static_cast<long>(std::bit_floor(static_cast<unsigned long>(size | 8))) / 8;
  return (size + step - 1) / step * step;
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
  nb = host::chooseCallTileSize(work.algorithm, rounded, scalars, threads, kernels);
  return nb;
}

} // namespace tla::lapack
