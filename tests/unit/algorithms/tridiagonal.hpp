// Families of tridiagonal matrices on which eigensolvers fail (LAPACK: dstetester, O. Marques and others, ACM TOMS 35,
// 2008), and LAPACK's own solvers of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" {
void sstedc_(const char *, const int *, float *, float *, float *, const int *, float *, const int *, int *,
             const int *, int *);
void dstedc_(const char *, const int *, double *, double *, double *, const int *, double *, const int *, int *,
             const int *, int *);
void dsterf_(const int *, double *, double *, int *);
void dlaed4_(const int *n, const int *i, const double *d, const double *z, double *delta, const double *rho,
             double *root, int *info);
}

namespace tla::test {

template <typename T> struct Tridiagonal {
  std::string name;
  std::vector<T> d, e; ///< e as long as d; its last element is NaN, which nobody may look at
  int n() const { return static_cast<int>(d.size()); }
  double largest() const {
    double most = 0;
    for (int i = 0; i < n(); ++i)
      most = std::max({most, double(std::abs(d[i])), i + 1 < n() ? double(std::abs(e[i])) : 0.0});
    return most;
  }
};

/// The matrix whose diagonal and subdiagonal are made by functions of the row.
template <typename T, typename D, typename E>
Tridiagonal<T> makeTridiagonal(const std::string &name, int n, D diagonal, E edge) {
  Tridiagonal<T> matrix{name, std::vector<T>(n), std::vector<T>(n)};
  for (int i = 0; i < n; ++i)
    matrix.d[i] = static_cast<T>(diagonal(i)), matrix.e[i] = static_cast<T>(edge(i));
  if (n > 0)
    matrix.e[n - 1] = std::numeric_limits<T>::quiet_NaN();
  return matrix;
}

template <typename T> std::vector<Tridiagonal<T>> tridiagonalFamilies(int n) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  const auto random = [&](int) { return normal(engine); };
  const auto constant = [](double value) { return [value](int) { return value; }; };
  const auto scaled = [&](double by) { return [&, by](int) { return by * normal(engine); }; };
  const double eps = std::numeric_limits<T>::epsilon(), small = 1e3 * std::numeric_limits<T>::min(),
               large = std::numeric_limits<T>::max() / 1e3;
  const auto make = [&](const char *name, auto d, auto e) { return makeTridiagonal<T>(name, n, d, e); };
  return {
      make("random", random, random),
      make("zero", constant(0), constant(0)),
      make("identity", constant(1), constant(0)),
      make("diagonal", random, constant(0)),
      make("zero diagonal", constant(0), random),
      make("(1, 2, 1)", constant(2), constant(-1)),
      make(
          "Wilkinson", [n](int i) { return std::abs(i - (n - 1) / 2.0); }, constant(1)),
      make(
          "glued Wilkinson", [](int i) { return std::abs(i % 21 - 10.0); },
          [eps](int i) { return i % 21 == 20 ? std::sqrt(eps) : 1.0; }),
      make("cluster at 1", constant(1), scaled(eps)),
      make("nearly diagonal", random, scaled(1e3 * eps)),
      make(
          "graded", [n](int i) { return std::pow(10.0, -16.0 * i / n); },
          [n](int i) { return 0.3 * std::pow(10.0, -16.0 * i / n); }),
      make(
          "graded upwards", [n](int i) { return std::pow(10.0, -16.0 * (n - i) / n); },
          [n](int i) { return 0.3 * std::pow(10.0, -16.0 * (n - i) / n); }),
      make("falls apart", random, [&](int i) { return i % 3 == 0 ? 0.0 : normal(engine); }),
      make("near underflow", scaled(small), scaled(small)),
      make("near overflow", scaled(large), scaled(large)),
  };
}

/// How wrong eigenpairs are, in units of n times roundoff: of the residual beside the matrix, and of orthogonality.
struct Errors {
  double residual = 0, orthogonality = 0;
};

template <typename T> Errors errorsOf(const Tridiagonal<T> &matrix, const std::vector<T> &w, const std::vector<T> &q) {
  const int n = matrix.n();
  const double unit = std::max(n, 1) * double(std::numeric_limits<T>::epsilon()) / 2, largest = matrix.largest();
  const double scale = largest > 0 ? largest : 1;
  Errors errors;
  const auto at = [&](int i, int j) { return double(q[i + static_cast<std::size_t>(j) * n]); };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      double sum = (matrix.d[i] / scale - w[j] / scale) * at(i, j);
      sum += i > 0 ? matrix.e[i - 1] / scale * at(i - 1, j) : 0;
      sum += i + 1 < n ? matrix.e[i] / scale * at(i + 1, j) : 0;
      errors.residual = std::max(errors.residual, std::isfinite(sum) ? std::abs(sum) / unit : 1e300);
    }
    for (int k = 0; k <= j; ++k) {
      double sum = j == k ? -1 : 0;
      for (int i = 0; i < n; ++i)
        sum += at(i, j) * at(i, k);
      errors.orthogonality = std::max(errors.orthogonality, std::isfinite(sum) ? std::abs(sum) / unit : 1e300);
    }
  }
  return errors;
}

/// LAPACK's eigenpairs; the matrix is scaled as its drivers do.
template <typename T> void lapackStedc(const Tridiagonal<T> &matrix, std::vector<T> &w, std::vector<T> &q) {
  const int n = matrix.n(), ld = std::max(n, 1), lwork = 1 + 4 * n + n * n, liwork = 3 + 5 * n;
  std::vector<T> e(matrix.e), work(lwork);
  std::vector<int> iwork(liwork);
  int info = 0;
  w = matrix.d;
  q.assign(static_cast<std::size_t>(n) * n, T(0));
  if constexpr (sizeof(T) == 4)
    sstedc_("I", &n, w.data(), e.data(), q.data(), &ld, work.data(), &lwork, iwork.data(), &liwork, &info);
  else
    dstedc_("I", &n, w.data(), e.data(), q.data(), &ld, work.data(), &lwork, iwork.data(), &liwork, &info);
}

} // namespace tla::test
