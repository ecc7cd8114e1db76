#include "kernels/tuning/evaluate.hpp"
#include "kernels/tuning/nest.hpp"

#include <algorithm>

namespace hetc::tuning {

namespace {
using tla::tuning::Run;
using tla::tuning::unknownLast;
using Number = std::int64_t;

class Interpreter {
public:
  explicit Interpreter(const Plan &plan) : plan_(plan), values_(plan.space.symbols.size()) {
    for (const auto &[symbol, value] : plan.constants)
      values_[symbol] = value;
  }

  void run(Run &run) {
    run_ = &run;
    run.raw = run.counts && run.leads ? raw(0, INT64_MIN) : 0;
    mine_ = __atomic_fetch_add(run.tickets, 1, __ATOMIC_RELAXED);
    try {
      for (const Step &step : plan_.prologue)
        if (const Test &test = plan_.tests[step.index]; !holds(test)) {
          run.failures[step.index] = run.leads;
          run.removed[test.constraint] = run.raw;
          return;
        }
      goThrough(0);
    } catch (const EvaluationError &) {
      run.failed = true;
    }
  }

  /// Does what the nest does at one point, and in the loop inside it. Throws what it finds.
  void retrace(const std::vector<Number> &point, int depth) {
    Run endless;
    const std::vector<Number> unknown(plan_.loops.size(), unknownLast);
    endless.last = unknown.data();
    run_ = &endless;
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

  const std::vector<Number> &computeAll(const std::vector<Number> &point) {
    for (std::size_t level = 0; level < point.size(); ++level)
      values_[plan_.loops[level].iterator] = point[level];
    for (const int symbol : plan_.order)
      if (plan_.space.symbols[symbol].kind == SymbolKind::Derived)
        compute(symbol);
    return values_;
  }

private:
  struct Range {
    Number first, last, step;
  };

  int loopCount() const { return static_cast<int>(plan_.loops.size()); }
  Number value(const Expr &expr) const { return evaluate(expr, values_); }
  void compute(int symbol) { values_[symbol] = value(plan_.space.symbols[symbol].value); }

  Range range(int level) const {
    const Symbol &iterator = plan_.iterator(level);
    Range range{value(iterator.from), run_->last[level], 1};
    if (iterator.to)
      range.last = tla::tuning::upTo(value(*iterator.to));
    else if (range.last == unknownLast)
      range.last = run_->counts ? range.first : tla::tuning::endless;
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
      at = tla::tuning::next(at, range.step);
  }

  /// Points of a loop from the value `start` on, and of the loops inside; a range that cannot be computed is empty.
  double raw(int level, Number start) {
    if (level == loopCount())
      return 1;
    const std::vector<Number> saved = values_;
    double points = 0;
    try {
      if (level > 0)
        for (const int symbol : derivedFor(plan_, symbolsOf(plan_.iterator(level)), beforeLoops, level - 1))
          compute(symbol);
      forValues(level, [&](Number at) {
        values_[plan_.loops[level].iterator] = at;
        points += at < start ? 0 : raw(level + 1, INT64_MIN);
        return true;
      });
    } catch (const EvaluationError &) {
    }
    values_ = saved;
    return points;
  }

  bool holds(const Test &test) {
    const std::vector<Number> saved = values_;
    for (const int symbol : test.bindings) {
      const Symbol &definition = plan_.space.symbols[symbol];
      const std::vector<Number> *list =
          definition.kind == SymbolKind::Iterator ? &plan_.loops[plan_.levels[symbol]].values : nullptr;
      values_[symbol] = list && !list->empty() ? list->front() : value(list ? definition.from : definition.value);
    }
    const bool result = value(plan_.space.constraints[test.constraint].condition) != 0;
    if (!test.bindings.empty())
      values_ = saved;
    return result;
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
      run_->failures[step.index] += counts;
      if (run_->counts && counts)
        run_->removed[test.constraint] += test.isCut ? raw(level, at) : raw(level + 1, INT64_MIN);
      return test.isCut ? Outcome::End : Outcome::Next;
    }
    return Outcome::Inside;
  }

  void goThrough(int level) {
    if (level == loopCount())
      return take();
    forValues(level, [&](Number at) {
      const bool counts = level > plan_.sharedLevel || run_->leads;
      values_[plan_.loops[level].iterator] = at;
      run_->point[level] = at;
      run_->depth = level + 1;
      run_->visits[level] += counts;
      if (plan_.iterator(level).isOpenEnded())
        run_->taken[level] = std::max(run_->taken[level], at);
      const Outcome outcome = doSteps(level, at, counts);
      if (outcome == Outcome::Inside && (level != plan_.sharedLevel || ticket_++ == mine_)) {
        goThrough(level + 1);
        if (level == plan_.sharedLevel)
          mine_ = __atomic_fetch_add(run_->tickets, 1, __ATOMIC_RELAXED);
      }
      return outcome != Outcome::End;
    });
  }

  void take() {
    ++run_->left;
    for (int level = 0; level < loopCount(); ++level)
      if (plan_.iterator(level).isOpenEnded())
        run_->largest[level] = std::max(run_->largest[level], run_->point[level]);
    if (run_->visit)
      run_->visit(run_->sink, run_->point);
  }

  const Plan &plan_;
  std::vector<Number> values_;
  Run *run_ = nullptr;
  Number ticket_ = 0, mine_ = 0;
};

std::string print(const Plan &plan, const std::vector<Number> &point, int depth) {
  std::string result;
  for (int level = 0; level < depth; ++level)
    result += (level ? ", " : "") + plan.iterator(level).name + " = " + std::to_string(point[level]);
  return result;
}

} // namespace

Nest interpretNest(const Plan &plan) {
  return [&plan](Run &run) { Interpreter(plan).run(run); };
}

Diagnostic explainFailure(const Plan &plan, const std::vector<Number> &point, int depth) {
  const std::string where = depth ? " for " + print(plan, point, depth) : "";
  try {
    Interpreter(plan).retrace(point, depth);
  } catch (const EvaluationError &error) {
    return {{error.offset, 0}, error.message + where, {}};
  }
  return {{}, "an error" + where + " that cannot be repeated", {}};
}

std::vector<Number> valuesAt(const Plan &plan, const std::vector<Number> &point) {
  return Interpreter(plan).computeAll(point);
}

} // namespace hetc::tuning
