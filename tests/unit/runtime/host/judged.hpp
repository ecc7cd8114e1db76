// What a check must say of a right result, and of a wrong one.
#pragma once

#include "runtime/host/check/check.hpp"
#include "tests/unit/runtime/host/dense.hpp"
#include "tests/unit/runtime/host/finished.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace tla::test {
using namespace tla::host;

/// Both modes pass. With every element of the result a little wrong, Full equals the formula and Probe does not exceed
/// it (a pristine residual is rounding noise, which no two ways of computing it share). One wrong element fails both.
template <typename T>
void expectJudged(Finished &run, int result, const std::function<double()> &formula, int row, int column) {
  for (const CheckMode mode : {CheckMode::Full, CheckMode::Probe}) {
    const Verdict verdict = run.check(mode);
    EXPECT_TRUE(verdict.judged && verdict.passed) << verdict.residual;
  }
  run.disturb<T>(result);
  const double full = run.residual(CheckMode::Full), probe = run.residual(CheckMode::Probe);
  EXPECT_NEAR(full / formula(), 1, 1e-3);
  EXPECT_LE(probe, 1.001 * full);
  EXPECT_GT(probe, 0.02 * full);
  const Distribution three = Distribution::table(2, 3, {0, 1, 2, 2, 0, 1}, "three");
  for (const double residual : run.residualsOfRanks(CheckMode::Full, three))
    EXPECT_NEAR(residual / full, 1, 1e-5);
  const std::vector<double> probes = run.residualsOfRanks(CheckMode::Probe, three);
  EXPECT_NEAR(probes[0] / probe, 1, 1e-5);
  EXPECT_EQ(probes, std::vector<double>(3, probes[0])) << "the same bits on all ranks";
  run.element<T>(result, row, column) += T(0.01);
  EXPECT_FALSE(run.check(CheckMode::Full).passed);
  EXPECT_FALSE(run.check(CheckMode::Probe).passed);
}

/// |error| / (scale eps)
inline double scaledNorm(const Dense &error, double scale, const runtime::Algorithm &algorithm) {
  return oneNorm(error) / (scale * unitRoundoff(algorithm.type));
}
inline Dense difference(const Dense &a, const Dense &b) { return combine(1, a, -1, b); }
inline Dense adjointOf(const Dense &a) { return apply(Op::ConjTrans, a); }

} // namespace tla::test
