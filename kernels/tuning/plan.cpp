#include "kernels/tuning/plan.hpp"

#include "kernels/tuning/evaluate.hpp"
#include "kernels/tuning/trend.hpp"

#include <algorithm>

namespace hetc::tuning {

namespace {

/// Thrown inside this file only.
struct Rejected {
  Diagnostic diagnostic;
};

/// Adds what the symbols need through derived values.
void close(const Space &space, std::set<int> &symbols) {
  std::vector<int> open(symbols.begin(), symbols.end());
  while (!open.empty()) {
    const Symbol &symbol = space.symbols[open.back()];
    open.pop_back();
    if (symbol.kind != SymbolKind::Derived)
      continue;
    for (const int used : symbolsOf(symbol))
      if (symbols.insert(used).second)
        open.push_back(used);
  }
}

class Planner {
public:
  explicit Planner(Space space) { plan_.space = std::move(space); }

  EnumerationPlan run() {
    orderSymbols();
    orderLoops();
    computeConstants();
    readLists();
    for (std::size_t each = 0; each < space().constraints.size(); ++each)
      placeConstraint(static_cast<int>(each));
    orderTests();
    checkEnds();
    placeSteps();
    for (int level = 0; level < loopCount(); ++level) {
      plan_.loops[level].countsDiffer = countsDiffer(level);
      plan_.loops[level].rangeNeeds = derivedFor(plan_, symbolsOf(plan_.iterator(level)), beforeLoops, level - 1);
    }
    plan_.sharedLevel = findSharedLevel();
    return std::move(plan_);
  }

private:
  const Space &space() const { return plan_.space; }
  int loopCount() const { return static_cast<int>(plan_.loops.size()); }

  void orderSymbols() {
    std::set<int> done;
    for (std::size_t each = 0; each < space().symbols.size(); ++each)
      orderSymbol(static_cast<int>(each), done);
  }
  void orderSymbol(int symbol, std::set<int> &done) {
    if (!done.insert(symbol).second)
      return;
    for (const int used : symbolsOf(space().symbols[symbol]))
      orderSymbol(used, done);
    plan_.order.push_back(symbol);
  }

  /// Orders loops as the file does, but each after those that its range depends on: plan_.order has this property
  /// already, and takes the symbols of the file in turn.
  void orderLoops() {
    plan_.levels.assign(space().symbols.size(), beforeLoops);
    for (const int symbol : plan_.order)
      if (space().symbols[symbol].kind == SymbolKind::Iterator) {
        plan_.levels[symbol] = loopCount();
        plan_.loops.push_back({});
        plan_.loops.back().iterator = symbol;
      } else
        plan_.levels[symbol] = levelOf(symbolsOf(space().symbols[symbol]));
    if (plan_.loops.empty())
      throw Rejected{{space().kernelPlace, "the space has no iterator", {}}};
  }

  int levelOf(const std::set<int> &symbols) const {
    int level = beforeLoops;
    for (const int symbol : symbols)
      level = std::max(level, plan_.levels[symbol]);
    return level;
  }

  void computeConstants() {
    std::vector<std::int64_t> values(space().symbols.size());
    for (const int symbol : plan_.order)
      if (plan_.levels[symbol] == beforeLoops) {
        values[symbol] = constant(space().symbols[symbol].value, values);
        plan_.constants[symbol] = values[symbol];
      }
  }

  static std::int64_t constant(const Expr &expr, const std::vector<std::int64_t> &values) {
    try {
      return evaluate(expr, values);
    } catch (const EvaluationError &error) {
      throw Rejected{{{error.offset, 0}, error.message, {}}};
    }
  }

  std::vector<std::int64_t> constantValues() const {
    std::vector<std::int64_t> values(space().symbols.size());
    for (const auto &[symbol, value] : plan_.constants)
      values[symbol] = value;
    return values;
  }

  void readLists() {
    for (Loop &loop : plan_.loops) {
      const Symbol &iterator = space().symbols[loop.iterator];
      for (const Expr &expr : iterator.values) {
        loop.values.push_back(constant(expr, constantValues()));
        if (loop.values.size() > 1 && loop.values.back() <= loop.values[loop.values.size() - 2])
          throw Rejected{{{expr.offset, 0}, "the values of '" + iterator.name + "' must ascend", {}}};
      }
    }
  }

  void placeConstraint(int index) {
    const Expr &condition = space().constraints[index].condition;
    const int own = levelOf(symbolsOf(condition));
    plan_.constraintLevels.push_back(own);
    bool isWeakestFirst = true; // with respect to the loops inside `level`
    for (int level = own; isWeakestFirst && level > beforeLoops; --level) {
      const Trend trend = TrendAnalysis(plan_, level).ofCondition(condition);
      const bool isCut = trend.direction == Direction::Falling;
      if (level == own || isCut)
        plan_.tests.push_back({index, level, isCut, bindingsOf(condition, level)});
      if (isCut && trend.ends)
        ending_.insert(level);
      isWeakestFirst = isCut || trend.direction == Direction::Constant;
    }
    if (own == beforeLoops)
      plan_.tests.push_back({index, own, false, {}});
  }

