/* The C interface on the ranks of an MPI program. mpirun -n RANKS ranks_test */
#include <hetc.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void fail(int line, const char *text) {
  fprintf(stderr, "rank %d, line %d: %s; hetc: %s\n", rank, line, text, hetc_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      fail(__LINE__, #condition);                                                                                      \
  } while (0)
#define OK(call) EXPECT((call) == HETC_OK)
#define FAILS(status, call, text)                                                                                      \
  do {                                                                                                                 \
    EXPECT((call) == (status));                                                                                        \
    EXPECT(strstr(hetc_message(), text));                                                                              \
  } while (0)

/* A matrix as a whole, which every rank has, and this rank's part of it. */
typedef struct {
  int64_t m, n, localRows, localColumns, *rows, *columns;
  size_t bytes; /* of an element */
  char *whole, *part;
} matrix;

static void *room(size_t bytes) {
  void *memory = calloc(1, bytes + 1);
  EXPECT(memory);
  return memory;
}

static double element(int64_t i, int64_t j, int isDefinite) {
  const unsigned long mixed = (unsigned long)(i * 7919 + j * 104729 + 17) * 2654435761UL;
  return (double)(mixed % 1000003) / 1000003 - 0.5 + (isDefinite && i == j ? 1000 : 0);
}

static void copyPart(const matrix *a, char *part, const char *whole, int isBack) {
  for (int64_t q = 0; q < a->localColumns; ++q)
    for (int64_t p = 0; p < a->localRows; ++p) {
      char *const here = part + (size_t)(p + q * a->localRows) * a->bytes;
      char *const there = (char *)whole + (size_t)(a->rows[p] + a->columns[q] * a->m) * a->bytes;
      memcpy(isBack ? there : here, isBack ? here : there, a->bytes);
    }
}

static matrix make(hetc_executor *executor, int64_t m, int64_t n, int tile, size_t bytes, int isDefinite) {
  matrix a = {m, n, 0, 0, NULL, NULL, bytes, NULL, NULL};
  OK(hetc_local_size(executor, m, n, tile, &a.localRows, &a.localColumns));
  a.rows = room((size_t)a.localRows * sizeof *a.rows);
  a.columns = room((size_t)a.localColumns * sizeof *a.columns);
  OK(hetc_local_indices(executor, m, n, tile, a.rows, a.columns));
  a.whole = room((size_t)(m * n) * bytes);
  a.part = room((size_t)(a.localRows * a.localColumns) * bytes);
  for (int64_t j = 0; j < n && bytes == sizeof(double); ++j)
    for (int64_t i = 0; i < m; ++i)
      ((double *)a.whole)[i + j * m] = element(i, j, isDefinite);
  copyPart(&a, a.part, a.whole, 0);
  return a;
}

static hetc_matrix wholeOf(const matrix *a) {
  const hetc_matrix window = {a->whole, a->m, a->n, a->m > 0 ? a->m : 1};
  return window;
}
static hetc_matrix partOf(const matrix *a) {
  const hetc_matrix window = {a->part, a->m, a->n, a->localRows > 0 ? a->localRows : 1};
  return window;
}

/* The part has the bits that the whole has, which was computed without ranks. */
static void expectSame(const matrix *a, int line) {
  char *const part = room((size_t)(a->localRows * a->localColumns) * a->bytes);
  copyPart(a, part, a->whole, 0);
  if (memcmp(part, a->part, (size_t)(a->localRows * a->localColumns) * a->bytes) != 0)
    fail(line, "a part differs from the whole");
  free(part);
}

static void discard(matrix *a) {
  free(a->rows);
  free(a->columns);
  free(a->whole);
  free(a->part);
}

/* Runs on ranks, and on this rank alone; compares all parts. */
static void compare(hetc_executor *executor, hetc_executor *alone, const char *name, matrix *matrices, int count,
                    const hetc_scalar *scalars, int scalarCount, int tile, int line) {
  const hetc_algorithm *algorithm;
  hetc_matrix parts[4], wholes[4];
  hetc_outcome outcome;
  OK(hetc_find(name, 'd', &algorithm));
  for (int i = 0; i < count; ++i) {
    const hetc_matrix none = {NULL, 0, 0, 0};
    parts[i] = matrices[i].whole ? partOf(&matrices[i]) : none;
    wholes[i] = matrices[i].whole ? wholeOf(&matrices[i]) : none;
  }
  if (hetc_run(executor, algorithm, parts, count, scalars, scalarCount, tile, &outcome) != HETC_OK)
    fail(line, name);
  EXPECT(outcome.tile == tile);
  OK(hetc_run(alone, algorithm, wholes, count, scalars, scalarCount, tile, NULL));
  for (int i = 0; i < count; ++i)
    if (matrices[i].whole)
      expectSame(&matrices[i], line);
}

/* R of a tile QR, whose trees depend on the grid: R^T R = A^T A. */
static void tileQr(hetc_executor *executor, int64_t m, int64_t n, int tile) {
  const hetc_algorithm *qr;
  const int64_t k = m < n ? m : n;
  matrix A = make(executor, m, n, tile, sizeof(double), 0);
  const hetc_matrix arguments[3] = {partOf(&A)}; /* and two workspaces */
  OK(hetc_find("qr", 'd', &qr));
  OK(hetc_run(executor, qr, arguments, 3, NULL, 0, tile, NULL));
  double *const mine = room((size_t)(m * n) * sizeof(double)), *const r = room((size_t)(m * n) * sizeof(double));
  copyPart(&A, A.part, (char *)mine, 1);
  const int many = hetc_executor_ranks(executor);
  MPI_Comm ranksOf;
  MPI_Comm_split(MPI_COMM_WORLD, many == ranks ? 0 : rank % 2, rank, &ranksOf);
  MPI_Allreduce(mine, r, (int)(m * n), MPI_DOUBLE, MPI_SUM, ranksOf);
  MPI_Comm_free(&ranksOf);
  const double *const a = (const double *)A.whole;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double difference = 0;
      for (int64_t l = 0; l < m; ++l)
        difference += a[l + i * m] * a[l + j * m];
      for (int64_t l = 0; l <= (i < j ? i : j) && l < k; ++l)
        difference -= r[l + i * m] * r[l + j * m];
      EXPECT(fabs(difference) < 1e-12 * (double)(m + 1));
    }
  free(mine);
  free(r);
  discard(&A);
}

