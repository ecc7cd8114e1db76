#include "runtime/host/problem/nominal_flops.hpp"
#include "tests/unit/runtime/host/dense_algorithms.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {
double flops(const runtime::Algorithm &algorithm, long m, long n, long k, std::vector<Assignment> scalars = {}) {
  Settings settings;
  settings.m = m;
  settings.n = n;
  settings.k = k;
  settings.scalars = std::move(scalars);
  return nominalFlops(*describeProblem(algorithm, settings));
}

/// Operations counted in the textbook loops: a division or square root is one.
TEST(NominalFlops, AreThoseOfTheLoops) {
  const auto factorization = [](long m, long n) {
    double count = 0;
    for (long k = 0; k < std::min(m, n); ++k)
      count += static_cast<double>((m - k - 1) + 2 * (m - k - 1) * (n - k - 1));
    return count;
  };
  for (const auto &[m, n] : {std::pair<long, long>{12, 12}, {20, 7}}) // LAPACK counts n reciprocals as well
    EXPECT_NEAR(flops(test::luWithPivots<double>(), m, n, 0), factorization(m, n), std::min(m, n) + 1e-6);
  EXPECT_EQ(flops(test::luWithPivots<double>(), 7, 20, 0), flops(test::luWithPivots<double>(), 20, 7, 0));
  EXPECT_NEAR(flops(test::cholesky<double>(), 0, 12, 0), 650, 1e-9);
  EXPECT_NEAR(flops(test::trtri<double>(), 0, 12, 0), 584, 1e-9);
  EXPECT_NEAR(flops(test::inverse<double>(), 0, 1000, 0) / 2e9, 1, 1e-3);
  EXPECT_NEAR(flops(test::potri<double>(), 0, 1000, 0) / (2e9 / 3), 1, 1e-2);
}

TEST(NominalFlops, HaveTheRightLeadingTerms) {
  EXPECT_NEAR(flops(test::qr<double>(), 3000, 1000, 0) / (2e6 * (3000 - 1000 / 3.0)), 1, 1e-2);
  EXPECT_NEAR(flops(test::qr<double>(), 1000, 3000, 0) / (2e6 * (3000 - 1000 / 3.0)), 1, 1e-2);
  EXPECT_EQ(flops(test::gels<double>(), 300, 100, 7), flops(test::gels<double>(), 100, 300, 7));
  EXPECT_NEAR(flops(test::gesv<double>(), 0, 1000, 10), 2e9 / 3 + 2e7, 1e6);
  EXPECT_EQ(flops(test::trsm<double>(), 0, 20, 30), 20 * 20 * 30);
  EXPECT_EQ(flops(test::trsm<double>(), 0, 20, 30, {{"side", "Right"}}), 20 * 30 * 30);
  EXPECT_EQ(flops(test::symm<std::complex<double>>(), 0, 20, 30), 4 * 2 * 20 * 20 * 30);
  EXPECT_EQ(flops(test::syrk<double>(), 0, 20, 30, {{"op", "Trans"}}), 30 * 20 * 21);
}
} // namespace
} // namespace tla::host
