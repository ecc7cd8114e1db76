// Roots of the secular equation against bisection in long double and against LAPACK's.
#include "eigen/rank_one.hpp"
#include "eigen/secular.hpp"
#include "tests/unit/algorithms/tridiagonal.hpp"

#include <gtest/gtest.h>

namespace {

struct Equation {
  std::vector<double> d, z;
  double rho;

  /// f at d[origin] + offset, and the sum of the absolute values of its terms and its derivative.
  struct Value {
    long double f, size, slope;
  };
  Value at(int origin, long double offset) const {
    Value value{1 / static_cast<long double>(rho), 1 / static_cast<long double>(rho), 0};
    for (std::size_t j = 0; j < d.size(); ++j) {
      const long double gap = (static_cast<long double>(d[j]) - d[origin]) - offset,
                        term = static_cast<long double>(z[j]) * z[j] / gap;
      value.f += term, value.size += std::abs(term), value.slope += term / gap;
    }
    return value;
  }
  /// The offset of root k from this origin.
  long double bisect(int k, int origin) const {
    long double low = static_cast<long double>(d[k]) - d[origin], high;
    if (k + 1 < static_cast<int>(d.size()))
      high = static_cast<long double>(d[k + 1]) - d[origin];
    else {
      long double sum = 0;
      for (double each : z)
        sum += static_cast<long double>(each) * each;
      high = low + sum * rho * (1 + 1e-15L);
    }
    for (int step = 0; step < 4000; ++step) {
      const long double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high)
        break;
      (at(origin, middle).f >= 0 ? high : low) = middle;
    }
    return low;
  }
};

std::vector<Equation> equations() {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  std::vector<Equation> all;
  for (double gap : {1.0, 1e-4, 1e-9, 1e-13})
    for (double weight : {1.0, 1e-6, 1e-13})
      for (int count : {2, 3, 17, 40}) {
        Equation equation{{}, {}, 0.7};
        double d = -1;
        for (int j = 0; j < count; ++j) {
          equation.d.push_back(d);
          const double before = d;
          d += uniform(engine) * (j % 3 == 1 ? gap : 0.05);
          EXPECT_GT(d, before);
          equation.z.push_back(uniform(engine) * (j % 4 == 2 ? weight : 1) * (j % 2 ? -1 : 1));
        }
        all.push_back(equation);
      }
  return all;
}

TEST(Secular, RootsAreAsExactAsTheirEquation) {
  constexpr double eps = std::numeric_limits<double>::epsilon() / 2;
  for (const Equation &equation : equations()) {
    const int count = static_cast<int>(equation.d.size());
    eigen::SecularEquation<double> solver(count, equation.d.data(), equation.z.data(), equation.rho);
    for (int k = 0; k < count; ++k) {
      const eigen::Root<double> root = solver.root(k);
      ASSERT_TRUE(root.found);
      const long double exact = equation.bisect(k, root.origin);
      const Equation::Value there = equation.at(root.origin, exact);
      const double bound = static_cast<double>(20 * eps * (there.size / there.slope + std::abs(exact)));
      EXPECT_LE(std::abs(root.offset - exact), bound) << "root " << k << " of " << count;
    }
  }
}

TEST(Secular, RootsLieStrictlyBetweenThePoles) {
  for (const Equation &equation : equations()) {
    const int count = static_cast<int>(equation.d.size());
    eigen::SecularEquation<double> solver(count, equation.d.data(), equation.z.data(), equation.rho);
    for (int k = 0; k < count; ++k) {
      const eigen::Root<double> root = solver.root(k);
      EXPECT_LT((equation.d[k] - equation.d[root.origin]) - root.offset, 0);
      if (k + 1 < count) {
        EXPECT_GT((equation.d[k + 1] - equation.d[root.origin]) - root.offset, 0);
      }
    }
  }
}

TEST(Secular, DifferencesFromThePolesAreLapacksOfLaed4) {
  for (Equation equation : equations()) {
    const int count = static_cast<int>(equation.d.size());
    double squares = 0;
    for (double z : equation.z)
      squares += z * z;
    for (double &z : equation.z)
      z /= std::sqrt(squares); // laed4 wants a vector of norm 1
    eigen::SecularEquation<double> solver(count, equation.d.data(), equation.z.data(), equation.rho);
    for (int k = 0; k < count; ++k) {
      const eigen::Root<double> root = solver.root(k);
      std::vector<double> delta(count);
      const int number = k + 1;
      double value = 0;
      int info = 0;
      dlaed4_(&count, &number, equation.d.data(), equation.z.data(), delta.data(), &equation.rho, &value, &info);
      ASSERT_EQ(info, 0);
      const auto slack = [&](long double offset) {
        const Equation::Value f = equation.at(root.origin, offset);
        return static_cast<double>(1e-14L * (f.size / f.slope + std::abs(offset)));
      };
      for (int j = 0; j < count && count > 2; ++j) {
        const double ours = (equation.d[j] - equation.d[root.origin]) - root.offset;
        EXPECT_NEAR(ours, delta[j], slack(root.offset) + 4e-16 * std::abs(ours))
            << "root " << k << ", pole " << j << " of " << count;
      }
    }
  }
}

/// Gu and Eisenstat's theorem: the vectors are orthogonal to roundoff, whatever the distances of poles.
TEST(Secular, VectorsOfExactWeightsAreOrthogonal) {
  constexpr double eps = std::numeric_limits<double>::epsilon() / 2;
  for (const Equation &equation : equations()) {
    const int count = static_cast<int>(equation.d.size());
    std::vector<double> origin(count), offset(count), weights(count);
    eigen::SecularEquation<double> solver(count, equation.d.data(), equation.z.data(), equation.rho);
    for (int k = 0; k < count; ++k) {
      const eigen::Root<double> root = solver.root(k);
      origin[k] = root.origin, offset[k] = root.offset;
    }
    const eigen::Roots<double> roots{count, equation.d.data(), origin.data(), offset.data()};
    for (int first = 0; first < count; first += 7)
      eigen::exactWeights(roots, equation.z.data(), first, std::min(7, count - first), &weights[first]);
    std::vector<std::vector<double>> vectors(count, std::vector<double>(count));
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < count; ++j)
        vectors[k][j] = weights[j] / ((equation.d[j] - roots.poleOf(k)) - offset[k]) /
                        eigen::normOfVector(roots, weights.data(), k);
    for (int k = 0; k < count; ++k)
      for (int l = 0; l <= k; ++l) {
        double dot = k == l ? -1 : 0;
        for (int j = 0; j < count; ++j)
          dot += vectors[k][j] * vectors[l][j];
        EXPECT_LE(std::abs(dot), 8 * eps * count) << k << ", " << l << " of " << count;
      }
  }
}

TEST(Secular, NaNEndsTheSearch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> d{0, 1, 2}, z{1, nan, 1};
  eigen::SecularEquation<double> solver(3, d.data(), z.data(), 1);
  for (int k = 0; k < 3; ++k)
    solver.root(k); // comes back
}

} // namespace
