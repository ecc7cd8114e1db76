#include "kernels/tuning/nest.hpp"

#include "kernels/tuning/evaluate.hpp"

#include <algorithm>

namespace hetc::tuning {

namespace {
using Number = std::int64_t;

/// Beyond all values of iterators: the end of a range must leave room for one step more.
constexpr Number endless = INT64_MAX - 1;

/// The values from `first` to `last` at most, a positive step apart.
struct Range {
  Number first, last, step;

  double count() const {
    const auto distance = [&] { return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first); };
    return last < first ? 0 : 1 + static_cast<double>(distance() / static_cast<std::uint64_t>(step));
  }
  Number after(Number at) const {
    Number result = 0;
    return __builtin_add_overflow(at, step, &result) ? INT64_MAX : result;
  }
};

/// A value is computed before it is used in its loop, in each of the loop's iterations. So what looks ahead, a relaxed
/// test or the count of what is removed, leaves its values of the loops inside behind.
class Walk {
public:
  Walk(const EnumerationPlan &plan, const Pass &pass) : plan_(plan), pass_(pass), values_(plan.space.symbols.size()) {
    for (const auto &[symbol, value] : plan.constants)
      values_[symbol] = value;
  }

  void run(bool leads, std::atomic<Number> &tickets, Counts &counts) {
    counts_ = &counts;
    tickets_ = &tickets;
    leads_ = leads;
    counts.raw = pass_.counts && leads ? raw(0, INT64_MIN) : 0;
    draw();
    try {
      for (const Step &step : plan_.prologue)
        if (const Test &test = plan_.tests[step.index]; !holds(test)) {
          counts.failures[step.index] = leads;
          counts.removed[test.constraint] = counts.raw;
          return;
        }
      enter(0);
    } catch (const EvaluationError &) {
      counts.failed = true;
    }
  }

  /// Does what the nest does at one point, and in the loop inside it. Throws what it finds.
  void retrace(const Point &point, int depth) {
    for (int level = 0; level < depth; ++level) {
      values_[plan_.loops[level].iterator] = point[level];
      for (const Step &step : plan_.loops[level].steps)
        if (step.isTest)
          holds(plan_.tests[step.index]);
        else
          compute(step.index);
    }
    if (depth < loopCount() && plan_.loops[depth].values.empty())
      range(depth);
  }

  const Numbers &computeAll(const Point &point) {
    for (std::size_t level = 0; level < point.size(); ++level)
      values_[plan_.loops[level].iterator] = point[level];
    for (const int symbol : plan_.order)
      if (plan_.space.symbols[symbol].kind == SymbolKind::Derived)
        compute(symbol);
    return values_;
  }

private:
  int loopCount() const { return static_cast<int>(plan_.loops.size()); }
  Number value(const Expr &expr) const { return evaluate(expr, values_); }
  void compute(int symbol) { values_[symbol] = value(plan_.space.symbols[symbol].value); }
  void draw() { mine_ = tickets_->fetch_add(1, std::memory_order_relaxed); }

  Range range(int level) const {
    const Symbol &iterator = plan_.iterator(level);
    Range range{value(iterator.from), pass_.last[level], 1};
    if (iterator.to)
      range.last = std::min(value(*iterator.to), endless);
    else if (range.last == unknownLast)
      range.last = pass_.counts ? range.first : endless;
    if (iterator.step)
      range.step = value(*iterator.step);
    if (range.step <= 0)
      throw EvaluationError{iterator.step->offset, "the step of '" + iterator.name + "' is " +
                                                       std::to_string(range.step) + " here, and must be positive"};
    return range;
  }

  /// Calls act(value) for the iterator's values until it returns false.
  template <typename Act> void forValues(int level, const Act &act) const {
    const Loop &loop = plan_.loops[level];
    if (!loop.values.empty()) {
      std::ranges::all_of(loop.values, act);
      return;
    }
    const Range range = this->range(level);
    for (Number at = range.first; at <= range.last && act(at);)
      at = range.after(at);
  }

