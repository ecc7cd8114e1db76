// Cholesky's factorization by ScaLAPACK, on a grid of processes.
#include <cstdio>
#include <mpi.h>
#include <vector>

extern "C" {
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
int numroc_(const int *n, const int *nb, const int *mine, const int *first, const int *count);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row, const int *column,
               const int *context, const int *ld, int *info);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *i, const int *j, const int *desc, int *info);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int n = 300, nb = 50, zero = 0, one = 1;
  int context, rows = 2, columns = 2, row, column, desc[9], info;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "R", rows, columns);
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  const int m = numroc_(&n, &nb, &row, &zero, &rows), k = numroc_(&n, &nb, &column, &zero, &columns);
  descinit_(desc, &n, &n, &nb, &nb, &zero, &zero, &context, &m, &info);
  std::vector<double> A(static_cast<std::size_t>(m) * k); // this process's part
  const auto global = [](int local, int mine, int count) { return (local / nb * count + mine) * nb + local % nb; };
  for (int q = 0; q < k; ++q)
    for (int p = 0; p < m; ++p) {
      const int i = global(p, row, rows), j = global(q, column, columns);
      A[static_cast<std::size_t>(q) * m + p] = (i < j ? i : j) + 1;
    }
  pdpotrf_("L", &n, A.data(), &one, &one, desc, &info);
  int right = info == 0, all;
  for (int q = 0; q < k; ++q)
    for (int p = 0; p < m; ++p)
      if (global(p, row, rows) >= global(q, column, columns))
        right = right && A[static_cast<std::size_t>(q) * m + p] == 1;
  MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (row == 0 && column == 0)
    std::printf("ScaLAPACK on %d x %d processes: %s\n", rows, columns, all ? "right" : "wrong");
  MPI_Finalize();
  return all ? 0 : 1;
}
