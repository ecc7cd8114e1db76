// The exported symbols: a routine's template under its Fortran name in each type.
#pragma once

#include <complex>

// HETC_EXPORT(potrf, (const char *uplo, const int *n, T *a, const int *lda, int *info), (uplo, n, a, lda, info))
// defines spotrf_ and dpotrf_, cpotrf_ and zpotrf_ as calls of potrf<T>.
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
  namespace tla::lapack::letter##_type {                                                                               \
    using T = type;                                                                                                    \
    extern "C" __attribute__((visibility("default"))) void letter##name##_ parameters { routine<T> arguments; }        \
  }