  /// Points of a loop from the value `start` on, and of the loops inside; a range that cannot be computed is empty.
  double raw(int level, Number start) {
    if (level == loopCount())
      return 1;
    const Loop &loop = plan_.loops[level];
    try {
      for (const int symbol : loop.rangeNeeds)
        compute(symbol);
      if (!loop.countsDiffer && loop.values.empty()) {
        Range range = this->range(level);
        range.first = values_[loop.iterator] = std::max(start, range.first);
        const double count = range.count();
        return count > 0 ? count * raw(level + 1, INT64_MIN) : 0;
      }
      double points = 0;
      forValues(level, [&](Number at) {
        values_[loop.iterator] = at;
        points += at < start ? 0 : raw(level + 1, INT64_MIN);
        return true;
      });
      return points;
    } catch (const EvaluationError &) {
      return 0;
    }
  }

  bool holds(const Test &test) {
    for (const int symbol : test.bindings) {
      const Symbol &definition = plan_.space.symbols[symbol];
      const Numbers *list =
          definition.kind == SymbolKind::Iterator ? &plan_.loops[plan_.levels[symbol]].values : nullptr;
      values_[symbol] = list && !list->empty() ? list->front() : value(list ? definition.from : definition.value);
    }
    return value(plan_.space.constraints[test.constraint].condition) != 0;
  }

  enum class Outcome { Inside, Next, End };

  Outcome doSteps(int level, Number at, bool counts) {
    for (const Step &step : plan_.loops[level].steps) {
      if (!step.isTest) {
        compute(step.index);
        continue;
      }
      const Test &test = plan_.tests[step.index];
      if (holds(test))
        continue;
      counts_->failures[step.index] += counts;
      if (pass_.counts && counts)
        counts_->removed[test.constraint] += test.isCut ? raw(level, at) : raw(level + 1, INT64_MIN);
      return test.isCut ? Outcome::End : Outcome::Next;
    }
    return Outcome::Inside;
  }

  void enter(int level) {
    if (level == loopCount())
      return take();
    forValues(level, [&](Number at) {
      const bool counts = level > plan_.sharedLevel || leads_;
      values_[plan_.loops[level].iterator] = at;
      counts_->point[level] = at;
      counts_->depth = level + 1;
      counts_->visits[level] += counts;
      if (plan_.iterator(level).isOpenEnded())
        counts_->taken[level] = std::max(counts_->taken[level], at);
      const Outcome outcome = doSteps(level, at, counts);
      if (outcome == Outcome::Inside && (level != plan_.sharedLevel || ticket_++ == mine_)) {
        enter(level + 1);
        if (level == plan_.sharedLevel)
          draw();
      }
      return outcome != Outcome::End;
    });
  }

  void take() {
    ++counts_->left;
    for (int level = 0; level < loopCount(); ++level)
      if (plan_.iterator(level).isOpenEnded())
        counts_->largest[level] = std::max(counts_->largest[level], counts_->point[level]);
    if (pass_.collects)
      counts_->points.push_back(counts_->point);
  }

  const EnumerationPlan &plan_;
  const Pass &pass_;
  Numbers values_; ///< values by symbol
  Counts *counts_ = nullptr;
  std::atomic<Number> *tickets_ = nullptr;
  bool leads_ = false;
  Number ticket_ = 0, mine_ = 0; ///< points of the shared loop seen so far; the one that is this worker's next
};

std::string print(const EnumerationPlan &plan, const Point &point, int depth) {
  std::string result;
  for (int level = 0; level < depth; ++level)
    result += (level ? ", " : "") + plan.iterator(level).name + " = " + std::to_string(point[level]);
  return result;
}

Pass endlessPass(const EnumerationPlan &plan) { return {Numbers(plan.loops.size(), unknownLast)}; }

} // namespace

void goThrough(const EnumerationPlan &plan, const Pass &pass, bool leads, std::atomic<std::int64_t> &tickets,
               Counts &counts) {
  Walk(plan, pass).run(leads, tickets, counts);
}

Diagnostic explainFailure(const EnumerationPlan &plan, const Point &point, int depth) {
  const std::string where = depth ? " for " + print(plan, point, depth) : "";
  const Pass pass = endlessPass(plan);
  try {
    Walk(plan, pass).retrace(point, depth);
  } catch (const EvaluationError &error) {
    return {{error.offset, 0}, error.message + where, {}};
  }
  return {{}, "an error" + where + " that cannot be repeated", {}};
}

Numbers valuesAt(const EnumerationPlan &plan, const Point &point) {
  const Pass pass = endlessPass(plan);
  return Walk(plan, pass).computeAll(point);
}

} // namespace hetc::tuning
