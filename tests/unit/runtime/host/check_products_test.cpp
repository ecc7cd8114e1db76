// The checks of BLAS 3 and of inverses are LAPACK's and SLATE's formulas.
#include "dsl/base/text.hpp"
#include "tests/unit/runtime/host/dense.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/finished.hpp"
#include "tests/unit/runtime/host/judged.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::absolute;
using test::adjointOf;
using test::apply;
using test::combine;
using test::Complex;
using test::Dense;
using test::difference;
using test::expectJudged;
using test::finished;
using test::Finished;
using test::identity;
using test::mirrored;
using test::multiply;
using test::oneNorm;
using test::scaledNorm;
using test::triangle;

struct Options {
  const char *side, *uplo, *op, *diag;
};
constexpr Options allOptions[] = {
    {"Left", "Lower", "NoTrans", "NonUnit"},   {"Right", "Lower", "Trans", "NonUnit"},
    {"Left", "Upper", "ConjTrans", "Unit"},    {"Right", "Upper", "NoTrans", "Unit"},
    {"Left", "Lower", "ConjTrans", "NonUnit"}, {"Right", "Upper", "ConjTrans", "NonUnit"}};
Op opNamed(const std::string &name) {
  return name == "NoTrans" ? Op::NoTrans : name == "Trans" ? Op::Trans : Op::ConjTrans;
}
Uplo uploNamed(const std::string &name) { return name == "Lower" ? Uplo::Lower : Uplo::Upper; }
Diag diagNamed(const std::string &name) { return name == "Unit" ? Diag::Unit : Diag::NonUnit; }

/// Triangular products and systems with op(A) on either side.
template <typename T> void checkTriangular(const runtime::Algorithm &algorithm, const Options &options, bool solving) {
  constexpr int n = 29, k = 13;
  const Complex alpha = isComplex<T> ? Complex(0.5, 1) : Complex(-2);
  Finished run = finished(algorithm, 0, n, k,
                          {{"side", options.side},
                           {"uplo", options.uplo},
                           {"op", options.op},
                           {"diag", options.diag},
                           {"alpha", formatNumber(alpha)}});
  const auto formula = [&] {
    const Dense A =
        apply(opNamed(options.op), triangle(uploNamed(options.uplo), diagNamed(options.diag), run.original(0)));
    const Dense B = run.original(1), X = run.result(1), &factor = solving ? X : B;
    const bool left = options.side == std::string("Left");
    const Dense product = left ? multiply(A, factor) : multiply(factor, A);
    if (solving)
      return scaledNorm(combine(alpha, B, -1, product), oneNorm(A) * oneNorm(X), algorithm);
    const double scale = std::sqrt((left ? n : k) + 2.0) * std::abs(alpha) * oneNorm(A) * oneNorm(B);
    return scaledNorm(combine(1, X, -alpha, product), scale, algorithm);
  };
  expectJudged<T>(run, 1, formula, n - 2, 5);
}

TEST(Check, TrsmAndTrmmAreTheFormulas) {
  for (const Options &options : allOptions) {
    checkTriangular<double>(test::trsm<double>(), options, true);
    checkTriangular<Complex>(test::trsm<Complex>(), options, true);
    checkTriangular<double>(test::trmm<double>(), options, false);
    checkTriangular<Complex>(test::trmm<Complex>(), options, false);
  }
}

template <typename T>
void checkSymm(const runtime::Algorithm &algorithm, const Options &options, Op mirror, Complex beta) {
  constexpr int n = 29, k = 13;
  const Complex alpha = isComplex<T> ? Complex(0.5, 1) : Complex(-2);
  Finished run = finished(
      algorithm, 0, n, k,
      {{"side", options.side}, {"uplo", options.uplo}, {"alpha", formatNumber(alpha)}, {"beta", formatNumber(beta)}});
  const auto formula = [&] {
    const Dense A = mirrored(uploNamed(options.uplo), mirror, run.original(0));
    const Dense B = run.original(1), C0 = run.original(2), C = run.result(2);
    const Dense product = options.side == std::string("Left") ? multiply(A, B) : multiply(B, A);
    const double scale =
        std::sqrt(A.m + 2.0) * std::abs(alpha) * oneNorm(A) * oneNorm(B) + 2 * std::abs(beta) * oneNorm(C0);
    return scaledNorm(difference(C, combine(alpha, product, beta, C0)), scale, algorithm);
  };
  expectJudged<T>(run, 2, formula, n - 2, 5);
}

TEST(Check, SymmAndHemmAreTheFormulas) {
  for (const Options &options : allOptions) {
    checkSymm<double>(test::symm<double>(), options, Op::Trans, 0.5);
    checkSymm<Complex>(test::symm<Complex>(), options, Op::Trans, {0.5, -1});
    checkSymm<Complex>(test::hemm<Complex>(), options, Op::ConjTrans, 0);
  }
}

