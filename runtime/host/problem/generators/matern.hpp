// The matrix of a real use: maximum likelihood for a Gaussian process needs the Cholesky factor of its covariance.
#pragma once

#include "runtime/host/files/matrix_source.hpp"

#include <cstdint>
#include <memory>

namespace tla::host {

struct MaternParameters {
  double range = 0.1;      ///< > 0, in the unit square
  double smoothness = 0.5; ///< nu: 0.5, 1.5 or 2.5, where the Bessel function is elementary
  double nugget = 0;       ///< >= 0, added to the diagonal: measurement noise
};

/// A(i, j) = M_nu(|s_i - s_j| / range) + nugget [i = j] over n sites in the unit square: one per cell of a
/// ceil(sqrt n) x ceil(sqrt n) grid, moved at random by up to 0.4 cells so that no two sites meet, and numbered in
/// Morton order so that near sites are near in the matrix -- the setting of ExaGeoStat [Abdulah et al., TPDS 2018].
/// With x = distance / range: M_0.5 = exp(-x), M_1.5 = (1 + x) exp(-x), M_2.5 = (1 + x + x^2 / 3) exp(-x).
std::unique_ptr<MatrixSource> makeMatern(const std::string &text, const MaternParameters &parameters, long n,
                                         std::uint64_t key);

} // namespace tla::host
