// Dense matrices for plain loops: what results are compared with.
#pragma once

#include <tla/types.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace tla::test {
using Complex = std::complex<double>;

/// A dense matrix for plain loops.
struct Dense {
  int m, n;
  std::vector<Complex> values;
  Dense(int rows, int columns) : m(rows), n(columns), values(static_cast<std::size_t>(rows) * columns) {}
  Complex &operator()(int i, int j) { return values[i + static_cast<std::size_t>(j) * m]; }
  const Complex &operator()(int i, int j) const { return values[i + static_cast<std::size_t>(j) * m]; }
};

inline Dense multiply(const Dense &a, const Dense &b) {
  Dense c(a.m, b.n);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < b.n; ++j)
      for (int l = 0; l < a.n; ++l)
        c(i, j) += a(i, l) * b(l, j);
  return c;
}
inline Dense apply(Op op, const Dense &a) {
  if (op == Op::NoTrans)
    return a;
  Dense b(a.n, a.m);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < a.n; ++j)
      b(j, i) = op == Op::ConjTrans ? std::conj(a(i, j)) : a(i, j);
  return b;
}
inline double columnNorm(const Dense &a, int j) {
  double sum = 0;
  for (int i = 0; i < a.m; ++i)
    sum += std::abs(a(i, j));
  return sum;
}
inline double oneNorm(const Dense &a) {
  double norm = 0;
  for (int j = 0; j < a.n; ++j)
    norm = std::max(norm, columnNorm(a, j));
  return norm;
}
inline Dense combine(Complex alpha, const Dense &a, Complex beta, const Dense &b) {
  Dense c(a.m, a.n);
  for (std::size_t i = 0; i < c.values.size(); ++i)
    c.values[i] = alpha * a.values[i] + beta * b.values[i];
  return c;
}
inline Dense absolute(const Dense &a) {
  Dense b(a.m, a.n);
  for (std::size_t i = 0; i < b.values.size(); ++i)
    b.values[i] = std::abs(a.values[i]);
  return b;
}
inline Dense identity(int n) {
  Dense a(n, n);
  for (int i = 0; i < n; ++i)
    a(i, i) = 1;
  return a;
}
/// A^-1 B by Gaussian elimination with partial pivoting.
inline Dense solve(Dense a, Dense b) {
  const int n = a.m;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(p, k)))
        p = i;
    for (int j = 0; j < n; ++j)
      std::swap(a(k, j), a(p, j));
    for (int j = 0; j < b.n; ++j)
      std::swap(b(k, j), b(p, j));
    for (int i = 0; i < n; ++i) {
      const Complex factor = a(i, k) / a(k, k);
      for (int j = k; i != k && j < n; ++j)
        a(i, j) -= factor * a(k, j);
      for (int j = 0; i != k && j < b.n; ++j)
        b(i, j) -= factor * b(k, j);
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < b.n; ++j)
      b(i, j) /= a(i, i);
  return b;
}
/// One triangle; ones on the diagonal if asked.
inline Dense triangle(Uplo uplo, Diag diag, const Dense &a) {
  Dense b(a.m, a.n);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < a.n; ++j)
      if (i == j && diag == Diag::Unit)
        b(i, j) = 1;
      else if (uplo == Uplo::Lower ? i >= j : i <= j)
        b(i, j) = a(i, j);
  return b;
}
/// The symmetric (Trans) or Hermitian (ConjTrans) matrix of which that triangle is given.
inline Dense mirrored(Uplo uplo, Op op, const Dense &a) {
  Dense b = a;
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < a.n; ++j)
      if (uplo == Uplo::Lower ? i < j : i > j)
        b(i, j) = op == Op::ConjTrans ? std::conj(a(j, i)) : a(j, i);
  if (op == Op::ConjTrans)
    for (int i = 0; i < a.m; ++i)
      b(i, i) = b(i, i).real();
  return b;
}
inline Dense leadingRows(const Dense &a, int rows) {
  Dense b(rows, a.n);
  for (int i = 0; i < std::min(rows, a.m); ++i)
    for (int j = 0; j < a.n; ++j)
      b(i, j) = a(i, j);
  return b;
}

} // namespace tla::test
