// Every check at every scale: what is right passes and what is wrong fails, whatever the exponents of the numbers.
#include "dsl/base/text.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/finished.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace tla::host {
namespace {
using test::Complex;
using test::finished;
using test::Finished;

/// The exponent of the power of two by which element (i, j) is multiplied.
using Exponent = std::function<int(int, int)>;

template <typename T> T scaledBy(T value, int exponent) {
  if constexpr (isComplex<T>)
    return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
  else
    return std::ldexp(value, exponent);
}

/// Another source, whose elements are multiplied by powers of two: exactly.
class ScaledSource final : public MatrixSource {
public:
  ScaledSource(std::unique_ptr<MatrixSource> source, Exponent exponent)
      : source_(std::move(source)), exponent_(std::move(exponent)) {}
  void fill(const Block &block) const override {
    source_->fill(block);
    withNumberType(block.type, [&](auto zero) {
      for (int j = 0; j < block.n; ++j)
        for (int i = 0; i < block.m; ++i) {
          auto &element = static_cast<decltype(zero) *>(block.elements)[i + static_cast<long>(j) * block.ld];
          element = scaledBy(element, exponent_(static_cast<int>(block.row) + i, static_cast<int>(block.column) + j));
        }
    });
  }
  std::string describe() const override { return source_->describe(); }

private:
  std::unique_ptr<MatrixSource> source_;
  Exponent exponent_;
};

struct ScaledMatrix {
  int number;
  Exponent before, after;
};
Exponent all(int exponent) {
  return [exponent](int, int) { return exponent; };
}
Exponent none() { return all(0); }
/// Exponents for a factorization with L unit lower triangular, or for Householder vectors: elements below the diagonal
/// stay.
Exponent onAndAbove(int exponent) {
  return [exponent](int i, int j) { return i <= j ? exponent : 0; };
}
/// 2^-100 .. 2^100 over the rows of D = diag(2^grade(i)): D A D spans 400 bits.
int grade(int i) { return (i * 37) % 201 - 100; }

/// Scales the result as exact arithmetic would if the run's input were scaled.
template <typename T> void scale(Finished &run, const std::vector<ScaledMatrix> &matrices) {
  for (const ScaledMatrix &matrix : matrices) {
    ProblemMatrix &of = run.problem().matrices[static_cast<std::size_t>(matrix.number)];
    for (int j = 0; j < of.extent.columns; ++j)
      for (int i = 0; i < of.extent.rows; ++i)
        if (of.parameter->shape == Shape::General || (of.parameter->shape == Shape::Lower ? i >= j : i <= j)) {
          T &element = run.element<T>(matrix.number, i, j);
          element = scaledBy(element, matrix.after(i, j));
        }
    of.source = std::make_unique<ScaledSource>(std::move(of.source), matrix.before);
  }
}

/// A check, its algorithm run on m x n (k), and what a scaling of its input by 2^a and 2^b does.
struct Case {
  const char *name;
  const runtime::Algorithm &algorithm;
  int m, n, k;
  int result; ///< the matrix that is judged
  std::function<std::vector<ScaledMatrix>(int a, int b)> scaled;
};

/// The element on the diagonal of the result that is largest.
template <typename T> T &largestElement(Finished &run, int result) {
  const auto &extent = run.problem().matrices[static_cast<std::size_t>(result)].extent;
  int largest = 0;
  for (int i = 1; i < std::min(extent.rows, extent.columns); ++i)
    if (std::abs(run.element<T>(result, i, i)) > std::abs(run.element<T>(result, largest, largest)))
      largest = i;
  return run.element<T>(result, largest, largest);
}

template <typename T> void expectVerdicts(const Case &one, int a, int b) {
  using Real = RealType<T>;
  const auto make = [&] { return finished(one.algorithm, one.m, one.n, one.k); };
  for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
    SCOPED_TRACE(format("%s of %s, by 2^%d and 2^%d, %s", one.name, one.algorithm.name, a, b,
                        mode == CheckMode::Full ? "full" : "probe"));
    Finished run = make();
    scale<T>(run, one.scaled(a, b));
    const Verdict right = run.check(mode);
    EXPECT_TRUE(right.passed) << right.residual << " " << right.cause;
    // The size of what is wrong is told exactly: that of the same error in numbers near 1.
    Finished plain = make(), disturbed = make();
    plain.disturb<T>(one.result);
    disturbed.disturb<T>(one.result);
    scale<T>(disturbed, one.scaled(a, b));
    EXPECT_NEAR(disturbed.residual(mode) / plain.residual(mode), 1, 0.01);
    T &element = largestElement<T>(run, one.result);
    const T before = element;
    for (const T wrong : {before * T(2), before * T(0.5), T(0), T(std::numeric_limits<Real>::infinity()),
                          T(std::numeric_limits<Real>::quiet_NaN()), T(std::numeric_limits<Real>::max())}) {
      if (wrong == before)
        continue;
      element = wrong;
      const Verdict verdict = run.check(mode);
      EXPECT_FALSE(verdict.passed) << wrong << " for " << before << ": " << verdict.residual;
    }
  }
}

