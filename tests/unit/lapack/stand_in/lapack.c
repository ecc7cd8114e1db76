/* A LAPACK that computes nothing: it notes that it was called, and by what number it is known. INFO of
   what it "computed" is 1000 + IDENTITY, the number of threads that it allows is IDENTITY. */
#include "names.h"

static int64_t illegalPosition;

EXPORT int64_t illegalPositionSeen(void) { return illegalPosition; }

EXPORT void NAME(xerbla)(const char *routine, const integer *position, size_t length) {
  (void)routine, (void)length;
  illegalPosition = *position;
}

/* Where the plain names have long integers, OpenBLAS's own functions have no suffix either. */
#define PLAIN_OPENBLAS(name) JOINED(PREFIX, openblas_##name, )
#define OPENBLAS(name) JOINED(PREFIX, openblas_##name, OPENBLAS_SUFFIX)
EXPORT int OPENBLAS(get_num_threads)(void) { return IDENTITY; }
EXPORT const char *PLAIN_OPENBLAS(get_config)(void) { return CONFIGURATION; }

/* The place of INFO, the last argument, is all that differs. */
#define PASSED(info) (*(info) = 1000 + IDENTITY)
#define ROUTINE4(r) EXPORT void NAME(r)(void *a, void *b, void *c, void *d, integer *info) { PASSED(info); }
#define ROUTINE5(r) EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, integer *info) { PASSED(info); }
#define ROUTINE6(r) EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, void *f, integer *info) { PASSED(info); }
#define ROUTINE7(r) EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, void *f, void *g, integer *info) { PASSED(info); }
#define ROUTINE8(r) \
  EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, integer *info) { PASSED(info); }
#define ROUTINE10(r) \
  EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j, integer *info) { \
    PASSED(info); \
  }
#define ROUTINE12(r) \
  EXPORT void NAME(r)(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j, void *k, \
                      void *l, integer *info) { \
    PASSED(info); \
  }

ROUTINE4(dpotrf)
ROUTINE4(dpotri)
ROUTINE4(dlauum)
ROUTINE5(dtrtri)
ROUTINE5(dgetrf)
ROUTINE6(dgetri)
ROUTINE7(dgesv)
ROUTINE7(dpotrs)
ROUTINE7(dposv)
ROUTINE7(dgeqrf)
ROUTINE8(dgetrs)
ROUTINE8(dorgqr)
ROUTINE10(dgels)
ROUTINE12(dormqr)
