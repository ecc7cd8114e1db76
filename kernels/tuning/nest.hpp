// A plan's loop nest, which workers go through step by step.
#pragma once

#include "kernels/tuning/plan.hpp"

#include <atomic>

namespace hetc::tuning {

using Numbers = std::vector<std::int64_t>;
using Point = Numbers; ///< the iterators' values, from the outermost loop inwards

/// The last value of an iterator that is not open-ended, or whose end nobody knows yet.
inline constexpr std::int64_t unknownLast = INT64_MIN;

/// The work that all workers share.
struct Pass {
  Numbers last;          ///< last value of each loop's open-ended iterator, or unknownLast
  bool counts = false;   ///< `last` is known: points that tests remove are counted
  bool collects = false; ///< points that are left are kept
};

/// One worker's results of a pass, or the sum of all.
struct Counts {
  explicit Counts(const EnumerationPlan &plan);
  void add(const Counts &other);
  Numbers failurePoint() const { return {point.begin(), point.begin() + depth}; }

  Numbers visits;              ///< iterations of each loop
  Numbers failures;            ///< points that each test removes
  std::vector<double> removed; ///< points that each constraint removes; exact up to 2^53
  Numbers largest;             ///< largest value of each open-ended iterator among points left
  Numbers taken;               ///< largest value of each among all its values
  std::int64_t left = 0;       ///< points
  double raw = 0;              ///< points of the nest without tests
  std::vector<Point> points;   ///< points that are left, if asked for
  bool failed = false;         ///< overflow, division by zero, or a step that is not positive
  Point point;                 ///< point where that happened
  int depth = 0;               ///< number of its values that are set
};

/// Goes through the nest as one of several workers, which draw the points of the shared loop by `tickets`, 0 at the
/// start. All go through the loops outside; the one that `leads` counts there.
void goThrough(const EnumerationPlan &plan, const Pass &pass, bool leads, std::atomic<std::int64_t> &tickets,
               Counts &counts);

/// Why the nest failed at a point: what could not be computed, and where. `depth` iterators are set.
Diagnostic explainFailure(const EnumerationPlan &plan, const Point &point, int depth);

/// All symbols' values at a point. Throws EvaluationError.
Numbers valuesAt(const EnumerationPlan &plan, const Point &point);

} // namespace hetc::tuning