  /// The values that must be set to evaluate an expression in loop `level` with the iterators inside at their first
  /// values.
  std::vector<int> bindingsOf(const Expr &expr, int level) const {
    std::set<int> bound;
    std::set<int> seen = symbolsOf(expr);
    std::vector<int> open(seen.begin(), seen.end());
    while (!open.empty()) {
      const int symbol = open.back();
      open.pop_back();
      if (plan_.levels[symbol] <= level || !bound.insert(symbol).second)
        continue;
      const Symbol &definition = space().symbols[symbol];
      const Expr &value = definition.kind == SymbolKind::Iterator ? definition.from : definition.value;
      const std::set<int> used = symbolsOf(value);
      open.insert(open.end(), used.begin(), used.end());
    }
    return inOrder(bound);
  }

  std::vector<int> inOrder(const std::set<int> &symbols) const {
    std::vector<int> result;
    std::ranges::copy_if(plan_.order, std::back_inserter(result), [&](int each) { return symbols.count(each) > 0; });
    return result;
  }

  void orderTests() {
    std::ranges::stable_sort(plan_.tests, [](const Test &a, const Test &b) {
      return a.level != b.level ? a.level < b.level : a.isCut && !b.isCut;
    });
  }

  void checkEnds() const {
    for (int level = 0; level < loopCount(); ++level) {
      const Symbol &iterator = plan_.iterator(level);
      if (iterator.isOpenEnded() && !ending_.count(level))
        throw Rejected{{iterator.place(),
                        "iterator '" + iterator.name +
                            "' never ends: it has no 'to', and no constraint is seen to fail for all its large values",
                        {}}};
    }
  }

  /// The symbols that must be known in loop `level` for a test.
  std::set<int> neededBy(const Test &test) const {
    std::set<int> needed = symbolsOf(space().constraints[test.constraint].condition);
    for (const int symbol : test.bindings) {
      const std::set<int> used = symbolsOf(space().symbols[symbol]);
      needed.insert(used.begin(), used.end());
    }
    return needed;
  }

  void placeSteps() {
    std::set<int> computed;
    for (std::size_t index = 0; index < plan_.tests.size(); ++index)
      if (plan_.tests[index].level == beforeLoops)
        plan_.prologue.push_back({true, static_cast<int>(index)});
    for (int level = 0; level < loopCount(); ++level) {
      for (std::size_t index = 0; index < plan_.tests.size(); ++index)
        if (plan_.tests[index].level == level) {
          compute(neededBy(plan_.tests[index]), level, computed);
          plan_.loops[level].steps.push_back({true, static_cast<int>(index)});
        }
      compute(neededInside(level), level, computed);
    }
  }

  void compute(const std::set<int> &needed, int level, std::set<int> &computed) {
    for (const int symbol : derivedFor(plan_, needed, level - 1, level))
      if (computed.insert(symbol).second)
        plan_.loops[level].steps.push_back({false, symbol});
  }

  std::set<int> neededInside(int level) const {
    std::set<int> needed;
    for (const Test &test : plan_.tests)
      if (test.level > level)
        needed.merge(neededBy(test));
    needed.merge(rangesInside(level));
    return needed;
  }

  std::set<int> rangesInside(int level) const {
    std::set<int> needed;
    for (int inner = level + 1; inner < loopCount(); ++inner)
      needed.merge(symbolsOf(plan_.iterator(inner)));
    return needed;
  }

  bool countsDiffer(int level) const {
    std::set<int> needed = rangesInside(level);
    close(space(), needed);
    return needed.count(plan_.loops[level].iterator) > 0;
  }

  /// The outermost loop with enough points to keep many workers busy, as far as constant ranges tell.
  int findSharedLevel() const {
    constexpr double enough = 4096;
    double points = 1;
    for (int level = 0; level + 2 < loopCount(); ++level)
      if (points *= constantCount(level); points >= enough)
        return level;
    return std::max(0, loopCount() - 2);
  }

  double constantCount(int level) const {
    const Symbol &iterator = plan_.iterator(level);
    if (!iterator.values.empty())
      return static_cast<double>(iterator.values.size());
    if (iterator.isOpenEnded() || levelOf(symbolsOf(iterator)) != beforeLoops)
      return 1;
    const std::vector<std::int64_t> values = constantValues();
    const auto value = [&](const Expr &expr) { return static_cast<double>(constant(expr, values)); };
    const double step = iterator.step ? std::max(1.0, value(*iterator.step)) : 1;
    return (value(*iterator.to) - value(iterator.from)) / step + 1;
  }

  EnumerationPlan plan_;
  std::set<int> ending_; ///< loops with a cut that comes for certain
};

} // namespace

std::variant<EnumerationPlan, Diagnostic> plan(Space space) {
  try {
    return Planner(std::move(space)).run();
  } catch (Rejected &rejected) {
    return std::move(rejected.diagnostic);
  }
}

std::vector<int> derivedFor(const EnumerationPlan &plan, const std::set<int> &symbols, int after, int level) {
  std::set<int> needed = symbols;
  close(plan.space, needed);
  std::vector<int> result;
  for (const int symbol : plan.order)
    if (needed.count(symbol) && plan.space.symbols[symbol].kind == SymbolKind::Derived && plan.levels[symbol] > after &&
        plan.levels[symbol] <= level)
      result.push_back(symbol);
  return result;
}

} // namespace hetc::tuning
