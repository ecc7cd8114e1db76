#include "runtime/bootstrap/check.hpp"
#include "runtime/bootstrap/text.hpp"
#include "tests/unit/runtime/bootstrap/test_algorithms.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace tla::bootstrap {
namespace {
using Complex = std::complex<double>;

/// A dense matrix for plain loops.
struct Dense {
  int m, n;
  std::vector<Complex> values;
  Dense(int rows, int columns) : m(rows), n(columns), values(static_cast<std::size_t>(rows) * columns) {}
  Complex &operator()(int i, int j) { return values[i + static_cast<std::size_t>(j) * m]; }
  const Complex &operator()(int i, int j) const { return values[i + static_cast<std::size_t>(j) * m]; }
};

Dense multiply(const Dense &a, const Dense &b) {
  Dense c(a.m, b.n);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < b.n; ++j)
      for (int l = 0; l < a.n; ++l)
        c(i, j) += a(i, l) * b(l, j);
  return c;
}
Dense apply(Op op, const Dense &a) {
  if (op == Op::NoTrans)
    return a;
  Dense b(a.n, a.m);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < a.n; ++j)
      b(j, i) = op == Op::ConjTrans ? std::conj(a(i, j)) : a(i, j);
  return b;
}
double columnNorm(const Dense &a, int j) {
  double sum = 0;
  for (int i = 0; i < a.m; ++i)
    sum += std::abs(a(i, j));
  return sum;
}
double oneNorm(const Dense &a) {
  double norm = 0;
  for (int j = 0; j < a.n; ++j)
    norm = std::max(norm, columnNorm(a, j));
  return norm;
}
Dense combine(Complex alpha, const Dense &a, Complex beta, const Dense &b) {
  Dense c(a.m, a.n);
  for (std::size_t i = 0; i < c.values.size(); ++i)
    c.values[i] = alpha * a.values[i] + beta * b.values[i];
  return c;
}
Dense absolute(const Dense &a) {
  Dense b(a.m, a.n);
  for (std::size_t i = 0; i < b.values.size(); ++i)
    b.values[i] = std::abs(a.values[i]);
  return b;
}

/// An algorithm run to its end, open to tampering.
class Finished {
public:
  Finished(const runtime::Algorithm &algorithm, const Settings &settings, int nb, int threads = 2)
      : algorithm_(algorithm), executor_({.threads = threads}), problem_(describeProblem(algorithm_, settings)) {
    problem_->nb = nb;
    makeSources(*problem_, settings);
    allocateMatrices(*problem_);
    fillMatrices(*problem_, executor_);
    std::vector<Storage *> storages;
    for (const ProblemMatrix &matrix : problem_->matrices)
      storages.push_back(&**matrix.storage);
    const auto outcome = executor_.run(algorithm_, {storages.data(), problem_->scalars.data()});
    EXPECT_EQ(outcome.kind, runtime::Outcome::Kind::Finished) << outcome.message;
  }

  Verdict check(CheckMode mode) { return checkResult(*problem_, mode, executor_); }
  double residual(CheckMode mode) { return check(mode).residual; }

  Dense original(int matrix) const {
    const ProblemMatrix &a = problem_->matrices[matrix];
    Dense dense(static_cast<int>(a.extent.rows), static_cast<int>(a.extent.columns));
    return withNumberType(a.parameter->type, [&](auto zero) {
      std::vector<decltype(zero)> values(dense.values.size());
      a.source->fill({a.parameter->type, values.data(), 0, 0, dense.m, dense.n, std::max(1, dense.m)});
      for (std::size_t i = 0; i < values.size(); ++i)
        dense.values[i] = Complex(values[i]);
      return dense;
    });
  }
  /// Zeros where the shape stores nothing.
  Dense result(int matrix) const {
    const ProblemMatrix &a = problem_->matrices[matrix];
    Dense dense(static_cast<int>(a.extent.rows), static_cast<int>(a.extent.columns));
    for (int i = 0; i < dense.m; ++i)
      for (int j = 0; j < dense.n; ++j)
        if (a.parameter->shape == Shape::General || (a.parameter->shape == Shape::Lower ? i >= j : i <= j))
          withNumberType(a.parameter->type,
                         [&](auto zero) { dense(i, j) = Complex(element<decltype(zero)>(matrix, i, j)); });
    return dense;
  }
  template <typename T> T &element(int matrix, int i, int j) const {
    const Storage &s = **problem_->matrices[matrix].storage;
    return static_cast<T *>(
        s.tile(i / s.mb(), j / s.nb()))[i % s.mb() + static_cast<long>(j % s.nb()) * s.ld(i / s.mb())];
  }
  /// Changes every element by about 1e-4 (single precision) or 1e-9 of its size.
  template <typename T> void disturb(int matrix) const {
    const Dense before = result(matrix);
    const double size = sizeof(RealType<T>) == 4 ? 1e-4 : 1e-9;
    for (int j = 0; j < before.n; ++j)
      for (int i = 0; i < before.m; ++i)
        if (before(i, j) != 0.0)
          element<T>(matrix, i, j) *= T(1 + size * std::sin(1 + i + 100.0 * j));
  }

private:
  runtime::Algorithm algorithm_;
  runtime::Executor executor_;
  std::unique_ptr<Problem> problem_;
};

