/* Cholesky's factorization with StarPU, on many nodes: each calls this, with the handles of all tiles. */
#include <cblas.h>
#include <lapacke.h>
#include <starpu_mpi.h>

#define TILE(b) (double *)STARPU_MATRIX_GET_PTR(b)
#define M(b) STARPU_MATRIX_GET_NX(b)
#define N(b) STARPU_MATRIX_GET_NY(b)
#define LD(b) STARPU_MATRIX_GET_LD(b)

static void potrf_cpu(void *b[], void *unused) {
  LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', N(b[0]), TILE(b[0]), LD(b[0])); /* info is for you to hand on */
}
static void trsm_cpu(void *b[], void *unused) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, M(b[1]), N(b[1]), 1, TILE(b[0]), LD(b[0]),
              TILE(b[1]), LD(b[1]));
}
static void syrk_cpu(void *b[], void *unused) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, N(b[1]), N(b[0]), -1, TILE(b[0]), LD(b[0]), 1, TILE(b[1]), LD(b[1]));
}
static void gemm_cpu(void *b[], void *unused) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, M(b[2]), N(b[2]), N(b[0]), -1, TILE(b[0]), LD(b[0]), TILE(b[1]),
              LD(b[1]), 1, TILE(b[2]), LD(b[2]));
}

/* A body for CUDA is one more member each, .cuda_funcs; a model of its time, for the scheduler, another, .model. */
static struct starpu_codelet potrf = {.cpu_funcs = {potrf_cpu}, .nbuffers = 1, .modes = {STARPU_RW}};
static struct starpu_codelet trsm = {.cpu_funcs = {trsm_cpu}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}};
static struct starpu_codelet syrk = {.cpu_funcs = {syrk_cpu}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}};
static struct starpu_codelet gemm = {.cpu_funcs = {gemm_cpu}, .nbuffers = 3, .modes = {STARPU_R, STARPU_R, STARPU_RW}};

void cholesky(int nt, starpu_data_handle_t A[nt][nt]) {
  for (int k = 0; k < nt; ++k) {
    starpu_mpi_task_insert(MPI_COMM_WORLD, &potrf, STARPU_RW, A[k][k], STARPU_PRIORITY, STARPU_MAX_PRIO, 0);
    for (int i = k + 1; i < nt; ++i)
      starpu_mpi_task_insert(MPI_COMM_WORLD, &trsm, STARPU_R, A[k][k], STARPU_RW, A[i][k], 0);
    for (int j = k + 1; j < nt; ++j) {
      starpu_mpi_task_insert(MPI_COMM_WORLD, &syrk, STARPU_R, A[j][k], STARPU_RW, A[j][j], 0);
      for (int i = j + 1; i < nt; ++i)
        starpu_mpi_task_insert(MPI_COMM_WORLD, &gemm, STARPU_R, A[i][k], STARPU_R, A[j][k], STARPU_RW, A[i][j], 0);
    }
  }
  starpu_task_wait_for_all();
}
