#include <hetc.h>
#include <stdio.h>
#include <stdlib.h>

/* Factorizes a matrix with n on its diagonal and 1 elsewhere. */
int main(void) {
  const int n = 500;
  double *a = malloc(sizeof *a * n * n);
  hetc_executor *executor;
  const hetc_algorithm *cholesky;
  hetc_matrix A = {a, n, n, n};
  hetc_outcome outcome;
  if (!a)
    return 1;
  for (int i = 0; i < n * n; ++i)
    a[i] = i % (n + 1) == 0 ? n : 1;
  if (hetc_executor_create(0, &executor) || hetc_find("cholesky", 'd', &cholesky) ||
      hetc_run(executor, cholesky, &A, 1, NULL, 0, 0, &outcome)) {
    fprintf(stderr, "%s\n", hetc_message());
    return 1;
  }
  printf("L(1, 1) = %g, %llu tasks, tiles of %d\n", a[0], (unsigned long long)outcome.tasks, outcome.tile);
  hetc_executor_destroy(executor);
  free(a);
  return 0;
}
