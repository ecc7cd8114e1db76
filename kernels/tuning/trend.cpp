#include "kernels/tuning/trend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hetc::tuning {

namespace {
using enum Direction;
constexpr double infinity = std::numeric_limits<double>::infinity();
const Trend unknown{Unknown, -infinity, infinity};

Direction flip(Direction direction) {
  return direction == Rising ? Falling : direction == Falling ? Rising : direction;
}

/// The direction of an operation that rises with both operands.
Direction join(Direction a, Direction b) {
  if (a == Unknown || b == Unknown)
    return Unknown;
  if (a == Constant || a == b)
    return b;
  return b == Constant ? a : Unknown;
}

bool isUnbounded(const Trend &trend, Direction direction) { return trend.unbounded && trend.direction == direction; }

Trend negate(const Trend &a) { return {flip(a.direction), -a.high, -a.low, a.unbounded}; }

Trend add(const Trend &a, const Trend &b) {
  return {join(a.direction, b.direction), a.low + b.low, a.high + b.high, a.unbounded || b.unbounded};
}

/// 0 times infinity is 0 here: bounds are of integers, which are finite.
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Trend multiply(const Trend &a, const Trend &b) {
  const auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  Trend result{Unknown, low, high};
  if (a.low >= 0 && b.low >= 0) {
    result.direction = join(a.direction, b.direction);
    result.unbounded = result.direction == Rising &&
                       ((isUnbounded(a, Rising) && b.low >= 1) || (isUnbounded(b, Rising) && a.low >= 1));
  } else if (a.high <= 0 && a.direction == Constant) {
    result.direction = flip(b.direction);
    result.unbounded = a.high <= -1 && b.unbounded;
  } else if (b.high <= 0 && b.direction == Constant) {
    result.direction = flip(a.direction);
    result.unbounded = b.high <= -1 && a.unbounded;
  } else if (a.direction == Constant && b.direction == Constant)
    result.direction = Constant;
  return result;
}

Trend divide(const Trend &a, const Trend &b) {
  if (b.low < 1)
    return unknown;
  Trend result{Unknown, std::min(a.low, 0.0), std::max(a.high, 0.0)};
  if (a.low >= 0) {
    result.low = b.high == infinity ? 0 : std::floor(a.low / b.high);
    result.high = std::floor(a.high / b.low);
    result.direction = join(a.direction, flip(b.direction));
    result.unbounded = isUnbounded(a, Rising) && b.direction == Constant;
  } else
    result.direction = join(a.direction, b.direction) == Constant ? Constant : Unknown;
  return result;
}

Direction ifConstant(const Trend &a, const Trend &b) {
  return a.direction == Constant && b.direction == Constant ? Constant : Unknown;
}

Trend remainder(const Trend &a, const Trend &b) {
  if (b.low < 1)
    return unknown;
  return {ifConstant(a, b), a.low >= 0 ? 0 : 1 - b.high, b.high - 1};
}

Trend gcd(const Trend &a, const Trend &b) {
  const bool positive = a.low >= 1 || b.low >= 1;
  const double high = a.low >= 1 && b.low >= 1 ? std::min(a.high, b.high) : infinity;
  return {ifConstant(a, b), positive ? 1.0 : 0.0, high};
}

Trend minimum(const Trend &a, const Trend &b) {
  const Direction direction = join(a.direction, b.direction);
  const bool unbounded = direction == Falling ? a.unbounded || b.unbounded : a.unbounded && b.unbounded;
  return {direction, std::min(a.low, b.low), std::min(a.high, b.high), unbounded};
}

Trend boolean(Direction direction, bool ends) { return {direction, 0, 1, false, direction == Falling && ends}; }

/// As a condition: what is never negative turns true or false once at most.
Trend truth(const Trend &a) { return boolean(a.low >= 0 || a.direction == Constant ? a.direction : Unknown, a.ends); }

/// a <= b or a < b: falls as a rises or b falls.
Trend less(const Trend &a, const Trend &b) {
  return boolean(join(flip(a.direction), b.direction), isUnbounded(a, Rising) || isUnbounded(b, Falling));
}

Trend select(const Trend &condition, const Trend &a, const Trend &b) {
  Trend result{Unknown, std::min(a.low, b.low), std::max(a.high, b.high), a.unbounded && b.unbounded};
  if (condition.direction == Constant)
    result.direction = join(a.direction, b.direction);
  return result;
}

Trend binary(Op op, const Trend &a, const Trend &b) {
  switch (op) {
  case Op::Multiply:
    return multiply(a, b);
  case Op::Divide:
    return divide(a, b);
  case Op::Remainder:
    return remainder(a, b);
  case Op::Add:
    return add(a, b);
  case Op::Subtract:
    return add(a, negate(b));
  case Op::Less:
  case Op::LessEqual:
    return less(a, b);
  case Op::Greater:
  case Op::GreaterEqual:
    return less(b, a);
  case Op::And:
    return boolean(join(truth(a).direction, truth(b).direction), a.ends || b.ends);
  case Op::Or:
    return boolean(join(truth(a).direction, truth(b).direction), a.ends && b.ends);
  case Op::Min:
    return minimum(a, b);
  case Op::Max:
    return negate(minimum(negate(a), negate(b)));
  case Op::Gcd:
    return gcd(a, b);
  default: // == and !=
    return boolean(ifConstant(a, b), false);
  }
}

} // namespace

Trend TrendAnalysis::ofCondition(const Expr &expr) { return truth(of(expr)); }

Trend TrendAnalysis::of(const Expr &expr) {
  switch (expr.op) {
  case Op::Number: {
    const double value = static_cast<double>(expr.value);
    return {Constant, value, value};
  }
  case Op::Symbol:
    return ofSymbol(expr.symbol);
  case Op::Negate:
    return negate(of(expr.operands[0]));
  case Op::Not:
    return boolean(flip(truth(of(expr.operands[0])).direction), false);
  case Op::Select:
    return select(of(expr.operands[0]), of(expr.operands[1]), of(expr.operands[2]));
  default: {
    Trend result = of(expr.operands[0]);
    for (std::size_t index = 1; index < expr.operands.size(); ++index)
      result = binary(expr.op, result, of(expr.operands[index]));
    return result;
  }
  }
}

Trend TrendAnalysis::ofSymbol(int symbol) {
  if (const auto found = known_.find(symbol); found != known_.end())
    return found->second;
  Trend result;
  if (const auto constant = plan_.constants.find(symbol); constant != plan_.constants.end()) {
    const double value = static_cast<double>(constant->second);
    result = {Constant, value, value};
  } else if (plan_.space.symbols[symbol].kind == SymbolKind::Iterator)
    result = ofIterator(symbol);
  else
    result = of(plan_.space.symbols[symbol].value);
  return known_[symbol] = result;
}

Trend TrendAnalysis::ofIterator(int symbol) {
  const Symbol &iterator = plan_.space.symbols[symbol];
  const int level = plan_.levels[symbol];
  if (!iterator.values.empty()) {
    const std::vector<std::int64_t> &values = plan_.loops[level].values;
    const double first = static_cast<double>(values.front()), last = static_cast<double>(values.back());
    return {level == level_ ? Rising : Constant, first, level > level_ ? first : last};
  }
  const Trend from = of(iterator.from);
  if (level > level_) // stands at its first value
    return from;
  const double high = iterator.to ? std::max(of(*iterator.to).high, from.low) : infinity;
  return {level == level_ ? Rising : Constant, from.low, high, level == level_ && !iterator.to};
}

} // namespace hetc::tuning