static void algorithms(hetc_executor *executor, hetc_executor *alone, int64_t m, int64_t n, int tile) {
  matrix A = make(executor, n, n, tile, sizeof(double), 1);
  compare(executor, alone, "cholesky", &A, 1, NULL, 0, tile, __LINE__);
  discard(&A);

  matrix abc[3] = {make(executor, m, n, tile, sizeof(double), 0), make(executor, n, m, tile, sizeof(double), 0),
                   make(executor, m, m, tile, sizeof(double), 0)};
  const hetc_scalar product[4] = {{HETC_NO_TRANS, 0, 0}, {HETC_NO_TRANS, 0, 0}, {0, -0.5, 0}, {0, 2, 0}};
  compare(executor, alone, "gemm", abc, 3, product, 4, tile, __LINE__);
  for (int i = 0; i < 3; ++i)
    discard(&abc[i]);

  matrix lu[2] = {make(executor, m, n, tile, sizeof(double), 0),
                  make(executor, m < n ? m : n, 1, tile, sizeof(int32_t), 0)};
  compare(executor, alone, "getrf", lu, 2, NULL, 0, tile, __LINE__);
  for (int i = 0; i < 2; ++i)
    discard(&lu[i]);

  tileQr(executor, m, n, tile);
}

/* Whatever is wrong on one rank is an error on all of them, and the next call is none. */
static void mistakes(hetc_executor *executor) {
  const hetc_algorithm *cholesky;
  OK(hetc_find("cholesky", 'd', &cholesky));
  const int tile = 10, last = ranks - 1;
  matrix A = make(executor, 70, 70, tile, sizeof(double), 1);
  hetc_matrix window = partOf(&A);
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, 1, NULL, 0, 0, NULL), "no size of tiles");
  if (rank == last)
    window.leading = 1;
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL), "more than its leading dimension 1");
  EXPECT(strstr(hetc_message(), "rank 1: ") || last != 1);
  window = partOf(&A);
  if (rank == last)
    window.leading -= (int64_t)1 << 32;
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL), "must not be negative");
  window = partOf(&A);
  FAILS(HETC_USAGE,
        rank == last ? hetc_refuse(executor, "no call today")
                     : hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL),
        "no call today");
  if (rank == last)
    window.data = NULL;
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL), "its array is null");
  window = partOf(&A);
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, rank == last ? 2 : 1, NULL, 0, tile, NULL), "not 2");
  window.rows = window.columns = rank == last ? 60 : 70;
  FAILS(HETC_USAGE, hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL), "60 x 60 in tiles of 10 x 10");
  FAILS(HETC_USAGE, hetc_run(executor, rank == last ? NULL : cholesky, &window, 1, NULL, 0, tile, NULL), "null");
  window = partOf(&A);
  OK(hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, NULL));

  /* Not definite from row 56 on: LAPACK's info, on all ranks. */
  hetc_outcome outcome;
  copyPart(&A, A.part, A.whole, 0);
  for (int64_t p = 0; p < A.localRows; ++p)
    for (int64_t q = 0; q < A.localColumns; ++q)
      if (A.rows[p] == 55 && A.columns[q] == 55)
        ((double *)A.part)[p + q * A.localRows] = -1;
  FAILS(HETC_NUMERICAL, hetc_run(executor, cholesky, &window, 1, NULL, 0, tile, &outcome), "info = 56");
  EXPECT(outcome.info == 56);
  discard(&A);

  hetc_executor *none = NULL;
  const int world = (int)MPI_Comm_c2f(MPI_COMM_WORLD);
  FAILS(HETC_USAGE, hetc_executor_create_ranks(1, world, "2dbc:3x7", &none), "is for 21 nodes");
  FAILS(HETC_USAGE, hetc_executor_create_ranks(1, world, rank == last ? "2dbc:3y7" : NULL, &none), "2dbc:3y7");
  FAILS(HETC_FAULT, hetc_executor_create_ranks(1, (int)MPI_Comm_c2f(MPI_COMM_NULL), NULL, &none), "communicator");
  if (ranks == 4) {
    FAILS(HETC_USAGE, hetc_executor_create_ranks(1, world, rank == last ? "2dbc:4x1" : "2dbc:2x2", &none), "2dbc:4x1");
    OK(hetc_executor_create_ranks(1, world, "g2dbc:4,reflected=1:0", &none));
    hetc_executor_destroy(none);
  }
  if (ranks == 3) {
    int64_t size;
    OK(hetc_executor_create_ranks(1, world, "sbc:3", &none));
    FAILS(HETC_USAGE, hetc_local_size(none, 10, 10, 2, &size, &size), "sbc:3");
    hetc_executor_destroy(none);
  }
}