template <typename T> std::vector<Case> cases() {
  const auto linear = [](int number, int factor) {
    return [=](int a, int) -> std::vector<ScaledMatrix> { return {{number, all(a), all(factor * a)}}; };
  };
  const auto products = [](int c) { // of matrices 0 and 1, added to matrix 2
    return [=](int a, int b) -> std::vector<ScaledMatrix> {
      return {{0, all(a), all(a)}, {1, all(b), all(b)}, {c, all(a + b), all(a + b)}};
    };
  };
  const auto systems = [](int a, int b) -> std::vector<ScaledMatrix> {
    return {{0, all(a), all(a)}, {1, all(b), all(b - a)}};
  };
  const auto update = [](int a, int) -> std::vector<ScaledMatrix> {
    return {{0, all(a), all(a)}, {1, all(2 * a), all(2 * a)}};
  };
  const auto unitFactor = [](int a, int) -> std::vector<ScaledMatrix> { return {{0, all(a), onAndAbove(a)}}; };
  return {
      {"ldl", test::ldl<T>(), 0, 20, 0, 0,
       [](int a, int) -> std::vector<ScaledMatrix> {
         return {{0, all(a), [a](int i, int j) { return i == j ? a : 0; }}};
       }},
      {"lu", test::lu<T>(), 25, 20, 0, 0, unitFactor},
      {"plu", test::luWithPivots<T>(), 20, 25, 0, 0, unitFactor},
      {"qr", test::qr<T>(), 25, 20, 0, 0, unitFactor},
      {"solve", test::gesv<T>(), 0, 20, 3, 1, systems},
      {"least_squares", test::gels<T>(), 25, 10, 3, 1, systems},
      {"least_squares", test::gels<T>(), 10, 25, 3, 1, systems},
      {"symm", test::symm<T>(), 0, 20, 9, 2, products(2)},
      {"hemm", test::hemm<T>(), 0, 20, 9, 2, products(2)},
      {"syrk", test::syrk<T>(), 0, 20, 9, 1, update},
      {"herk", test::herk<T>(), 0, 20, 9, 1, update},
      {"trmm", test::trmm<T>(), 0, 20, 9, 1,
       [](int a, int b) -> std::vector<ScaledMatrix> {
         return {{0, all(a), all(a)}, {1, all(b), all(a + b)}};
       }},
      {"trsm", test::trsm<T>(), 0, 20, 9, 1, systems},
      {"trtri", test::trtri<T>(), 0, 20, 0, 0, linear(0, -1)},
      {"potri", test::potri<T>(), 0, 20, 0, 0, linear(0, -2)},
      {"inverse", test::inverse<T>(), 0, 20, 0, 0, linear(0, -1)},
      {"lauum", test::lauum<T>(), 0, 20, 0, 0, linear(0, 2)},
  };
}

template <typename T> void expectJudgedAt(std::initializer_list<std::pair<int, int>> exponents) {
  for (const Case &one : cases<T>())
    for (const auto &[a, b] : exponents)
      expectVerdicts<T>(one, a, b);
}

TEST(CheckScale, Doubles) { expectJudgedAt<double>({{0, 0}, {500, 500}, {-500, -500}, {-480, 500}, {500, -480}}); }
TEST(CheckScale, ComplexDoubles) { expectJudgedAt<Complex>({{505, 400}, {-500, 480}, {-490, -490}}); }
TEST(CheckScale, Floats) { expectJudgedAt<float>({{60, 55}, {-55, -55}, {-50, 60}}); }

TEST(CheckScale, EdgesOfTheRange) {
  for (const int a : {1010, -980})
    for (const Case &one : cases<double>())
      if (const std::string name = one.name;
          name == "lu" || name == "plu" || name == "qr" || name == "trtri" || name == "inverse")
        expectVerdicts<double>(one, a, 0);
}

