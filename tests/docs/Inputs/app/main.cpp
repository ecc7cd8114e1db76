// The program that docs/embedding.md shows: A X + X B = C with A = 2 I and B = I, so that X is C / 3.
#include "cholesky.tla.hpp"
#include "sylvester.tla.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int m = 300, n = 200, lda = m, ldb = n, ldc = m;
  std::vector<double> A(std::size_t(lda) * m), B(std::size_t(ldb) * n), C(std::size_t(ldc) * n, 6);
  for (int i = 0; i < m; ++i)
    A[i + std::size_t(lda) * i] = 2;
  for (int i = 0; i < n; ++i)
    B[i + std::size_t(ldb) * i] = 1;
  double *const a = A.data(), *const b = B.data(), *const c = C.data();

  tla::runtime::Executor executor({.threads = 8});          // keeps its threads over many calls
  const int nb = 128;                                       // one tile size for all matrices of a call
  const auto outcome = hetc::sylvester(executor, {a, m, lda, nb}, {b, n, ldb, nb}, {c, m, n, ldc, nb});
  if (outcome.kind == tla::runtime::Outcome::Kind::Numerical)
    std::printf("info = %ld in %s\n", outcome.info, outcome.kernel.c_str());

  for (const double x : C)
    if (std::abs(x - 2) > 1e-14)
      return 1;
  return hetc::cholesky(executor, {a, m, lda, nb}).kind == tla::runtime::Outcome::Kind::Finished ? 0 : 1;
}
