// The compiled algorithms in this library, by name and element type: algorithms/cholesky.tla for double is
// algorithm::cholesky<double>().
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <complex>
#include <type_traits>

#define HETC_ALGORITHM(name)                                                                                           \
  extern "C" const tla::runtime::Algorithm tla_algorithm_##name##_s, tla_algorithm_##name##_d,                         \
      tla_algorithm_##name##_c, tla_algorithm_##name##_z;                                                              \
  namespace tla::lapack::algorithm {                                                                                   \
  template <typename T> const runtime::Algorithm &name() {                                                             \
    if constexpr (std::is_same_v<T, float>)                                                                            \
      return tla_algorithm_##name##_s;                                                                                 \
    else if constexpr (std::is_same_v<T, double>)                                                                      \
      return tla_algorithm_##name##_d;                                                                                 \
    else if constexpr (std::is_same_v<T, std::complex<float>>)                                                         \
      return tla_algorithm_##name##_c;                                                                                 \
    else                                                                                                               \
      return tla_algorithm_##name##_z;                                                                                 \
  }                                                                                                                    \
  }

HETC_ALGORITHM(cholesky)
HETC_ALGORITHM(cholesky_upper)
HETC_ALGORITHM(ge2gb)
HETC_ALGORITHM(ge2gb_p)
HETC_ALGORITHM(gelqf)
HETC_ALGORITHM(geqrf)
HETC_ALGORITHM(gesvd)
HETC_ALGORITHM(getrf)
HETC_ALGORITHM(getri)
HETC_ALGORITHM(getrs)
HETC_ALGORITHM(heev)
HETC_ALGORITHM(heev_values)
HETC_ALGORITHM(hegst)
HETC_ALGORITHM(lauum)
HETC_ALGORITHM(orglq)
HETC_ALGORITHM(orgqr)
HETC_ALGORITHM(ormlq)
HETC_ALGORITHM(ormqr)
HETC_ALGORITHM(potri)
HETC_ALGORITHM(potrs)
HETC_ALGORITHM(potrs_upper)
HETC_ALGORITHM(trsm)
HETC_ALGORITHM(trtri)
#undef HETC_ALGORITHM
