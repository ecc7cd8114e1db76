/* A host of the drop-in library: solves A x = b with A = I + 0.01. */
#include <math.h>
#include <stdlib.h>

void dgesv_(const int *n, const int *k, double *A, const int *lda, int *pivots, double *B, const int *ldb, int *info);

int main(void) {
  const int n = 400, k = 1;
  double *A = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n);
  int *pivots = malloc(sizeof(int) * n), info = -1;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      A[i + (size_t)n * j] = (i == j) + 0.01;
    b[j] = 1 + 0.01 * n;
  }
  dgesv_(&n, &k, A, &n, pivots, b, &n, &info);
  for (int i = 0; i < n; ++i)
    if (!(fabs(b[i] - 1) < 1e-10))
      return 1;
  return info;
}
