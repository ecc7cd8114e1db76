// Calls the algorithms on arrays of its own and checks what they did; the exit code is the number of failures.
#include "cholesky.tla.hpp"
#include "sylvester.tla.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Outcome = tla::runtime::Outcome;
int failures = 0;

void expect(bool fine, const char *what) {
  std::printf("%s: %s\n", fine ? "ok" : "FAILED", what);
  failures += !fine;
}

constexpr double padding = 12345; // stands below every column and must stay there

/// m x n, column-major, with rows to spare.
template <typename T> struct Array {
  Array(int m, int n) : m(m), n(n), lda(m + 3), values(static_cast<std::size_t>(lda) * n, T(padding)) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        at(i, j) = T(std::rand() / (RAND_MAX + 1.0) - 0.5);
  }
  T &at(int i, int j) { return values[i + static_cast<std::size_t>(j) * lda]; }
  T *data() { return values.data(); }
  bool keepsPadding() {
    bool kept = true;
    for (int j = 0; j < n; ++j)
      for (int i = m; i < lda; ++i)
        kept &= at(i, j) == T(padding);
    return kept;
  }
  int m, n, lda;
  std::vector<T> values;
};

template <typename T> Array<T> triangular(int n) {
  Array<T> A(n, n);
  for (int i = 0; i < n; ++i)
    A.at(i, i) += T(n); // far from singular
  return A;
}

/// max |A X + X B - C| for upper triangular A and B.
template <typename T> double residual(Array<T> &A, Array<T> &B, Array<T> &X, Array<T> &C) {
  double largest = 0;
  for (int j = 0; j < C.n; ++j)
    for (int i = 0; i < C.m; ++i) {
      T sum = -C.at(i, j);
      for (int l = i; l < C.m; ++l)
        sum += A.at(i, l) * X.at(l, j);
      for (int l = 0; l <= j; ++l)
        sum += X.at(i, l) * B.at(l, j);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

template <typename T> void solvesSylvester(tla::runtime::Executor &executor, const char *what) {
  const int m = 130, n = 75, nb = 32;
  Array<T> A = triangular<T>(m), B = triangular<T>(n), C(m, n), X = C;
  const Outcome outcome =
      hetc::sylvester(executor, {A.data(), m, A.lda, nb}, {B.data(), n, B.lda, nb}, {X.data(), m, n, X.lda, nb});
  expect(outcome.kind == Outcome::Kind::Finished && residual(A, B, X, C) < 1e-12 && X.keepsPadding(), what);
}

void reportsSingular(tla::runtime::Executor &executor) {
  const int n = 40, nb = 16;
  Array<double> A = triangular<double>(n), B = A, C(n, n);
  A.at(20, 20) = -B.at(3, 3);
  const Outcome outcome =
      hetc::sylvester(executor, {A.data(), n, A.lda, nb}, {B.data(), n, B.lda, nb}, {C.data(), n, n, C.lda, nb});
  expect(outcome.kind == Outcome::Kind::Numerical && outcome.kernel == "sylvesterTile", "info > 0 is in the outcome");
}

void factorizes(tla::runtime::Executor &executor) {
  const int n = 100;
  Array<double> A = triangular<double>(n);
  const Outcome outcome = hetc::cholesky(executor, {A.data(), n, A.lda, 32});
  expect(outcome.kind == Outcome::Kind::Finished && A.at(0, 0) > 0, "a standard algorithm in the same program");
}

/// The message of the UsageError that the call throws.
std::string refusal(tla::runtime::Executor &executor, tla::UpperMatrix<double> A, tla::UpperMatrix<double> B,
                    tla::Matrix<double> C) {
  try {
    hetc::sylvester(executor, A, B, C);
  } catch (const tla::UsageError &error) {
    return error.what();
  }
  return "";
}

void refusesWhatDoesNotFit(tla::runtime::Executor &executor) {
  Array<double> A = triangular<double>(50), B = triangular<double>(30);
  const tla::UpperMatrix<double> a(A.data(), 50, A.lda, 16), b(B.data(), 30, B.lda, 16);
  expect(refusal(executor, a, b, {40, 30, 16}) == "sylvester: C is 40 x 30 (m x n), but A is 50 x 50 (m x m)",
         "another shape");
  expect(refusal(executor, a, b, {50, 30, 8}) == "sylvester: C is in tiles of 8 x 8, but A in tiles of 16 x 16",
         "another tile size");
  expect(refusal(executor, {A.data(), 50, 49, 16}, b, {50, 30, 16}) ==
             "A has 50 rows, more than its leading dimension 49",
         "a leading dimension below the rows");
}

} // namespace

int main() {
  tla::runtime::Executor executor(tla::runtime::Options{.threads = 2});
  solvesSylvester<double>(executor, "a system in double");
  solvesSylvester<std::complex<double>>(executor, "a system in double complex");
  reportsSingular(executor);
  factorizes(executor);
  refusesWhatDoesNotFit(executor);
  return failures;
}