/* Each rank has two devices, threads of the host: the bits are the host's. */
static void devices(hetc_executor *alone) {
  const hetc_algorithm *cholesky;
  const int world = (int)MPI_Comm_c2f(MPI_COMM_WORLD), last = ranks - 1;
  hetc_executor *executor;
  OK(hetc_executor_create_ranks_devices(1, world, NULL, "emulated:2", &executor));
  EXPECT(hetc_executor_devices(executor) == 2 && hetc_executor_ranks(executor) == ranks);
  algorithms(executor, alone, 83, 57, 10);
  algorithms(executor, alone, 20, 45, 16);
  matrix A = make(executor, 30, 30, 10, sizeof(double), 1);
  const hetc_matrix window = partOf(&A);
  OK(hetc_find("cholesky", 'd', &cholesky));
  FAILS(HETC_USAGE, hetc_make_resident(executor, cholesky, &window, 1, NULL, 0, 10), "several ranks");
  discard(&A);
  hetc_executor_destroy(executor);

  /* Tasks do go there: one that fails on one rank ends the run on all. */
  OK(hetc_executor_create_ranks_devices(1, world, NULL, rank == 0 ? "emulated:1,fail=kernel:1@0" : "none", &executor));
  matrix B = make(executor, 60, 60, 10, sizeof(double), 1);
  const hetc_matrix other = partOf(&B);
  FAILS(HETC_FAULT, hetc_run(executor, cholesky, &other, 1, NULL, 0, 10, NULL), "injected fault");
  discard(&B);
  hetc_executor_destroy(executor);

  /* On one rank devices, on the others none. */
  OK(hetc_executor_create_ranks_devices(1, world, NULL, rank == last ? "emulated:1" : "none", &executor));
  EXPECT(hetc_executor_devices(executor) == (rank == last));
  algorithms(executor, alone, 40, 31, 8);
  hetc_executor_destroy(executor);
  FAILS(HETC_USAGE, hetc_executor_create_ranks_devices(1, world, NULL, rank == last ? "emulated:x" : "none", &executor),
        "devices: ");
  FAILS(HETC_USAGE, hetc_executor_create_ranks_devices(1, world, "2dbc:3x7", "emulated:1", &executor), "is for 21 nodes");
}

