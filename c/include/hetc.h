/* hetc.h: tile algorithms on the caller's arrays, from C.
 *
 *   hetc_executor *executor;
 *   const hetc_algorithm *cholesky;
 *   hetc_matrix A = {a, n, n, lda};
 *   if (hetc_executor_create(0, &executor) || hetc_find("cholesky", 'd', &cholesky) ||
 *       hetc_run(executor, cholesky, &A, 1, NULL, 0, 0, NULL))
 *     fprintf(stderr, "%s\n", hetc_message());
 *
 * Plain C99, usable from C++. Nothing is thrown, printed or ended, but for warnings where what `hetc tune` found cannot
 * be used and where the system starts fewer threads: every failure is a code, and hetc_message() says in words what it
 * was. Functions may be called from any thread; one executor has one run at a time. */
#ifndef HETC_H
#define HETC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface: what is compiled for it works with every library whose hetc_interface() is the same.
 */
#define HETC_INTERFACE 1
int hetc_interface(void);
/* The version of hetc: "0.1.0". */
const char *hetc_version(void);

typedef enum hetc_status {
  HETC_OK = 0,
  HETC_NUMERICAL = 1,   /* a kernel stopped the run, or noted a zero pivot: hetc_outcome.info is LAPACK's */
  HETC_USAGE = 2,       /* the arguments do not fit; nothing was computed, no array has changed */
  HETC_FAULT = 3,       /* the run failed half-way; what it writes is lost */
  HETC_INTERRUPTED = 4, /* hetc_interrupt(); what it writes is lost */
  HETC_NO_MEMORY = 5    /* before or during the run; what it writes is lost */
} hetc_status;

/* Why the calling thread's last call did not return HETC_OK: one line. "" when it did. Good until its next call. */
const char *hetc_message(void);

/* Threads and queues, kept over many runs. They sleep in between. */
typedef struct hetc_executor hetc_executor;

/* Makes an executor. threads = 0: the cores that the process may use. A process that forks must not use its parent's
 * executors. */
hetc_status hetc_executor_create(int threads, hetc_executor **executor);
/* Makes an executor with a window: how many tasks may be generated and not finished at one time. 0: the default. */
hetc_status hetc_executor_create_window(int threads, int window, hetc_executor **executor);
/* Makes an executor with accelerators: "auto", all that the machine has; "cuda", "cuda:0,1", "cuda:0,mem=16G";
 * "emulated:2", which are threads of the host, for tests; "none". Arrays stay the caller's, in the memory of the host:
 * tiles go to the devices and back as a run needs them, unless they are resident (below). The first run with a kernel
 * measures for about a second how fast the devices are, which hetc remembers. HETC_USAGE for another text, HETC_FAULT
 * when a device cannot be opened. */
hetc_status hetc_executor_create_devices(int threads, const char *devices, hetc_executor **executor);
/* The number of the executor's accelerators. */
int hetc_executor_devices(const hetc_executor *executor);
/* Makes an executor on each of several ranks of the caller's MPI program: all ranks of a communicator create one
 * together, and from then on make the same calls of hetc_run() with it in the same order. `communicator` is
 * MPI_Comm_c2f() of it. Of each matrix a rank has a part: `data` and `leading` are those of its local array, `rows` and
 * `columns` those of the whole matrix, and `tile`, which must be given, is the size of blocks. `distribution` says who
 * has which: "2dbc:PxQ" is ScaLAPACK's local array on a P x Q grid in row-major order; also "row:P", "col:Q",
 * "weighted:..."; NULL: the most square 2dbc. threads = 0: the ranks of a machine share its cores. Every failure of a
 * run is the same code on all ranks, but for a null executor and what hetc_refuse() is for. MPI must be initialized
 * with MPI_THREAD_SERIALIZED at least. Destroying it is collective, too, and comes before MPI_Finalize(); at the end of
 * the program it may be left. */
hetc_status hetc_executor_create_ranks(int threads, int communicator, const char *distribution,
                                       hetc_executor **executor);
/* Makes executors on ranks that have accelerators, as for hetc_executor_create_devices(): the ranks of a machine deal
 * its CUDA devices among themselves. Collective; a failure on one rank is the same on all. Matrices of several ranks
 * cannot become resident. */
hetc_status hetc_executor_create_ranks_devices(int threads, int communicator, const char *distribution,
                                               const char *devices, hetc_executor **executor);
/* The number of this rank, and how many ranks there are: 0 and 1 without ranks. */
int hetc_executor_rank(const hetc_executor *executor);
int hetc_executor_ranks(const hetc_executor *executor);
/* Takes the place of hetc_run() on a rank that cannot make the call which the others make: there it is HETC_USAGE, and
 * the message says `why`. HETC_USAGE here as well. */
hetc_status hetc_refuse(hetc_executor *executor, const char *why);
/* The size of this rank's local array for a matrix in blocks of tile x tile (ScaLAPACK: numroc). Not collective. */
hetc_status hetc_local_size(const hetc_executor *executor, int64_t rows, int64_t columns, int tile, int64_t *localRows,
                            int64_t *localColumns);
/* Says where the rows and columns of this rank's local array are in the whole matrix, from 0: two arrays of the sizes
 * that hetc_local_size() says; NULL: not asked for. */
hetc_status hetc_local_indices(const hetc_executor *executor, int64_t rows, int64_t columns, int tile,
                               int64_t *rowIndices, int64_t *columnIndices);
/* Ends the executor's threads; no run may be under way. NULL: nothing happens. */
void hetc_executor_destroy(hetc_executor *executor);
/* The number of the executor's threads. */
int hetc_executor_threads(const hetc_executor *executor);
/* Ends the current run, if there is one, after the kernels that are running; from any thread. */
void hetc_interrupt(hetc_executor *executor);
/* The floating-point operations done so far in the current run; from any thread. */
double hetc_flops_done(const hetc_executor *executor);

