/* A module that is linked to a LAPACK which only it can see, as Python's extension modules are. */
#include "names.h"

void NAME(dpotrf)(const char *uplo, const integer *n, double *a, const integer *lda, integer *info, size_t length);
int64_t illegalPositionSeen(void);

/* The result is looked at here: a call at the very end would not come from this module. */
EXPORT int64_t potrf(int64_t n, double *a, int64_t lda) {
  const integer order = (integer)n, leading = (integer)lda;
  integer info = -99;
  NAME(dpotrf)("L", &order, a, &leading, &info, 1);
  return info;
}

EXPORT int64_t illegalPosition(void) { return illegalPositionSeen(); }
