#include "tools/tuner/candidates.hpp"

#include "kernels/tuning/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hetc::tuning {

namespace {
std::vector<std::int64_t> valuesOf(const std::vector<Point> &points, std::size_t iterator) {
  std::vector<std::int64_t> values;
  for (const Point &point : points)
    values.push_back(point[iterator]);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// How well a candidate serves as a neighbour; the least is the best.
using Fit = std::tuple<bool, int, double>;
} // namespace

Candidates::Candidates(std::vector<std::string> names, std::vector<Point> points)
    : names_(std::move(names)), points_(std::move(points)), ranks_(points_.size() * names_.size()) {
  for (std::size_t iterator = 0; iterator < names_.size(); ++iterator) {
    const std::vector<std::int64_t> values = valuesOf(points_, iterator);
    for (std::size_t each = 0; each < points_.size(); ++each)
      ranks_[each * names_.size() + iterator] =
          static_cast<int>(std::ranges::lower_bound(values, points_[each][iterator]) - values.begin());
    steps_.push_back(values.size() > 1 ? 1.0 / static_cast<double>(values.size() - 1) : 0);
  }
}

int Candidates::find(const Point &point) const {
  const auto found = std::ranges::lower_bound(points_, point);
  return found != points_.end() && *found == point ? static_cast<int>(found - points_.begin()) : -1;
}

std::string Candidates::text(int candidate) const { return textOf(names_, points_[candidate]); }

double Candidates::distance(int a, int b) const {
  double sum = 0;
  for (std::size_t iterator = 0; iterator < names_.size(); ++iterator)
    sum += std::abs(rank(a, iterator) - rank(b, iterator)) * steps_[iterator];
  return sum;
}

std::vector<int> Candidates::neighbours(int candidate) const {
  // By iterator, downwards and upwards.
  std::vector<int> best(2 * names_.size(), -1);
  std::vector<Fit> fits(best.size());
  for (int other = 0; other < size(); ++other) {
    const double whole = distance(candidate, other);
    for (std::size_t iterator = 0; iterator < names_.size(); ++iterator) {
      const int difference = rank(other, iterator) - rank(candidate, iterator);
      if (difference == 0)
        continue;
      const int step = std::abs(difference);
      const double rest = whole - step * steps_[iterator];
      const bool elsewhere = rest > 1e-9; // rounding
      const Fit fit{elsewhere, step, rest};
      const std::size_t slot = 2 * iterator + (difference > 0);
      if (best[slot] < 0 || fit < fits[slot]) {
        best[slot] = other;
        fits[slot] = fit;
      }
    }
  }
  std::ranges::sort(best);
  best.erase(std::unique(best.begin(), best.end()), best.end());
  std::erase(best, -1);
  return best;
}

std::string textOf(const std::vector<std::string> &names, const Point &point) {
  std::string text;
  for (std::size_t iterator = 0; iterator < names.size(); ++iterator)
    text += (iterator ? " " : "") + names[iterator] + "=" + std::to_string(point[iterator]);
  return text;
}

std::optional<Point> defaultPoint(const EnumerationPlan &plan) {
  std::vector<std::int64_t> values(plan.space.symbols.size());
  for (const auto &[symbol, value] : plan.constants)
    values[symbol] = value;
  Point point;
  for (std::size_t level = 0; level < plan.loops.size(); ++level) {
    const Symbol &iterator = plan.iterator(level);
    if (!iterator.usual)
      return std::nullopt;
    try {
      point.push_back(evaluate(*iterator.usual, values));
    } catch (const EvaluationError &) {
      return std::nullopt;
    }
  }
  return point;
}

} // namespace hetc::tuning