Settings sizes(long m, long n, long k) {
  Settings settings;
  settings.m = m;
  settings.n = n;
  settings.k = k;
  return settings;
}

/// Both modes pass. With every element of the result a little wrong, Full equals the formula and Probe does not exceed
/// it (a pristine residual is rounding noise, which no two ways of computing it share). One wrong element fails both.
template <typename T>
void expectJudged(Finished &run, int result, const std::function<double()> &formula, int row, int column) {
  for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
    const Verdict verdict = run.check(mode);
    EXPECT_TRUE(verdict.judged && verdict.passed) << verdict.residual;
    EXPECT_GT(verdict.residual, 0);
  }
  run.disturb<T>(result);
  const double full = run.residual(CheckMode::Full), probe = run.residual(CheckMode::Probe);
  EXPECT_NEAR(full / formula(), 1, 1e-3);
  EXPECT_LE(probe, 1.001 * full);
  EXPECT_GT(probe, 0.02 * full);
  run.element<T>(result, row, column) += T(0.01);
  EXPECT_FALSE(run.check(CheckMode::Full).passed);
  EXPECT_FALSE(run.check(CheckMode::Probe).passed);
}

template <typename T> void checkLlt(const runtime::Algorithm &algorithm, int n, int nb) {
  Finished run(algorithm, sizes(n, n, n), nb);
  const bool upper = algorithm.matrices[0].shape == Shape::Upper;
  const auto formula = [&] {
    const Dense A = run.original(0), F = run.result(0);
    const Dense product = upper ? multiply(apply(Op::ConjTrans, F), F) : multiply(F, apply(Op::ConjTrans, F));
    return oneNorm(combine(1, A, -1, product)) / (n * oneNorm(A) * unitRoundoff(algorithm.type));
  };
  expectJudged<T>(run, 0, formula, upper ? 3 : n - 2, upper ? n - 2 : 3);
}

TEST(Check, LltIsLapacksFormula) {
  checkLlt<double>(test::cholesky<double>(), 50, 16);
  checkLlt<float>(test::cholesky<float>(), 50, 7);
  checkLlt<Complex>(test::cholesky<Complex>(), 41, 10);
  checkLlt<Complex>(test::upperCholesky(), 23, 23);
}

/// max over columns of |e_j| / (norm |x_j| eps)
double worstRatio(const Dense &error, const Dense &X, double norm, const runtime::Algorithm &algorithm) {
  double worst = 0;
  for (int j = 0; j < X.n; ++j)
    worst = std::max(worst, columnNorm(error, j) / (norm * columnNorm(X, j) * unitRoundoff(algorithm.type)));
  return worst;
}

template <typename T> void checkSolve(const runtime::Algorithm &algorithm, int n, int k, int column) {
  Finished run(algorithm, sizes(0, n, k), std::max(n, k));
  const auto formula = [&] {
    const Dense A = run.original(0), X = run.result(1);
    return worstRatio(combine(1, run.original(1), -1, multiply(A, X)), X, oneNorm(A), algorithm);
  };
  expectJudged<T>(run, 1, formula, n / 2, column);
}

TEST(Check, SolveIsLapacksFormula) {
  checkSolve<double>(test::posv<double>(), 30, 1, 0);
  checkSolve<double>(test::posv<double>(), 30, 40, 37);
  checkSolve<std::complex<float>>(test::posv<std::complex<float>>(), 20, 3, 1);
}

template <typename T> void checkPotrs(const runtime::Algorithm &algorithm, int n, int k) {
  Finished run(algorithm, sizes(0, n, k), std::max(n, k));
  const auto formula = [&] {
    const Dense L = run.original(0), X = run.result(1);
    const Dense error = combine(1, run.original(1), -1, multiply(L, multiply(apply(Op::ConjTrans, L), X)));
    return worstRatio(error, X, oneNorm(multiply(absolute(L), apply(Op::Trans, absolute(L)))), algorithm);
  };
  expectJudged<T>(run, 1, formula, n - 1, k - 1);
}

