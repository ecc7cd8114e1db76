// The loops of a nest visit the elements of its set, for small values of the parameters.
#include "compiler/specialize/nest.hpp"

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

/// In ascending order.
std::vector<Point> elements(const isl::set &instances, const ir::Environment &environment) {
  std::string values;
  for (const auto &[name, value] : environment.variables)
    values += (values.empty() ? "" : " and ") + name + " = " + std::to_string(value);
  const isl::set parameters(instances.ctx(), "[m, n, y] -> { : " + values + " }");
  std::vector<Point> points;
  instances.intersect_params(parameters).foreach_point([&](const isl::point &point) {
    Point &coordinates = points.emplace_back();
    for (int i = 0; i < 2; ++i)
      coordinates.push_back(isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, i)).num_si());
  });
  std::ranges::sort(points);
  return points;
}

/// [m, n, y] -> { X[k, j] : ... } against the loops of its pieces.
void check(const std::string &text) {
  const dependence::ContextOwner ctx = dependence::makeContext();
  const isl::set instances(ctx.get(), text), context(ctx.get(), "[m, n, y] -> { : m, n >= 0 and 0 <= y <= 2 }");
  const std::vector<NestVariable> variables = {{"k"}, {"j"}};
  const std::map<std::string, ir::ExprRef> names = {
      {"m", ir::makeVar("m")}, {"n", ir::makeVar("n")}, {"y", ir::makeVar("y")}};
  const std::vector<Nest> nests = makeNests(instances, variables, names, context);
  for (int m = 0; m <= 6; ++m)
    for (int n = 0; n <= 6; ++n)
      for (int y = 0; y <= 2; ++y) {
        ir::Environment environment;
        environment.variables = {{"m", m}, {"n", n}, {"y", y}};
        std::vector<Point> visited;
        for (const Nest &nest : nests)
          std::ranges::copy(NestRun(nest, variables, environment).run(), std::back_inserter(visited));
        EXPECT_EQ(visited, elements(instances, environment)) << "m = " << m << " n = " << n << " y = " << y;
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

} // namespace
} // namespace hetc::specialize
