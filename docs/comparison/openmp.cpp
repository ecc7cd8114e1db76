// Cholesky's factorization with OpenMP tasks, on one node.
#include <cblas.h>
#include <cstdio>
#include <vector>

extern "C" void dpotrf_(const char *uplo, const int *n, double *a, const int *ld, int *info);

/// A[i][j], j <= i, is the first element of a tile of nb x nb elements. Returns LAPACK's info.
int cholesky(int nt, int nb, std::vector<std::vector<double *>> &A) {
  int info = 0;
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < nt; ++k) {
    double *d = A[k][k];
#pragma omp task depend(inout : d[0]) priority(nt - k)
    {
      int failed = 0;
      dpotrf_("L", &nb, d, &nb, &failed);
      if (failed != 0)
        info = info == 0 ? k * nb + failed : info;
    }
    for (int i = k + 1; i < nt; ++i) {
      double *a = A[i][k];
#pragma omp task depend(in : d[0]) depend(inout : a[0])
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, nb, nb, 1, d, nb, a, nb);
    }
    for (int j = k + 1; j < nt; ++j) {
      double *b = A[j][k], *c = A[j][j];
#pragma omp task depend(in : b[0]) depend(inout : c[0])
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, nb, nb, -1, b, nb, 1, c, nb);
      for (int i = j + 1; i < nt; ++i) {
        double *a = A[i][k], *e = A[i][j];
#pragma omp task depend(in : a[0], b[0]) depend(inout : e[0])
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, nb, nb, nb, -1, a, nb, b, nb, 1, e, nb);
      }
    }
  }
  return info;
}

int main() {
  const int nt = 6, nb = 50; // sizes that are no multiple of nb need more
  std::vector<double> memory(static_cast<std::size_t>(nt) * nt * nb * nb);
  std::vector<std::vector<double *>> A(nt, std::vector<double *>(nt));
  for (int j = 0; j < nt; ++j)
    for (int i = 0; i < nt; ++i) {
      A[i][j] = &memory[(static_cast<std::size_t>(j) * nt + i) * nb * nb];
      for (int q = 0; q < nb; ++q)
        for (int p = 0; p < nb; ++p) // the least of row and column, from 1: its factor has ones
          A[i][j][q * nb + p] = (i * nb + p < j * nb + q ? i * nb + p : j * nb + q) + 1;
    }
  openblas_set_num_threads(1); // the tasks are the threads' work
  bool right = cholesky(nt, nb, A) == 0;
  for (int j = 0; j < nt; ++j)
    for (int i = j; i < nt; ++i)
      for (int q = 0; q < nb; ++q)
        for (int p = i == j ? q : 0; p < nb; ++p)
          right = right && A[i][j][q * nb + p] == 1;
  std::printf("OpenMP: %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