TEST(Check, PotrsIsTheFormula) {
  checkPotrs<double>(test::potrs<double>(), 30, 4);
  checkPotrs<Complex>(test::potrs<Complex>(), 25, 2);
}

template <typename T> void checkGemm(const runtime::Algorithm &algorithm, Op opA, Op opB, Complex alpha, Complex beta) {
  constexpr int m = 23, n = 17, k = 31;
  const auto name = [](Op op) { return op == Op::NoTrans ? "NoTrans" : op == Op::Trans ? "Trans" : "ConjTrans"; };
  const auto text = [](Complex z) { return formatNumber(z); };
  Settings settings = sizes(m, n, k);
  settings.scalars = {{"opA", name(opA)}, {"opB", name(opB)}, {"alpha", text(alpha)}, {"beta", text(beta)}};
  Finished run(algorithm, settings, 8);
  const auto formula = [&] {
    const Dense A = apply(opA, run.original(0)), B = apply(opB, run.original(1)), C0 = run.original(2),
                C = run.result(2);
    const Dense error = combine(1, C, -1, combine(alpha, multiply(A, B), beta, C0));
    const double scale =
        std::sqrt(k + 2.0) * std::abs(alpha) * oneNorm(A) * oneNorm(B) + 2 * std::abs(beta) * oneNorm(C0);
    return oneNorm(error) / (scale * unitRoundoff(algorithm.type));
  };
  expectJudged<T>(run, 2, formula, m - 1, 2);
}

TEST(Check, GemmIsSlatesFormula) {
  for (const Op opA : {Op::NoTrans, Op::Trans, Op::ConjTrans})
    for (const Op opB : {Op::NoTrans, Op::Trans, Op::ConjTrans}) {
      checkGemm<double>(test::gemm<double>(), opA, opB, 0.5, -2);
      checkGemm<Complex>(test::gemm<Complex>(), opA, opB, {0.5, 1}, {0, -2});
    }
  checkGemm<float>(test::gemm<float>(), Op::NoTrans, Op::Trans, 0.5, 0.25);
  checkGemm<double>(test::gemm<double>(), Op::NoTrans, Op::NoTrans, 1, 0);
}

TEST(Check, NanFails) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    Finished run(test::cholesky<double>(), sizes(0, 20, 0), 8);
    run.element<double>(0, 19, 0) = std::nan("");
    EXPECT_FALSE(run.check(mode).passed);
    Finished product(test::gemm<double>(), sizes(9, 9, 9), 4);
    product.element<double>(2, 0, 0) = std::nan("");
    EXPECT_FALSE(product.check(mode).passed);
    Finished solution(test::posv<double>(), sizes(0, 9, 3), 9);
    solution.element<double>(1, 5, 1) = std::nan("");
    EXPECT_FALSE(solution.check(mode).passed);
  }
}

TEST(Check, NothingIsRight) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    Finished cholesky(test::cholesky<double>(), sizes(0, 0, 0), 8);
    EXPECT_TRUE(cholesky.check(mode).passed);
    Finished gemm(test::gemm<double>(), sizes(0, 5, 3), 8);
    EXPECT_TRUE(gemm.check(mode).passed);
  }
}

TEST(Check, SameOnAnyNumberOfThreads) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    Finished one(test::cholesky<double>(), sizes(0, 60, 0), 9, 1),
        four(test::cholesky<double>(), sizes(0, 60, 0), 9, 4);
    EXPECT_EQ(one.residual(mode), four.residual(mode));
  }
}

TEST(Check, NotAskedNotJudged) {
  Finished run(test::cholesky<double>(), sizes(0, 5, 0), 8);
  EXPECT_FALSE(run.check(CheckMode::None).judged);
}

TEST(Check, UnknownChecksAreNamed) {
  runtime::Algorithm algorithm = test::cholesky<double>();
  algorithm.check = "ltl";
  EXPECT_EQ(test::usageError([&] { requireKnownCheck(algorithm); }),
            "unknown check 'ltl' in algorithms/cholesky.tla; known are llt, solve, potrs or gemm; did you mean 'llt'? "
            "(--no-check runs "
            "without)");
  algorithm.check = "solve";
  EXPECT_EQ(test::usageError([&] { requireKnownCheck(algorithm); }),
            "the check solve in algorithms/cholesky.tla takes 2 arguments");
  const char *const arguments[] = {"Q"};
  algorithm.check = "llt";
  algorithm.checkArguments = arguments;
  EXPECT_EQ(test::usageError([&] { requireKnownCheck(algorithm); }),
            "the check llt in algorithms/cholesky.tla: Q is not a matrix of cholesky");
}
} // namespace
} // namespace tla::bootstrap
