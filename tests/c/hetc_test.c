/* The C interface from C: runs, errors, interrupts, descriptions. */
#include "hetc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: %s; the message is '%s'\n", __FILE__, __LINE__, #condition, hetc_message());                      \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static int says(const char *text) { return strstr(hetc_message(), text) != NULL; }

/* n on the diagonal, 1 elsewhere, in an array with a leading dimension of n + 2. */
static double *positive(int n) {
  double *a = (double *)malloc(sizeof(double) * (size_t)(n + 2) * (size_t)n);
  int i, j;
  for (j = 0; j < n; ++j)
    for (i = 0; i < n + 2; ++i)
      a[i + j * (n + 2)] = i == j ? n : 1;
  return a;
}

static void testCholesky(hetc_executor *executor) {
  const int n = 100;
  double *const a = positive(n);
  const hetc_algorithm *cholesky;
  hetc_outcome outcome;
  hetc_matrix A;
  int i, j, k;
  A.data = a, A.rows = A.columns = n, A.leading = n + 2;
  EXPECT(hetc_find("cholesky", 'd', &cholesky) == HETC_OK);
  EXPECT(hetc_run(executor, cholesky, &A, 1, NULL, 0, 16, &outcome) == HETC_OK);
  EXPECT(outcome.tile == 16 && outcome.tasks > 50 && outcome.info == 0 && *hetc_message() == '\0');
  for (j = 0; j < n; ++j)
    for (i = j; i < n; ++i) {
      double sum = 0;
      for (k = 0; k <= j; ++k)
        sum += a[i + k * (n + 2)] * a[j + k * (n + 2)];
      if (fabs(sum - (i == j ? n : 1)) > 1e-11)
        EXPECT(!"the product of the factors is A");
    }
  EXPECT(a[n] == 1 && a[(n + 2) * 5] == 1); /* below the window, above the diagonal */
  a[(n + 3) * 40] = -1;
  for (i = 0; i < n; ++i)
    for (j = 0; j < n; ++j)
      a[i + j * (n + 2)] = i == j ? (i == 40 ? -1 : 1) : 0;
  EXPECT(hetc_run(executor, cholesky, &A, 1, NULL, 0, 0, &outcome) == HETC_NUMERICAL);
  EXPECT(outcome.info == 41 && says("cholesky: info = 41"));
  free(a);
}

static void testScalars(hetc_executor *executor) {
  float a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 0, 1}, c[4] = {1, 1, 1, 1};
  const hetc_algorithm *gemm;
  hetc_matrix matrices[3] = {{NULL, 2, 2, 2}, {NULL, 2, 2, 2}, {NULL, 2, 2, 2}};
  hetc_scalar scalars[4] = {{HETC_TRANS, 0, 0}, {HETC_NO_TRANS, 0, 0}, {0, 2, 0}, {0, 0, 0}};
  matrices[0].data = a, matrices[1].data = b, matrices[2].data = c;
  EXPECT(hetc_find("gemm", 's', &gemm) == HETC_OK);
  EXPECT(hetc_run(executor, gemm, matrices, 3, scalars, 4, 1, NULL) == HETC_OK);
  EXPECT(c[0] == 2 && c[1] == 6 && c[2] == 4 && c[3] == 8);
  EXPECT(hetc_run(executor, gemm, matrices, 3, NULL, 0, 0, NULL) == HETC_OK);
  EXPECT(c[0] == 3 && c[1] == 8 && c[2] == 7 && c[3] == 12);
  EXPECT(hetc_run(executor, gemm, matrices, 3, scalars, 3, 0, NULL) == HETC_USAGE && says("takes 4 scalars, not 3"));
  EXPECT(hetc_run(executor, gemm, matrices, 2, NULL, 0, 0, NULL) == HETC_USAGE && says("takes 3 matrices, not 2"));
}