TEST(CheckScale, Factors) {
  const Case llt{"llt", test::cholesky<double>(), 20, 20, 20, 0, [](int a, int) -> std::vector<ScaledMatrix> {
                   return {{0, all(2 * a), all(a)}};
                 }};
  const Case potrs{"potrs", test::potrs<double>(), 0, 7, 3, 1, [](int a, int b) -> std::vector<ScaledMatrix> {
                     return {{0, all(a), all(a)}, {1, all(b), all(b - 2 * a)}};
                   }};
  const Case solve{"solve", test::posv<double>(), 0, 7, 3, 1, [](int a, int b) -> std::vector<ScaledMatrix> {
                     return {{0, all(a), all(a)}, {1, all(b), all(b - a)}};
                   }};
  const Case gemm{"gemm", test::gemm<double>(), 20, 15, 9, 2, [](int a, int b) -> std::vector<ScaledMatrix> {
                    return {{0, all(a), all(a)}, {1, all(b), all(b)}, {2, all(a + b), all(a + b)}};
                  }};
  for (const int a : {500, -480, 0}) {
    expectVerdicts<double>(llt, a, 0);
    expectVerdicts<double>(potrs, a, a);
    expectVerdicts<double>(solve, a, -a);
    expectVerdicts<double>(gemm, a, a);
    expectVerdicts<double>(gemm, a, -a);
  }
}

/// D A D for D = diag(2^grade), with all that this makes of the factors and the inverse.
TEST(CheckScale, GradedMatrices) {
  const Exponent rows = [](int i, int) { return grade(i); };
  const Exponent both = [](int i, int j) { return grade(i) + grade(j); };
  const Exponent inverse = [](int i, int j) { return -grade(i) - grade(j); };
  const Case graded[] = {
      {"llt", test::cholesky<double>(), 20, 20, 20, 0,
       [&](int a, int) -> std::vector<ScaledMatrix> {
         return {{0, [=](int i, int j) { return both(i, j) + 2 * a; }, [=](int i, int j) { return rows(i, j) + a; }}};
       }},
      {"potri", test::potri<double>(), 20, 20, 20, 0,
       [&](int a, int) -> std::vector<ScaledMatrix> {
         return {
             {0, [=](int i, int j) { return rows(i, j) + a; }, [=](int i, int j) { return inverse(i, j) - 2 * a; }}};
       }},
      {"trtri", test::trtri<double>(), 20, 20, 20, 0,
       [&](int a, int) -> std::vector<ScaledMatrix> {
         return {
             {0, [=](int i, int j) { return 4 * rows(i, j) + a; }, [=](int i, int j) { return -4 * rows(j, i) - a; }}};
       }},
  };
  for (const Case &one : graded)
    for (const int a : {0, 250, -250})
      for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
        Finished run = finished(one.algorithm, one.m, one.n, one.k);
        scale<double>(run, one.scaled(a, 0));
        const Verdict verdict = run.check(mode);
        EXPECT_TRUE(verdict.passed) << one.name << " " << a << ": " << verdict.residual << " " << verdict.cause;
        const auto expectFailed = [&](const char *what) {
          const Verdict wrong = run.check(mode);
          EXPECT_FALSE(wrong.passed) << one.name << " " << a << ": " << what << ", " << wrong.residual;
        };
        for (const int i : {0, 7, 19}) {
          double &element = run.element<double>(0, i, i), before = element;
          if (one.name == std::string("llt"))
            continue; // judged by the norm of A, as LAPACK does
          element = before * 1.001;
          expectFailed("an element on the diagonal");
          element = before;
        }
        largestElement<double>(run, 0) *= 1.001;
        expectFailed("the largest element");
      }
}

TEST(CheckScale, WhatNoNumberCanBeIsSaid) {
  for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
    const auto verdictOfProduct = [&](int exponent) {
      Settings settings = test::sizes(20, 15, 9);
      settings.scalars = {{"beta", "0"}};
      Finished run(test::gemm<double>(), settings, 8);
      scale<double>(
          run, {{0, all(exponent), all(exponent)}, {1, all(exponent), all(exponent)}, {2, none(), all(2 * exponent)}});
      return run.check(mode);
    };
    const Verdict small = verdictOfProduct(-600), large = verdictOfProduct(600);
    EXPECT_FALSE(small.passed);
    EXPECT_EQ(small.cause,
              "what it should be lies below 2.2e-308, where numbers of double lose digits: scale the input up");
    EXPECT_FALSE(large.passed);
    EXPECT_EQ(large.cause, "the result holds Inf or NaN: it is wrong, or larger than double has numbers (1.8e+308)");
  }
}

TEST(CheckScale, NothingButZerosIsRightWhenItIsZero) {
  for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
    Finished run = finished(test::gemm<double>(), 20, 15, 9);
    const auto toZero = [](int, int) { return -4000; };
    scale<double>(run, {{0, toZero, none()}, {2, toZero, toZero}});
    EXPECT_TRUE(run.check(mode).passed);
    run.element<double>(2, 3, 3) = std::numeric_limits<double>::denorm_min();
    EXPECT_FALSE(run.check(mode).passed);
  }
}
} // namespace
} // namespace tla::host
