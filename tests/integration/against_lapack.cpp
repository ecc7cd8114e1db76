// hetc's files and numbers against LAPACK itself.
//
//   against_lapack make A.npy N            a random symmetric positive definite matrix
//   against_lapack judge A.npy L.npy R     L is hetc's factor of A and R the residual it reported with --check=full
//
// judge fails when L differs from dpotrf's factor by more than rounding allows, or when R is not LAPACK's own figure
// (dpot01 in LAPACK's test suite: |A - L L^T|_1 / (n |A|_1 eps)).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

extern "C" {
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgemm_(const char *, const char *, const int *m, const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc);
double dlange_(const char *norm, const int *m, const int *n, const double *a, const int *lda, double *work);
}

namespace {

struct Square {
  int n = 0;
  std::vector<double> values; // column-major
  double &at(int i, int j) { return values[i + static_cast<std::size_t>(j) * n]; }
};

double norm1(const Square &matrix) {
  return dlange_("1", &matrix.n, &matrix.n, matrix.values.data(), &matrix.n, nullptr);
}

bool write(const char *path, const Square &matrix) {
  std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" + std::to_string(matrix.n) + ", " +
                       std::to_string(matrix.n) + "), }";
  header.append(117 - header.size(), ' ').append("\n"); // 10 + 118 = 128 bytes in all
  std::FILE *out = std::fopen(path, "wb");
  return out && std::fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, out) == 10 &&
         std::fwrite(header.data(), 1, header.size(), out) == header.size() &&
         std::fwrite(matrix.values.data(), sizeof(double), matrix.values.size(), out) == matrix.values.size() &&
         std::fclose(out) == 0;
}

/// The values are the end of the file, whatever its header says.
bool read(const char *path, Square &matrix) {
  std::FILE *in = std::fopen(path, "rb");
  char header[128] = {};
  if (!in || std::fread(header, 1, sizeof header, in) != sizeof header)
    return false;
  const char *shape = std::strstr(header + 10, "'shape': (");
  matrix.n = shape ? std::atoi(shape + 10) : 0;
  matrix.values.resize(static_cast<std::size_t>(matrix.n) * matrix.n);
  const long bytes = static_cast<long>(matrix.values.size() * sizeof(double));
  const bool fine =
      std::fseek(in, -bytes, SEEK_END) == 0 &&
      std::fread(matrix.values.data(), 1, static_cast<std::size_t>(bytes), in) == static_cast<std::size_t>(bytes);
  std::fclose(in);
  return fine;
}

int make(const char *path, int n) {
  Square matrix{n, std::vector<double>(static_cast<std::size_t>(n) * n)};
  std::srand(1);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      matrix.at(i, j) = matrix.at(j, i) = std::rand() / (RAND_MAX + 1.0) - 0.5 + (i == j ? n : 0);
  return write(path, matrix) ? 0 : 2;
}

int judge(const char *original, const char *factor, double reported) {
  Square A, L;
  if (!read(original, A) || !read(factor, L) || A.n != L.n) {
    std::fprintf(stderr, "against_lapack: cannot read the matrices\n");
    return 2;
  }
  const int n = A.n;
  const double eps = std::numeric_limits<double>::epsilon() / 2, one = 1, minusOne = -1;
  Square expected = A;
  int info = 0;
  dpotrf_("L", &n, expected.values.data(), &n, &info);
  double largest = 0;
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      largest = std::max(largest, std::abs(expected.at(i, j) - L.at(i, j)));
  const double difference = largest / (norm1(L) * n * eps);
  Square residual = A;
  dgemm_("N", "T", &n, &n, &n, &minusOne, L.values.data(), &n, L.values.data(), &n, &one, residual.values.data(), &n);
  const double ratio = norm1(residual) / (n * norm1(A) * eps);
  std::printf("n = %d: |L - dpotrf's L| = %.3g units, residual %.6g, reported %.6g\n", n, difference, ratio, reported);
  // Below one unit the figure is mostly the rounding of its own evaluation, which has another order here.
  return info == 0 && difference < 10 && ratio < 30 && std::abs(ratio - reported) <= 0.02 * ratio + 0.1 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4 && std::strcmp(argv[1], "make") == 0)
    return make(argv[2], std::atoi(argv[3]));
  if (argc == 5 && std::strcmp(argv[1], "judge") == 0)
    return judge(argv[2], argv[3], std::atof(argv[4]));
  return 2;
}