template <typename T> void checkSyrk(const runtime::Algorithm &algorithm, const char *uplo, const char *op, Op mirror) {
  constexpr int n = 29, k = 13;
  Finished run = finished(algorithm, 0, n, k, {{"uplo", uplo}, {"op", op}, {"alpha", "-0.5"}, {"beta", "2"}});
  const auto formula = [&] {
    const Dense A = apply(opNamed(op), run.original(0));
    const Dense C0 = mirrored(uploNamed(uplo), mirror, run.original(1)),
                C = mirrored(uploNamed(uplo), mirror, run.result(1)), AH = apply(mirror, A);
    const double scale = std::sqrt(k + 2.0) * 0.5 * oneNorm(A) * oneNorm(AH) + 4 * oneNorm(C0);
    return scaledNorm(difference(C, combine(-0.5, multiply(A, AH), 2, C0)), scale, algorithm);
  };
  const bool lower = uploNamed(uplo) == Uplo::Lower;
  run.element<T>(1, lower ? 0 : n - 1, lower ? n - 1 : 0) = std::nan(""); // the other triangle does not count
  expectJudged<T>(run, 1, formula, lower ? n - 2 : 5, lower ? 5 : n - 2);
}

TEST(Check, SyrkAndHerkAreTheFormulas) {
  for (const char *uplo : {"Lower", "Upper"}) {
    checkSyrk<double>(test::syrk<double>(), uplo, "NoTrans", Op::Trans);
    checkSyrk<Complex>(test::syrk<Complex>(), uplo, "Trans", Op::Trans);
    checkSyrk<Complex>(test::herk<Complex>(), uplo, "NoTrans", Op::ConjTrans);
    checkSyrk<Complex>(test::herk<Complex>(), uplo, "ConjTrans", Op::ConjTrans);
  }
}

template <typename T> void checkTrtri(const runtime::Algorithm &algorithm, const char *uplo, const char *diag) {
  constexpr int n = 29;
  Finished run = finished(algorithm, 0, n, 0, {{"uplo", uplo}, {"diag", diag}});
  const auto formula = [&] {
    const Dense A = triangle(uploNamed(uplo), diagNamed(diag), run.original(0)),
                R = triangle(uploNamed(uplo), diagNamed(diag), run.result(0));
    return scaledNorm(difference(identity(n), multiply(A, R)), n * oneNorm(A) * oneNorm(R), algorithm);
  };
  const bool lower = uploNamed(uplo) == Uplo::Lower;
  expectJudged<T>(run, 0, formula, lower ? n - 2 : 5, lower ? 5 : n - 2);
}

TEST(Check, TrtriIsLapacksFormula) {
  for (const char *uplo : {"Lower", "Upper"})
    for (const char *diag : {"NonUnit", "Unit"}) {
      checkTrtri<double>(test::trtri<double>(), uplo, diag);
      checkTrtri<Complex>(test::trtri<Complex>(), uplo, diag);
    }
}

template <typename T> void checkLauumAndPotri(const char *uplo) {
  constexpr int n = 29;
  const bool lower = uploNamed(uplo) == Uplo::Lower;
  const auto factorOf = [&](Finished &run) { return triangle(uploNamed(uplo), Diag::NonUnit, run.original(0)); };
  const auto resultOf = [&](Finished &run) { return mirrored(uploNamed(uplo), Op::ConjTrans, run.result(0)); };
  Finished product = finished(test::lauum<T>(), 0, n, 0, {{"uplo", uplo}});
  const auto productFormula = [&] {
    const Dense F = factorOf(product), FH = adjointOf(F), P = resultOf(product);
    return scaledNorm(difference(P, lower ? multiply(FH, F) : multiply(F, FH)), n * oneNorm(P), test::lauum<T>());
  };
  expectJudged<T>(product, 0, productFormula, lower ? n - 2 : 5, lower ? 5 : n - 2);

  Finished inverse = finished(test::potri<T>(), 0, n, 0, {{"uplo", uplo}});
  const auto inverseFormula = [&] {
    const Dense F = factorOf(inverse), FH = adjointOf(F), R = resultOf(inverse);
    const Dense A = lower ? multiply(F, FH) : multiply(FH, F);
    const double norm = oneNorm(lower ? multiply(absolute(F), absolute(FH)) : multiply(absolute(FH), absolute(F)));
    return scaledNorm(difference(identity(n), multiply(A, R)), n * norm * oneNorm(R), test::potri<T>());
  };
  expectJudged<T>(inverse, 0, inverseFormula, lower ? n - 2 : 5, lower ? 5 : n - 2);
}

TEST(Check, LauumAndPotriAreLapacksFormulas) {
  for (const char *uplo : {"Lower", "Upper"}) {
    checkLauumAndPotri<double>(uplo);
    checkLauumAndPotri<Complex>(uplo);
  }
}

TEST(Check, InverseIsLapacksFormula) {
  constexpr int n = 29;
  Finished run = finished(test::inverse<Complex>(), 0, n, 0);
  const auto formula = [&] {
    const Dense A = run.original(0), R = run.result(0);
    return scaledNorm(difference(identity(n), multiply(A, R)), n * oneNorm(A) * oneNorm(R), test::inverse<Complex>());
  };
  expectJudged<Complex>(run, 0, formula, 3, 7);
}
} // namespace
} // namespace tla::host
