#include "tests/unit/kernels/tuning/naive.hpp"

#include "kernels/tuning/evaluate.hpp"

#include <algorithm>
#include <stdexcept>

namespace hetc::tuning {

namespace {

class Naive {
public:
  Naive(const EnumerationPlan &plan, const std::vector<std::int64_t> &last, const std::vector<int> &order)
      : plan_(plan), last_(last), order_(order), values_(plan.space.symbols.size()) {
    result_.firstFailures.resize(plan.space.constraints.size());
  }

  NaiveResult run() {
    goThrough(0);
    std::ranges::sort(result_.points);
    return result_;
  }

private:
  std::int64_t value(const Expr &expr) {
    for (const int symbol : symbolsOf(expr))
      if (const Symbol &definition = plan_.space.symbols[symbol]; definition.kind != SymbolKind::Iterator)
        values_[symbol] = value(definition.value);
    return evaluate(expr, values_);
  }

  void goThrough(std::size_t level) {
    if (level == plan_.loops.size())
      return look();
    const int symbol = plan_.loops[level].iterator;
    const Symbol &iterator = plan_.space.symbols[symbol];
    const auto inside = [&](std::int64_t at) {
      values_[symbol] = at;
      goThrough(level + 1);
    };
    for (const Expr &each : iterator.values)
      inside(value(each));
    if (!iterator.values.empty())
      return;
    const std::int64_t end = iterator.to ? value(*iterator.to) : last_[level],
                       step = iterator.step ? value(*iterator.step) : 1;
    if (step <= 0)
      throw EvaluationError{0, "step"};
    for (std::int64_t at = value(iterator.from); at <= end; at += step)
      inside(at);
  }

  void look() {
    ++result_.raw;
    for (const int constraint : order_)
      if (!value(plan_.space.constraints[constraint].condition)) {
        ++result_.firstFailures[constraint];
        return;
      }
    Point point;
    for (const Loop &loop : plan_.loops)
      point.push_back(values_[loop.iterator]);
    result_.points.push_back(point);
  }

  const EnumerationPlan &plan_;
  const std::vector<std::int64_t> &last_;
  const std::vector<int> &order_;
  std::vector<std::int64_t> values_;
  NaiveResult result_;
};

std::string print(const std::string &text, const Diagnostic &diagnostic) {
  const std::string rendered = render("", text, diagnostic);
  std::string line = rendered.substr(1, rendered.find('\n') - 1);
  return line.erase(line.find(" error:"), 7);
}

} // namespace

Space spaceOf(const std::string &text) {
  auto space = parseSpace(text);
  if (const auto *diagnostic = std::get_if<Diagnostic>(&space))
    throw std::runtime_error(render("space", text, *diagnostic));
  return std::get<Space>(std::move(space));
}

EnumerationPlan planOf(const std::string &text) {
  auto made = plan(spaceOf(text));
  if (const auto *diagnostic = std::get_if<Diagnostic>(&made))
    throw std::runtime_error(render("space", text, *diagnostic));
  return std::get<EnumerationPlan>(std::move(made));
}

std::string errorOf(const std::string &text) {
  auto space = parseSpace(text);
  if (const auto *diagnostic = std::get_if<Diagnostic>(&space))
    return print(text, *diagnostic);
  const auto made = plan(std::get<Space>(std::move(space)));
  if (const auto *diagnostic = std::get_if<Diagnostic>(&made))
    return print(text, *diagnostic);
  return "none";
}

NaiveResult enumerateNaively(const EnumerationPlan &plan, const std::vector<std::int64_t> &last,
                             const std::vector<int> &order) {
  return Naive(plan, last, order).run();
}

} // namespace hetc::tuning