/* A compiled algorithm for one element type: 's', 'd', 'c' or 'z', LAPACK's letters. Never freed. */
typedef struct hetc_algorithm hetc_algorithm;

/* The name of the algorithm number i in this library, from 0 on; NULL: there are no more. */
const char *hetc_name(int i);
/* Finds one of these by its name. HETC_USAGE when there is none, or none for the type: what is long to compile is there
   for 'd' alone. */
hetc_status hetc_find(const char *name, char type, const hetc_algorithm **algorithm);
/* Loads one from a shared library that `hetc --shared` wrote, which stays loaded. The file must be of this version of
 * hetc. */
hetc_status hetc_load(const char *file, const char *name, char type, const hetc_algorithm **algorithm);

/* What an algorithm takes: its matrices, numbered from 0 in its own order, and its scalars likewise. */
typedef struct hetc_matrix_parameter {
  const char *name;  /* "A" */
  const char *shape; /* "n x k" */
  char type;         /* of its elements: the algorithm's, or 'i': int32_t */
  char part;         /* 'G': all of it, 'L' or 'U': one triangle; the other is neither read nor written */
  char written;      /* 0: is only read */
  char workspace;    /* 1: made by hetc_run() for its own time where data is NULL, as it must be */
} hetc_matrix_parameter;

/* Refused (HETC_USAGE), as --set of the command refuses it: an integer beyond int, a number that is not finite in the
 * algorithm's precision or has an imaginary part where the type has none, an option that is none of the type's. */
typedef struct hetc_scalar {
  int64_t integer;   /* of an "int", and of an option as below */
  double real, imag; /* of a "T" or a "real" */
} hetc_scalar;

typedef struct hetc_scalar_parameter {
  const char *name;
  const char *type; /* "int", "T", "real", "Op", "Uplo", "Diag", "Side" */
  int has_default;
  hetc_scalar value; /* the default */
} hetc_scalar_parameter;

/* Options, by CBLAS's numbers. */
enum {
  HETC_NO_TRANS = 111,
  HETC_TRANS = 112,
  HETC_CONJ_TRANS = 113,
  HETC_UPPER = 121,
  HETC_LOWER = 122,
  HETC_NON_UNIT = 131,
  HETC_UNIT = 132,
  HETC_LEFT = 141,
  HETC_RIGHT = 142
};

/* The algorithm's name, and how many matrices and scalars it takes. */
const char *hetc_algorithm_name(const hetc_algorithm *algorithm);
int hetc_matrix_count(const hetc_algorithm *algorithm);
int hetc_scalar_count(const hetc_algorithm *algorithm);
/* Describes a parameter by its number, from 0. HETC_USAGE when there is no such number. */
hetc_status hetc_matrix_at(const hetc_algorithm *algorithm, int i, hetc_matrix_parameter *parameter);
hetc_status hetc_scalar_at(const hetc_algorithm *algorithm, int i, hetc_scalar_parameter *parameter);

/* A window on the caller's column-major array: element (i, j) is data[i + j * leading]. Sizes are below 2^31. A
 * row-major array is that of its transpose. Windows of one run must not overlap where one of them is written. */
typedef struct hetc_matrix {
  void *data;
  int64_t rows, columns, leading;
} hetc_matrix;

typedef struct hetc_outcome {
  int64_t info;   /* HETC_NUMERICAL: LAPACK's info, counted over the whole matrix from 1; else 0 */
  int tile;       /* the size of tiles */
  double seconds; /* from the first task to the last */
  uint64_t tasks;
} hetc_outcome;

/* Runs the algorithm and waits. The calling thread computes, too. scalarCount = 0: all scalars have their defaults.
 * tile = 0: a size that suits, searched once where a search is short beside the run. outcome may be NULL. */
hetc_status hetc_run(hetc_executor *executor, const hetc_algorithm *algorithm, const hetc_matrix *matrices,
                     int matrixCount, const hetc_scalar *scalars, int scalarCount, int tile, hetc_outcome *outcome);

/* Lets matrices stay with the devices over several runs: takes what hetc_run() takes, but instead of a run the matrices
 * of the call become resident, and their content goes to the devices. Until hetc_end_residence() it is theirs: runs by
 * this executor of algorithms that take the same part of the same window find it there and leave it there, and copy
 * only what the host computes on. Meanwhile the arrays must stay, and have whatever was left in them: they, and the
 * other triangle of one that is taken by a triangle, may be changed only before hetc_update_devices(). All resident
 * matrices have tiles of one size, which runs with tile = 0 take. Those that are resident already stay as they are;
 * workspaces do not become resident. A run, of any executor, of other windows on elements of theirs is HETC_USAGE.
 * HETC_NO_MEMORY: they do not fit. With every code but HETC_OK nothing has become resident. */
hetc_status hetc_make_resident(hetc_executor *executor, const hetc_algorithm *algorithm, const hetc_matrix *matrices,
                               int matrixCount, const hetc_scalar *scalars, int scalarCount, int tile);
/* Copies what runs have written of resident matrices to their arrays; they stay resident. These are, here and below,
 * those of the windows that are resident; matrices = NULL: all that are. */
hetc_status hetc_update_host(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount);
/* Copies the content of the resident matrices' arrays, which the caller has changed, to the devices. */
hetc_status hetc_update_devices(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount);
/* Ends the residence: call hetc_update_host() before, or what runs have written is lost. No run may be under way. */
hetc_status hetc_end_residence(hetc_executor *executor, const hetc_matrix *matrices, int matrixCount);

#ifdef __cplusplus
}
#endif

#endif
