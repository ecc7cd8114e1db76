// The exported symbols: a routine's template under its Fortran name in each type.
#pragma once

#include "lapack/names.hpp"

#include <complex>

// HETC_EXPORT(potrf, (const char *uplo, const Int *n, T *a, const Int *lda, Int *info), (uplo, n, a, lda, info))
// defines spotrf_ and dpotrf_, cpotrf_ and zpotrf_ as calls of potrf<T>, and the same for the other families of names.
#define HETC_EXPORT(name, parameters, arguments)                                                                       \
  HETC_EXPORT_REAL(name, name, parameters, arguments)                                                                  \
  HETC_EXPORT_COMPLEX(name, name, parameters, arguments)

// For routines that have another name when they are complex (ormqr, unmqr).
#define HETC_EXPORT_REAL(name, routine, parameters, arguments)                                                         \
  HETC_EXPORT_ONE(s, float, name, routine, parameters, arguments)                                                      \
  HETC_EXPORT_ONE(d, double, name, routine, parameters, arguments)
#define HETC_EXPORT_COMPLEX(name, routine, parameters, arguments)                                                      \
  HETC_EXPORT_ONE(c, std::complex<float>, name, routine, parameters, arguments)                                        \
  HETC_EXPORT_ONE(z, std::complex<double>, name, routine, parameters, arguments)

#define HETC_EXPORT_ONE(letter, type, name, routine, parameters, arguments)                                            \
  HETC_EXPORT_AS(Plain, letter##name##_, letter, type, routine, parameters, arguments)                                 \
  HETC_EXPORT_AS(Ilp64, letter##name##_64_, letter, type, routine, parameters, arguments)                              \
  HETC_EXPORT_AS(Scipy, scipy_##letter##name##_, letter, type, routine, parameters, arguments)                         \
  HETC_EXPORT_AS(ScipyIlp64, scipy_##letter##name##_64_, letter, type, routine, parameters, arguments)

#define HETC_EXPORT_AS(family, symbol, letter, type, routine, parameters, arguments)                                   \
  namespace tla::lapack::letter##_type::family {                                                                       \
    using T = type;                                                                                                    \
    using Int = IntegerOf<Names::family>;                                                                              \
    extern "C" __attribute__((visibility("default"))) void symbol parameters {                                         \
      routine<T, Names::family, Int>(__builtin_return_address(0), HETC_LISTED arguments);                              \
    }                                                                                                                  \
  }
#define HETC_LISTED(...) __VA_ARGS__
