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
using test::columnNorm;
using test::combine;
using test::Complex;
using test::Dense;
using test::difference;
using test::expectJudged;
using test::finished;
using test::Finished;
using test::identity;
using test::leadingRows;
using test::mirrored;
using test::multiply;
using test::oneNorm;
using test::scaledNorm;
using test::sizes;
using test::triangle;

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

template <typename T> void checkLu(const runtime::Algorithm &algorithm, int m, int n) {
  Finished run = finished(algorithm, m, n, 0);
  const auto formula = [&] {
    const Dense A = run.original(0), F = run.result(0);
    const int k = std::min(m, n);
    Dense L = triangle(Uplo::Lower, Diag::Unit, F);
    L = adjointOf(leadingRows(adjointOf(L), k));
    Dense product = multiply(L, leadingRows(triangle(Uplo::Upper, Diag::NonUnit, F), k));
    for (int i = k - 1; algorithm.matrixCount > 1 && i >= 0; --i)
      for (int j = 0; j < n; ++j)
        std::swap(product(i, j), product(run.element<int>(1, i, 0) - 1, j));
    return scaledNorm(difference(A, product), n * oneNorm(A), algorithm);
  };
  expectJudged<T>(run, 0, formula, m - 1, 2);
}

TEST(Check, LuIsLapacksFormula) {
  for (const auto &[m, n] : {std::pair{30, 30}, {37, 20}, {20, 37}}) {
    checkLu<double>(test::lu<double>(), m, n);
    checkLu<double>(test::luWithPivots<double>(), m, n);
    checkLu<Complex>(test::luWithPivots<Complex>(), m, n);
  }
  checkLu<float>(test::luWithPivots<float>(), 25, 25);
}

TEST(Check, PivotsMustBeRows) {
  for (const int pivot : {0, 1, 31}) {
    Finished run = finished(test::luWithPivots<double>(), 30, 30, 0);
    run.element<int>(1, 9, 0) = pivot;
    EXPECT_FALSE(run.check(CheckMode::Probe).passed) << pivot;
  }
}

template <typename T> void checkLdl(const runtime::Algorithm &algorithm, int n) {
  Finished run = finished(algorithm, 0, n, 0);
  const auto formula = [&] {
    const Dense A = run.original(0), F = run.result(0), L = triangle(Uplo::Lower, Diag::Unit, F);
    Dense D(n, n);
    for (int i = 0; i < n; ++i)
      D(i, i) = F(i, i);
    return scaledNorm(difference(A, multiply(L, multiply(D, adjointOf(L)))), n * oneNorm(A), algorithm);
  };
  expectJudged<T>(run, 0, formula, n - 1, 2);
}

TEST(Check, LdlIsTheFormula) {
  checkLdl<double>(test::ldl<double>(), 30);
  checkLdl<Complex>(test::ldl<Complex>(), 21);
}

/// Q as its own algorithm applies it to the identity.
template <typename T> Dense orthogonal(Finished &run, int m) {
  const StorageRef B(new Storage(m, m, m, m, sizeof(T), Shape::General));
  B->allocate();
  T *const elements = static_cast<T *>(B->tile(0, 0));
  for (int i = 0; i < m * m; ++i)
    elements[i] = i % (m + 1) == 0 ? T(1) : T(0);
  Storage *const storages[] = {run.storage(0), run.storage(1), &*B};
  const runtime::ScalarValue op{static_cast<long>(Op::NoTrans), 0, 0};
  runtime::Executor executor({.threads = 1});
  executor.run([&](runtime::Generator &generator) { run.algorithm().checkCall.generate(generator, {storages, &op}); });
  Dense Q(m, m);
  for (int i = 0; i < m * m; ++i)
    Q.values[i] = Complex(elements[i]);
  return Q;
}

template <typename T> void checkQr(const runtime::Algorithm &algorithm, int m, int n) {
  Finished run = finished(algorithm, m, n, 0);
  const auto formula = [&] {
    const Dense A = run.original(0), Q = orthogonal<T>(run, m);
    const Dense R = triangle(Uplo::Upper, Diag::NonUnit, run.result(0));
    return std::max(scaledNorm(difference(A, multiply(Q, R)), m * oneNorm(A), algorithm),
                    scaledNorm(difference(identity(m), multiply(adjointOf(Q), Q)), m, algorithm));
  };
  expectJudged<T>(run, 0, formula, 2, n - 1);
}

TEST(Check, QrIsLapacksFormula) {
  for (const auto &[m, n] : {std::pair{30, 30}, {37, 20}, {20, 37}}) {
    checkQr<double>(test::qr<double>(), m, n);
    checkQr<Complex>(test::qr<Complex>(), m, n);
  }
  checkQr<float>(test::qr<float>(), 25, 20);
}

