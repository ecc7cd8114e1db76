/* What the compiler is told: PREFIX and SUFFIX of the names ("scipy_", "_64_"), LONG_INTEGERS, IDENTITY. */
#include <stddef.h>
#include <stdint.h>

#ifdef LONG_INTEGERS
typedef int64_t integer;
#define OPENBLAS_SUFFIX 64_
#define CONFIGURATION "OpenBLAS 0.0.0 USE64BITINT"
#else
typedef int32_t integer;
#define OPENBLAS_SUFFIX
#define CONFIGURATION "OpenBLAS 0.0.0"
#endif

#define JOINED(prefix, name, suffix) JOINED_TEXTS(prefix, name, suffix)
#define JOINED_TEXTS(prefix, name, suffix) prefix##name##suffix
#define NAME(routine) JOINED(PREFIX, routine, SUFFIX)

#define EXPORT __attribute__((visibility("default")))
