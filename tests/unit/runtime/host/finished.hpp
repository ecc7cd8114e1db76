// A run that has ended, to be judged.
#pragma once

#include "runtime/host/check/check.hpp"
#include "tests/unit/runtime/host/dense.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace tla::test {
using namespace tla::host;

/// An algorithm run to its end, open to tampering.
class Finished {
public:
  Finished(const runtime::Algorithm &algorithm, const Settings &settings, int nb, int threads = 2)
      : algorithm_(algorithm), settings_(settings), executor_({.threads = threads}),
        problem_(describeProblem(algorithm_, settings)) {
    problem_->nb = nb;
    makeSources(*problem_, settings);
    allocateMatrices(*problem_);
    fillMatrices(*problem_, {executor_, ranks_, executor_});
    std::vector<Storage *> storages;
    for (const ProblemMatrix &matrix : problem_->matrices)
      storages.push_back(&**matrix.storage);
    const auto outcome = executor_.run(algorithm_, {storages.data(), problem_->scalars.data()});
    EXPECT_EQ(outcome.kind, runtime::Outcome::Kind::Finished) << outcome.message;
  }

  runtime::Algorithm &algorithm() { return algorithm_; }
  Problem &problem() { return *problem_; }
  Storage *storage(int matrix) const { return &**problem_->matrices[matrix].storage; }
  Verdict check(CheckMode mode) { return checkResult(*problem_, mode, {executor_, ranks_, executor_}); }
  double residual(CheckMode mode) { return check(mode).residual; }
  /// Computed by ranks that have the tiles between them: each rank's.
  std::vector<double> residualsOfRanks(CheckMode mode, const Distribution &distribution) const {
    std::vector<double> residuals(static_cast<std::size_t>(distribution.nodes()));
    onRanks(distribution.nodes(),
            [&](Ranks &ranks) { residuals[ranks.rank()] = residualOnRank(mode, distribution, ranks); });
    return residuals;
  }

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
  double residualOnRank(CheckMode mode, const Distribution &distribution, Ranks &ranks) const {
    const auto problem = describeProblem(algorithm_, settings_);
    problem->nb = problem_->nb;
    problem->placement = {distribution, ranks.rank()};
    makeSources(*problem, settings_);
    allocateMatrices(*problem);
    for (std::size_t m = 0; m < problem->matrices.size(); ++m)
      copyTiles(**problem_->matrices[m].storage, **problem->matrices[m].storage);
    runtime::Executor executor({.threads = 1}), everybody({.threads = 1, .transport = ranks.transport()});
    if (!ranks.alone())
      everybody.distribute(distribution);
    return checkResult(*problem, mode, {executor, ranks, everybody}).residual;
  }
  /// Copies the tiles that `to` has.
  static void copyTiles(const Storage &from, const Storage &to) {
    for (int j = 0; j < to.nt(); ++j)
      for (int i = 0; i < to.mt(); ++i)
        for (int c = 0; to.tile(i, j) && c < to.tileCols(j); ++c)
          std::memcpy(static_cast<char *>(to.tile(i, j)) + c * to.ld(i) * to.elementBytes(),
                      static_cast<char *>(from.tile(i, j)) + c * from.ld(i) * from.elementBytes(),
                      to.tileRows(i) * to.elementBytes());
  }

  runtime::Algorithm algorithm_;
  Settings settings_;
  runtime::Executor executor_;
  Ranks ranks_;
  std::unique_ptr<Problem> problem_;
};

inline Settings sizes(long m, long n, long k) {
  Settings settings;
  settings.m = m;
  settings.n = n;
  settings.k = k;
  return settings;
}

/// A finished run with the values of scalar parameters.
inline Finished finished(const runtime::Algorithm &algorithm, long m, long n, long k,
                         std::vector<Assignment> scalars = {}) {
  Settings settings = sizes(m, n, k);
  settings.scalars = std::move(scalars);
  return Finished(algorithm, settings, 8);
}
} // namespace tla::test
