// The loops of a nest visit the elements of its set, for small values of the parameters.
#include "compiler/specialize/generate.hpp"
#include "compiler/specialize/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hetc::specialize {
namespace {

using Point = std::vector<std::int64_t>;

class NestRun {
public:
  NestRun(const Nest &nest, const std::vector<NestVariable> &variables, ir::Environment environment)
      : nest_(nest), variables_(variables), environment_(std::move(environment)) {}

  std::vector<Point> run() {
    runLevel(0);
    return std::move(points_);
  }

private:
  /// Fails the test where an expression names what does not exist there.
  std::int64_t value(const ir::ExprRef &expr) {
    const auto result = ir::evaluate(*expr, environment_);
    EXPECT_TRUE(result) << "no value for " << ir::print(*expr);
    return result.value_or(0);
  }
  bool holds(const ir::ExprRef &condition) { return !condition || value(condition); }

  void runLevel(std::size_t index) {
    if (index == nest_.levels.size()) {
      if (holds(nest_.condition))
        std::ranges::transform(nest_.coordinates, std::back_inserter(points_.emplace_back()),
                               [this](const ir::ExprRef &expr) { return value(expr); });
      return;
    }
    const NestLevel &level = nest_.levels[index];
    const std::string &name = variables_[index].name;
    if (!holds(level.condition))
      return;
    for (std::int64_t now = value(level.first), last = value(level.last); now <= last; now += level.step) {
      environment_.variables[name] = now;
      runLevel(index + 1);
      environment_.variables.erase(name);
    }
  }

  const Nest &nest_;
  const std::vector<NestVariable> &variables_;
  ir::Environment environment_;
  std::vector<Point> points_;
};

/// The points of the instances, in the order of the loops.
std::vector<Point> elements(const isl::set &instances, const std::vector<NestVariable> &variables,
                            const ir::Environment &environment) {
  std::string values;
  for (const auto &[name, value] : environment.variables)
    values += (values.empty() ? "" : " and ") + name + " = " + std::to_string(value);
  const isl::set parameters(instances.ctx(), "[m, n, y] -> { : " + values + " }");
  std::vector<Point> points;
  instances.intersect_params(parameters).foreach_point([&](const isl::point &point) {
    Point &coordinates = points.emplace_back();
    for (int i = 0; i < isl_set_dim(instances.get(), isl_dim_set); ++i)
      coordinates.push_back(isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, i)).num_si());
  });
  std::ranges::sort(points, {}, [&](Point point) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      point[i] *= variables[i].direction;
    return point;
  });
  return points;
}

/// [m, n, y] -> { X[k, j, ...] : ... } against the loops of its pieces, read off and made by isl.
void check(const std::string &text, const std::vector<NestVariable> &variables = {{"k"}, {"j"}}) {
  const dependence::ContextOwner ctx = dependence::makeContext();
  const isl::set instances(ctx.get(), text), context(ctx.get(), "[m, n, y] -> { : m, n >= 0 and 0 <= y <= 2 }");
  const std::map<std::string, ir::ExprRef> names = {
      {"m", ir::makeVar("m")}, {"n", ir::makeVar("n")}, {"y", ir::makeVar("y")}};
  const isl::set aligned = isl::manage(isl_set_align_params(instances.copy(), isl_set_get_space(context.get())));
  const std::optional<Nest> nest = scan(aligned, variables, names, context);
  ASSERT_TRUE(nest);
  for (const std::vector<Nest> &nests : {std::vector{*nest}, generate(aligned, variables, names, context)})
    for (int m = 0; m <= 6; ++m)
      for (int n = 0; n <= 6; ++n)
        for (int y = 0; y <= 2; ++y) {
          ir::Environment environment;
          environment.variables = {{"m", m}, {"n", n}, {"y", y}};
          std::vector<Point> visited;
          for (const Nest &one : nests)
            std::ranges::copy(NestRun(one, variables, environment).run(), std::back_inserter(visited));
          EXPECT_EQ(visited, elements(instances, variables, environment))
              << "m = " << m << " n = " << n << " y = " << y;
        }
}

TEST(Nest, Strides) { check("[m, n, y] -> { X[k, j] : 0 <= k < m and k < j < n and (j - y) mod 3 = 0 }"); }

TEST(Nest, LastColumns) {
  check("[m, n, y] -> { X[k, j] : 0 <= k < m and 0 <= j < n and 3*floor((n - j)/3) <= k - j }");
}

// isl writes the one value of k with that of j.
TEST(Nest, OuterLoopOfOneValue) {
  check("[m, n, y] -> { X[k, j = -1 + n + y - 2k] : k <= 5 - n and k <= y and k < m and y <= 2k <= -3 + n + y and "
        "3k >= -4 + n + 2y }");
}

TEST(Nest, CoordinatesOfTheLoops) {
  check("[m, n, y] -> { X[k, j, 2k + 1, n - j, k - j] : 0 <= k < m and k <= j < n and (k + y) mod 2 = 0 }");
}

TEST(Nest, LoopsThatCountDown) {
  check("[m, n, y] -> { X[k, j, k] : 0 <= k < m and k < j < n and (k + 2j + y) mod 3 = 0 }", {{"k", -1}, {"j", -1}});
  check("[m, n, y] -> { X[k, j] : 0 <= k < m and j = m - k - 1 and (j + y) mod 2 = 1 }", {{"k", 1}, {"j", -1}});
}

TEST(Nest, BoundsThatDivide) {
  check("[m, n, y] -> { X[k, j] : 0 <= 2k < m and m - 7 <= 3j <= n - k }");
  check("[m, n, y] -> { X[k, j] : 0 <= k < m and -k <= 2j <= n }", {{"k"}, {"j", -1}});
}

TEST(Nest, ValuesBelowZero) {
  check("[m, n, y] -> { X[k, j] : -m <= k < n and k - 3 <= j <= k and (k - 2j + y) mod 5 = 0 }");
}

TEST(Nest, TwoRemaindersOfOneVariable) {
  check("[m, n, y] -> { X[k, j] : 0 <= k < m + n and 0 <= j <= k and (k + y) mod 2 = 0 and (k + j) mod 3 = 1 }");
}

TEST(Nest, ConditionsOnParameters) {
  check("[m, n, y] -> { X[k, j] : m > n and (m + y) mod 2 = 0 and 3*floor(n/3) < m - 1 and 0 <= k < m and j = k }");
  check("[m, n, y] -> { X[m - 1, j] : m > 2 and y = 1 and 0 <= j < n }");
}

TEST(Nest, NoLoops) { check("[m, n, y] -> { X[m, n - y] : m > n and (m + y) mod 2 = 0 }", {}); }

} // namespace
} // namespace hetc::specialize
