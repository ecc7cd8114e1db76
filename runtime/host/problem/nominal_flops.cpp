#include "runtime/host/problem/nominal_flops.hpp"

#include "runtime/host/problem/scalars.hpp"

#include <algorithm>

namespace tla::host {
namespace {

struct CheckSizes : CheckOperands {
  double rows(int position) const { return static_cast<double>(matrix(position).extent.rows); }
  double columns(int position) const { return static_cast<double>(matrix(position).extent.columns); }
};

double potrf(double n) { return n * n * n / 3 + n * n / 2 + n / 6; }
double trtri(double n) { return n * n * n / 3 + 2 * n / 3; }
double getrf(double m, double n) {
  const double large = std::max(m, n), small = std::min(m, n);
  return small * small * (large - small / 3) - small * small / 2 + 5 * small / 6;
}
double getri(double n) { return 4 * n * n * n / 3 - n * n + 5 * n / 3; }
double geqrf(double m, double n) {
  if (m >= n)
    return 2 * n * n * (m - n / 3) + m * n + n * n + 14 * n / 3;
  return 2 * m * m * (n - m / 3) + 3 * m * n - m * m + 14 * m / 3;
}
/// Q C or Q^H C for k columns of C.
double ormqr(double m, double n, double k) {
  const double reflectors = std::min(m, n);
  return 4 * m * reflectors * k - 2 * reflectors * reflectors * k;
}
/// QR of the matrix that is taller than wide, Q applied, one triangular solve.
double gels(double m, double n, double k) {
  const double large = std::max(m, n), small = std::min(m, n);
  return geqrf(large, small) + ormqr(large, small, k) + small * small * k;
}

/// A factor of order m or n on one side of an m x n matrix B, argument number `position`.
double oneSided(const CheckSizes &sizes, int position) {
  const double m = sizes.rows(position), n = sizes.columns(position);
  return sizes.option<Side>(0) == Side::Left ? m * m * n : m * n * n;
}
double rankUpdate(const CheckSizes &sizes) {
  const double n = sizes.rows(5), k = sizes.option<Op>(1) == Op::NoTrans ? sizes.columns(3) : sizes.rows(3);
  return k * n * (n + 1);
}
double triangularSide(const CheckSizes &sizes) { return oneSided(sizes, 6); }
double mirroredSide(const CheckSizes &sizes) { return 2 * oneSided(sizes, 6); }

struct Count {
  std::string_view check;
  int arguments;
  double (*flops)(const CheckSizes &);
};
constexpr Count counts[] = {
    {"llt", 1, [](const CheckSizes &s) { return potrf(s.rows(0)); }},
    {"ldl", 1, [](const CheckSizes &s) { return potrf(s.rows(0)); }},
    {"lu", 1, [](const CheckSizes &s) { return getrf(s.rows(0), s.columns(0)); }},
    {"plu", 2, [](const CheckSizes &s) { return getrf(s.rows(0), s.columns(0)); }},
    {"qr", 2, [](const CheckSizes &s) { return geqrf(s.rows(0), s.columns(0)); }},
    {"solve", 2,
     [](const CheckSizes &s) {
       const double n = s.rows(1);
       const bool general = s.matrix(0).parameter->shape == Shape::General;
       return (general ? getrf(n, n) : potrf(n)) + 2 * n * n * s.columns(1);
     }},
    {"potrs", 2, [](const CheckSizes &s) { return 2 * s.rows(1) * s.rows(1) * s.columns(1); }},
    {"least_squares", 3, [](const CheckSizes &s) { return gels(s.rows(1), s.columns(1), s.columns(2)); }},
    {"gemm", 7, // A holds m x k elements in either form
     [](const CheckSizes &s) { return s.rows(6) > 0 ? 2 * s.rows(3) * s.columns(3) * s.columns(6) : 0; }},
    {"symm", 7, mirroredSide},
    {"hemm", 7, mirroredSide},
    {"syrk", 6, rankUpdate},
    {"herk", 6, rankUpdate},
    {"trmm", 7, triangularSide},
    {"trsm", 7, triangularSide},
    {"lauum", 2, [](const CheckSizes &s) { return potrf(s.rows(1)); }},
    {"trtri", 3, [](const CheckSizes &s) { return trtri(s.rows(2)); }},
    {"potri", 2, [](const CheckSizes &s) { return trtri(s.rows(1)) + potrf(s.rows(1)); }},
    {"inverse", 1, [](const CheckSizes &s) { return getrf(s.rows(0), s.rows(0)) + getri(s.rows(0)); }},
};
} // namespace

double nominalFlops(const Problem &problem) {
  if (problem.patterns) // LAPACK's counts are for all tiles
    return 0;
  const runtime::Algorithm &algorithm = *problem.algorithm;
  const std::string_view check = algorithm.check ? algorithm.check : "";
  for (const Count &count : counts)
    if (check == count.check && algorithm.checkArgumentCount == count.arguments)
      return count.flops({problem}) * flopFactor(algorithm.type);
  return 0;
}

} // namespace tla::host