TEST(Check, QrSeesThatQIsNotOrthogonal) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    Finished run = finished(test::qr<double>(), 30, 20, 0);
    run.element<double>(1, 19, 0) *= 1.01;
    EXPECT_FALSE(run.check(mode).passed);
  }
}

TEST(Check, SolveTakesGeneralMatrices) {
  Finished run = finished(test::gesv<Complex>(), 0, 30, 3);
  const auto formula = [&] {
    const Dense A = run.original(0), X = run.result(1);
    return worstRatio(difference(run.original(1), multiply(A, X)), X, oneNorm(A), test::gesv<Complex>());
  };
  expectJudged<Complex>(run, 1, formula, 11, 1);
}

template <typename T> void checkLeastSquares(const runtime::Algorithm &algorithm, int m, int n, const char *op) {
  const bool plain = op == std::string("NoTrans");
  Finished run = finished(algorithm, m, n, 3, {{"op", op}});
  const auto formula = [&] {
    const Dense F = apply(plain ? Op::NoTrans : Op::ConjTrans, run.original(0)), FH = adjointOf(F);
    const Dense b = leadingRows(run.original(1), F.m), X = leadingRows(run.result(1), F.n);
    const bool over = F.m >= F.n;
    const Dense residual = difference(b, multiply(F, X)), error = over ? multiply(FH, residual) : residual;
    const Dense outside =
        over ? Dense(F.n, 3) : difference(X, multiply(FH, test::solve(multiply(F, FH), multiply(F, X))));
    double worst = 0;
    for (int j = 0; j < 3; ++j) {
      const double x = columnNorm(X, j), scale = oneNorm(F) * (over ? oneNorm(F) * x + columnNorm(b, j) : x);
      worst = std::max({worst, columnNorm(error, j) / scale, columnNorm(outside, j) / x});
    }
    return worst / (std::max(m, n) * unitRoundoff(algorithm.type));
  };
  expectJudged<T>(run, 1, formula, 2, 1);
}

TEST(Check, LeastSquaresIsLapacksFormula) {
  for (const auto &[m, n] : {std::pair{40, 20}, {20, 40}, {20, 20}})
    for (const char *op : {"NoTrans", "ConjTrans"}) {
      checkLeastSquares<double>(test::gels<double>(), m, n, op);
      checkLeastSquares<Complex>(test::gels<Complex>(), m, n, op);
    }
}

TEST(Check, LeastSquaresWantsTheShortestSolution) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    Finished run = finished(test::gels<double>(), 20, 40, 1);
    const Dense A = run.original(0), AH = adjointOf(A);
    Dense z(40, 1); // in the null space of A
    z(3, 0) = 1;
    z = difference(z, multiply(AH, test::solve(multiply(A, AH), multiply(A, z))));
    for (int i = 0; i < 40; ++i)
      run.element<double>(1, i, 0) += z(i, 0).real();
    EXPECT_FALSE(run.check(mode).passed);
  }
}

TEST(Check, NothingIsRightInEveryCheck) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full}) {
    for (const runtime::Algorithm *algorithm :
         {&test::luWithPivots<double>(), &test::qr<double>(), &test::gesv<double>(), &test::gels<double>(),
          &test::trsm<double>(), &test::symm<double>(), &test::syrk<double>(), &test::trtri<double>(),
          &test::potri<double>(), &test::inverse<double>(), &test::ldl<double>()}) {
      Finished none = finished(*algorithm, 0, 0, 0);
      EXPECT_TRUE(none.check(mode).passed) << algorithm->name;
    }
    Finished tall = finished(test::qr<double>(), 5, 0, 0);
    EXPECT_TRUE(tall.check(mode).passed);
  }
}

TEST(Check, NanFailsInEveryCheck) {
  for (const CheckMode mode : {CheckMode::Probe, CheckMode::Full})
    for (const runtime::Algorithm *algorithm :
         {&test::luWithPivots<double>(), &test::qr<double>(), &test::inverse<double>(), &test::ldl<double>(),
          &test::lu<double>(), &test::trtri<double>(), &test::lauum<double>(), &test::potri<double>()}) {
      Finished run = finished(*algorithm, 20, 20, 20);
      run.element<double>(0, 19, 3) = std::nan("");
      EXPECT_FALSE(run.check(mode).passed) << algorithm->name;
    }
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
  algorithm.check = "lltt";
  const std::string unknown = test::usageError([&] { requireKnownCheck(algorithm); });
  EXPECT_EQ(unknown.find("unknown check 'lltt' in algorithms/cholesky.tla; known are llt, "), 0u) << unknown;
  EXPECT_TRUE(unknown.ends_with("; did you mean 'llt'? (--no-check runs without)")) << unknown;
  Finished unjudged(test::cholesky<double>(), sizes(0, 5, 0), 8);
  unjudged.algorithm().check = "lltt";
  EXPECT_FALSE(unjudged.check(CheckMode::None).judged);
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
} // namespace tla::host
