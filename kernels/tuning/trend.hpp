// How an expression moves as one iterator grows. A constraint that can only turn from true to false ends its loop where
// it first fails; and since it is then weakest where the loops inside start, it can be tested there for all of them.
#pragma once

#include "kernels/tuning/plan.hpp"

#include <map>

namespace hetc::tuning {

enum class Direction { Constant, Rising, Falling, Unknown };

/// Rising and falling are meant weakly. Booleans are 0 and 1. Known directions promise that evaluation divides by no
/// zero.
struct Trend {
  Direction direction = Direction::Unknown;
  double low, high;       ///< bounds of the value, infinite where none is known
  bool unbounded = false; ///< rises above every bound, or falls below
  bool ends = false;      ///< 0 from some value of the iterator on
};

/// Trends in the iterator of loop `level`, while outer iterators stand still and inner ones are at their first values.
class TrendAnalysis {
public:
  TrendAnalysis(const EnumerationPlan &plan, int level) : plan_(plan), level_(level) {}

  Trend of(const Expr &expr);
  Trend ofCondition(const Expr &expr); ///< trend of the condition's value, 0 or 1

private:
  Trend ofSymbol(int symbol);
  Trend ofIterator(int symbol);

  const EnumerationPlan &plan_;
  int level_;
  std::map<int, Trend> known_;
};

} // namespace hetc::tuning