/* Two halves of the ranks compute at the same time. */
static void halves(hetc_executor *alone) {
  MPI_Comm half;
  hetc_executor *executor;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  OK(hetc_executor_create_ranks(1, (int)MPI_Comm_c2f(half), NULL, &executor));
  EXPECT(hetc_executor_ranks(executor) == (ranks + 1 - rank % 2) / 2);
  EXPECT(hetc_executor_rank(executor) == rank / 2);
  for (int round = 0; round < 3; ++round)
    algorithms(executor, alone, 40 + rank % 2 * 7, 31, 8);
  hetc_executor_destroy(executor);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  int provided = 0;
  hetc_executor *executor, *alone;
  FAILS(HETC_FAULT, hetc_executor_create_ranks(1, 0, NULL, &executor), "not initialized");
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  OK(hetc_executor_create(1, &alone));
  const char *const distributions[] = {NULL, "row:%d", "2dbc:1x%d,v=2", "2dbc:%dx1,reflected=1:0", "weighted%s"};
  for (int i = 0; i < 5; ++i) {
    char text[64] = "", weights[32] = "";
    for (int node = 0; node < ranks; ++node)
      strcat(weights, node % 2 ? ":1" : ":2");
    if (distributions[i] && strchr(distributions[i], 's'))
      snprintf(text, sizeof text, "weighted%s", weights);
    else if (distributions[i])
      snprintf(text, sizeof text, distributions[i], ranks);
    OK(hetc_executor_create_ranks(0, (int)MPI_Comm_c2f(MPI_COMM_WORLD), distributions[i] ? text : NULL, &executor));
    EXPECT(hetc_executor_rank(executor) == rank && hetc_executor_ranks(executor) == ranks);
    algorithms(executor, alone, 83, 57, 10);
    algorithms(executor, alone, 20, 45, 16);
    algorithms(executor, alone, 3, 2, 4);
    algorithms(executor, alone, 0, 0, 4);
    if (i == 0 && ranks > 1)
      mistakes(executor);
    hetc_executor_destroy(executor);
  }
  devices(alone);
  halves(alone);
  hetc_executor_destroy(alone);
  MPI_Finalize();
  return 0;
}