static void testWorkspaces(hetc_executor *executor) {
  double *const a = positive(50);
  const hetc_algorithm *qr;
  hetc_matrix matrices[3] = {{NULL, 50, 50, 52}, {NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
  matrices[0].data = a;
  EXPECT(hetc_find("qr", 'd', &qr) == HETC_OK);
  EXPECT(hetc_run(executor, qr, matrices, 3, NULL, 0, 16, NULL) == HETC_OK);
  EXPECT(fabs(fabs(a[0]) - sqrt(50.0 * 50 + 49)) < 1e-10); /* the norm of the first column */
  matrices[1].data = a;
  EXPECT(hetc_run(executor, qr, matrices, 3, NULL, 0, 16, NULL) == HETC_USAGE && says("W is a workspace"));
  free(a);
}

/* What a number may be that the type of its parameter has no room for: refused by name, and nothing has been computed. */
static void testScalarsThatDoNotFit(hetc_executor *executor) {
  static const struct {
    char type;
    int number; /* of the scalar: opA, opB, alpha, beta */
    hetc_scalar value;
    const char *says; /* NULL: it fits */
  } cases[] = {
      {'d', 2, {0, 2, 0}, NULL},
      {'d', 2, {0, 0, 1}, "gemm: alpha is 0+1i, it must be real"},
      {'s', 3, {0, 2, -1}, "gemm: beta is 2-1i, it must be real"},
      {'z', 2, {0, 2, 1}, NULL},
      {'z', 2, {0, 2, HUGE_VAL}, "alpha is"},
      {'d', 2, {0, HUGE_VAL, 0}, "alpha is inf, it must be a finite double"},
      {'d', 3, {0, -HUGE_VAL, 0}, "beta is -inf, it must be a finite double"},
      {'s', 2, {0, 1e39, 0}, "alpha is 1e+39, it must be a finite float"},
      {'d', 2, {0, 1e39, 0}, NULL},
      {'c', 2, {0, 0, 1e39}, "it must be a finite"},
      {'d', 0, {HETC_CONJ_TRANS, 0, 0}, NULL},
      {'d', 0, {HETC_UPPER, 0, 0}, "opA is 121, it must be NoTrans, Trans or ConjTrans"},
      {'d', 1, {0, 0, 0}, "opB is 0, it must be NoTrans, Trans or ConjTrans"},
      {'d', 1, {((int64_t)1 << 32) + HETC_TRANS, 0, 0}, "opB is 4294967408, it must be"},
  };
  double a[2] = {1, 0}, b[2] = {1, 0}, c[2] = {1, 0};
  hetc_matrix matrices[3] = {{NULL, 1, 1, 1}, {NULL, 1, 1, 1}, {NULL, 1, 1, 1}};
  size_t i;
  matrices[0].data = a, matrices[1].data = b, matrices[2].data = c;
  for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hetc_scalar scalars[4] = {{HETC_NO_TRANS, 0, 0}, {HETC_NO_TRANS, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    const hetc_algorithm *gemm;
    hetc_status status;
    scalars[cases[i].number] = cases[i].value;
    memset(c, 0, sizeof c);
    EXPECT(hetc_find("gemm", cases[i].type, &gemm) == HETC_OK);
    status = hetc_run(executor, gemm, matrices, 3, scalars, 4, 1, NULL);
    if (cases[i].says)
      EXPECT(status == HETC_USAGE && says(cases[i].says) && c[0] == 0 && c[1] == 0);
    else
      EXPECT(status == HETC_OK);
  }
}

static void testDescriptions(void) {
  const hetc_algorithm *algorithm;
  hetc_matrix_parameter matrix;
  hetc_scalar_parameter scalar;
  int count = 0;
  while (hetc_name(count)) {
    const char *type;
    for (type = "sdcz"; *type; ++type) {
      const hetc_status status = hetc_find(hetc_name(count), *type, &algorithm);
      if (status == HETC_OK)
        EXPECT(strcmp(hetc_algorithm_name(algorithm), hetc_name(count)) == 0);
      else
        EXPECT(*type != 'd' && status == HETC_USAGE && says("for type d only"));
    }
    ++count;
  }
  EXPECT(count > 20 && hetc_name(-1) == NULL);
  EXPECT(hetc_find("getrs", 'z', &algorithm) == HETC_OK);
  EXPECT(hetc_matrix_count(algorithm) == 3 && hetc_scalar_count(algorithm) == 1);
  EXPECT(hetc_matrix_at(algorithm, 1, &matrix) == HETC_OK);
  EXPECT(strcmp(matrix.name, "ipiv") == 0 && matrix.type == 'i' && matrix.part == 'G' && !matrix.written);
  EXPECT(hetc_scalar_at(algorithm, 0, &scalar) == HETC_OK);
  EXPECT(strcmp(scalar.type, "Op") == 0 && scalar.has_default && scalar.value.integer == HETC_NO_TRANS);
  EXPECT(hetc_matrix_at(algorithm, 3, &matrix) == HETC_USAGE && says("no matrix 3; there are 3"));
  EXPECT(hetc_scalar_at(NULL, 0, &scalar) == HETC_USAGE);
}

static void testErrors(hetc_executor *executor) {
  const hetc_algorithm *algorithm;
  double value = 1;
  hetc_matrix A = {NULL, 1, 1, 1};
  hetc_executor *none;
  EXPECT(hetc_find("none", 'd', &algorithm) == HETC_USAGE && says("no algorithm 'none'"));
  EXPECT(hetc_find("gemm", 'x', &algorithm) == HETC_USAGE && says("'x'; it is s, d, c or z"));
  EXPECT(hetc_find(NULL, 'd', &algorithm) == HETC_USAGE && says("name is null"));
  EXPECT(hetc_load("no/such/file.so", "a", 'd', &algorithm) == HETC_USAGE && says("no/such/file.so"));
  EXPECT(hetc_executor_create(-1, &none) == HETC_USAGE && says("threads is -1"));
  EXPECT(hetc_executor_create_window(1, -1, &none) == HETC_USAGE && says("window is -1"));
  EXPECT(hetc_find("cholesky", 'd', &algorithm) == HETC_OK);
  EXPECT(hetc_run(NULL, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("executor is null"));
  EXPECT(hetc_run(executor, NULL, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE);
  EXPECT(hetc_run(executor, algorithm, NULL, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("matrices is null"));
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("its array is null"));
  A.data = &value, A.rows = 2;
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("leading dimension 1"));
  A.leading = 2;
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("A is 2 x 1"));
  A.rows = -1;
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("must not be negative"));
  A.rows = A.columns = A.leading = (int64_t)1 << 31;
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("below 2^31"));
  A.rows = A.columns = 0, A.leading = 1, A.data = NULL;
  EXPECT(hetc_run(executor, algorithm, &A, 1, NULL, 0, 0, NULL) == HETC_OK);
  hetc_interrupt(NULL);
  hetc_executor_destroy(NULL);
}

/* x of A x = b with b = A (1, .., 1): twice, with the factor on the devices in between. */
static void testResidence(hetc_executor *executor) {
  enum { n = 90, lda = n + 2 };
  double *const a = positive(n), *const before = positive(n);
  double b[n];
  const hetc_algorithm *cholesky, *potrs;
  hetc_executor *other;
  hetc_matrix matrices[2], part;
  int i, times, differs = 0;
  matrices[0].data = a, matrices[0].rows = matrices[0].columns = n, matrices[0].leading = lda;
  matrices[1].data = b, matrices[1].rows = matrices[1].leading = n, matrices[1].columns = 1;
  EXPECT(hetc_find("cholesky", 'd', &cholesky) == HETC_OK && hetc_find("potrs", 'd', &potrs) == HETC_OK);
  EXPECT(hetc_make_resident(executor, cholesky, matrices, 1, NULL, 0, 24) == HETC_OK);
  EXPECT(hetc_run(executor, cholesky, matrices, 1, NULL, 0, 0, NULL) == HETC_OK);
  for (times = 0; times < 2; ++times) {
    for (i = 0; i < n; ++i)
      b[i] = n + (n - 1);
    EXPECT(hetc_run(executor, potrs, matrices, 2, NULL, 0, 0, NULL) == HETC_OK);
    for (i = 0; i < n; ++i)
      if (fabs(b[i] - 1) > 1e-12)
        ++differs;
  }
  EXPECT(differs == 0);
  part = matrices[0], part.columns = 3;
  EXPECT(hetc_run(executor, cholesky, &part, 1, NULL, 0, 0, NULL) == HETC_USAGE);
  EXPECT(hetc_run(executor, cholesky, matrices, 1, NULL, 0, 16, NULL) == HETC_USAGE &&
         says("those of the resident matrices are 24"));
  part = matrices[0], part.data = a + lda + 1, part.rows = part.columns = n - 1;
  EXPECT(hetc_run(executor, cholesky, &part, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("became resident as A"));
  EXPECT(hetc_executor_create(1, &other) == HETC_OK);
  EXPECT(hetc_run(other, cholesky, matrices, 1, NULL, 0, 0, NULL) == HETC_USAGE && says("with another executor"));
  EXPECT(hetc_update_host(executor, NULL, 0) == HETC_OK && fabs(a[0] - sqrt(n)) < 1e-12);
  a[0] = 5;
  EXPECT(hetc_update_devices(executor, matrices, 1) == HETC_OK);
  EXPECT(hetc_run(executor, cholesky, matrices, 1, NULL, 0, 0, NULL) != HETC_USAGE);
  EXPECT(hetc_update_host(executor, matrices, 1) == HETC_OK && fabs(a[0] - sqrt(5.0)) < 1e-12);
  EXPECT(hetc_end_residence(executor, matrices, 1) == HETC_OK);
  EXPECT(hetc_end_residence(executor, NULL, 0) == HETC_OK && hetc_end_residence(NULL, NULL, 0) == HETC_OK);
  memcpy(a, before, sizeof(double) * lda * n);
  EXPECT(hetc_run(executor, cholesky, &part, 1, NULL, 0, 0, NULL) == HETC_OK);
  EXPECT(hetc_run(other, cholesky, &part, 1, NULL, 0, 0, NULL) == HETC_OK);
  hetc_executor_destroy(other);
  free(a);
  free(before);
}

/* Workspaces are the call's own, and one array may be two parameters. */
static void testResidentParameters(hetc_executor *executor) {
  enum { n = 50, lda = n + 2 };
  double *const a = positive(n), *const c = positive(n);
  const hetc_algorithm *qr, *gemm;
  hetc_matrix matrices[3] = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
  double norm = 0;
  int i;
  EXPECT(hetc_find("qr", 'd', &qr) == HETC_OK && hetc_find("gemm", 'd', &gemm) == HETC_OK);
  matrices[0].data = a, matrices[0].rows = matrices[0].columns = n, matrices[0].leading = lda;
  EXPECT(hetc_make_resident(executor, qr, matrices, 3, NULL, 0, 16) == HETC_OK);
  EXPECT(hetc_run(executor, qr, matrices, 3, NULL, 0, 0, NULL) == HETC_OK);
  EXPECT(hetc_update_host(executor, NULL, 0) == HETC_OK);
  norm = sqrt((double)n * n + n - 1);
  EXPECT(fabs(fabs(a[0]) - norm) < 1e-10);
  EXPECT(hetc_end_residence(executor, NULL, 0) == HETC_OK);
  for (i = 0; i < lda * n; ++i)
    a[i] = 1, c[i] = 0;
  matrices[1] = matrices[2] = matrices[0], matrices[2].data = c;
  EXPECT(hetc_make_resident(executor, gemm, matrices, 3, NULL, 0, 16) == HETC_OK);
  EXPECT(hetc_make_resident(executor, gemm, matrices, 3, NULL, 0, 32) == HETC_USAGE && says("are 16"));
  EXPECT(hetc_run(executor, gemm, matrices, 3, NULL, 0, 0, NULL) == HETC_OK);
  a[0] = 7; /* only read by runs: does not come back */
  EXPECT(hetc_update_host(executor, NULL, 0) == HETC_OK && c[0] == n && c[lda + 1] == n && a[0] == 7);
  EXPECT(hetc_end_residence(executor, NULL, 0) == HETC_OK);
  free(a);
  free(c);
}

/* What fails on its way to the devices is not there. */
static void testFailedResidence(void) {
  enum { n = 100 };
  double *const a = positive(n);
  const hetc_algorithm *cholesky;
  hetc_executor *executor;
  hetc_matrix A;
  A.data = a, A.rows = A.columns = n, A.leading = n + 2;
  EXPECT(hetc_find("cholesky", 'd', &cholesky) == HETC_OK);
  EXPECT(hetc_executor_create_devices(1, "emulated:2,fail=copy:3@1", &executor) == HETC_OK);
  EXPECT(hetc_make_resident(executor, cholesky, &A, 1, NULL, 0, 16) == HETC_FAULT && says("injected fault of a copy"));
  EXPECT(hetc_run(executor, cholesky, &A, 1, NULL, 0, 16, NULL) == HETC_OK && fabs(a[0] - sqrt(n)) < 1e-12);
  hetc_executor_destroy(executor);
  free(a);
}

static void testDevices(void) {
  hetc_executor *executor;
  const hetc_algorithm *cholesky;
  double a[16] = {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4};
  hetc_matrix A;
  A.data = a, A.rows = A.columns = A.leading = 4;
  EXPECT(hetc_find("cholesky", 'd', &cholesky) == HETC_OK);
  EXPECT(hetc_executor_create_devices(2, "emulated:2", &executor) == HETC_OK);
  EXPECT(hetc_executor_devices(executor) == 2 && hetc_executor_devices(NULL) == 0);
  testCholesky(executor);
  testScalars(executor);
  testScalarsThatDoNotFit(executor);
  testWorkspaces(executor);
  testResidence(executor);
  testResidentParameters(executor);
  testFailedResidence();
  hetc_executor_destroy(executor);
  EXPECT(hetc_executor_create_devices(1, "emulated:1,mem=8K", &executor) == HETC_OK);
  {
    double *const large = positive(100);
    hetc_matrix L;
    L.data = large, L.rows = L.columns = 100, L.leading = 102;
    EXPECT(hetc_make_resident(executor, cholesky, &L, 1, NULL, 0, 10) == HETC_NO_MEMORY &&
           says("would be at home with emulated:0"));
    EXPECT(hetc_run(executor, cholesky, &L, 1, NULL, 0, 10, NULL) == HETC_OK);
    free(large);
  }
  hetc_executor_destroy(executor);
  EXPECT(hetc_executor_create_devices(1, "none", &executor) == HETC_OK && hetc_executor_devices(executor) == 0);
  EXPECT(hetc_make_resident(executor, cholesky, &A, 1, NULL, 0, 0) == HETC_USAGE && says("no devices"));
  hetc_executor_destroy(executor);
  EXPECT(hetc_executor_create_devices(1, "emulated:x", &executor) == HETC_USAGE && says("devices: "));
  EXPECT(hetc_executor_create_devices(1, "profile:h200", &executor) == HETC_USAGE && says("nothing is computed"));
  EXPECT(hetc_executor_create_devices(1, NULL, &executor) == HETC_USAGE && says("devices is null"));
}

int main(void) {
  hetc_executor *executor;
  EXPECT(hetc_interface() == HETC_INTERFACE);
  EXPECT(*hetc_version() != '\0');
  if (hetc_executor_create(2, &executor) != HETC_OK) {
    printf("%s\n", hetc_message());
    return 1;
  }
  EXPECT(hetc_executor_threads(executor) == 2);
  testCholesky(executor);
  testScalars(executor);
  testScalarsThatDoNotFit(executor);
  testWorkspaces(executor);
  testDescriptions();
  testErrors(executor);
  hetc_interrupt(executor); /* nothing runs: nothing happens */
  testScalars(executor);
  testScalarsThatDoNotFit(executor);
  hetc_executor_destroy(executor);
  testDevices();
  printf(failures ? "%d failed\n" : "passed\n", failures);
  return failures != 0;
}
