#include <hetc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Factorizes a matrix with n on its diagonal and 1 elsewhere, of which each rank has its part. */
int main(int argc, char **argv) {
  const int n = 500, nb = 64;
  int provided;
  int64_t rows, columns;
  hetc_executor *executor;
  const hetc_algorithm *cholesky;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (hetc_executor_create_ranks(0, MPI_Comm_c2f(MPI_COMM_WORLD), NULL, &executor) ||
      hetc_local_size(executor, n, n, nb, &rows, &columns) || hetc_find("cholesky", 'd', &cholesky)) {
    fprintf(stderr, "%s\n", hetc_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  double *a = malloc(sizeof *a * (size_t)(rows * columns) + 1);
  int64_t *at = malloc(sizeof *at * (size_t)(rows + columns) + 1);
  hetc_local_indices(executor, n, n, nb, at, at + rows);
  for (int64_t q = 0; q < columns; ++q)
    for (int64_t p = 0; p < rows; ++p)
      a[p + q * rows] = at[p] == at[rows + q] ? n : 1;
  const hetc_matrix A = {a, n, n, rows ? rows : 1}; /* this rank's array, the whole matrix' size */
  if (hetc_run(executor, cholesky, &A, 1, NULL, 0, nb, NULL))
    fprintf(stderr, "%s\n", hetc_message());
  else if (hetc_executor_rank(executor) == 0)
    printf("L(1, 1) = %g, by %d ranks\n", a[0], hetc_executor_ranks(executor));
  hetc_executor_destroy(executor);
  MPI_Finalize();
  free(a);
  free(at);
  return 0;
}
