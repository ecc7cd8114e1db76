#include "kernels/tuning/enumerate.hpp"

#include "dsl/base/thread.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <system_error>

namespace hetc::tuning {

Counts::Counts(const EnumerationPlan &plan)
    : visits(plan.loops.size()), failures(plan.tests.size()), removed(plan.space.constraints.size()),
      largest(plan.loops.size(), unknownLast), taken(largest), point(plan.loops.size()) {}

void Counts::add(const Counts &other) {
  const auto sum = [](auto &a, const auto &b) { std::ranges::transform(a, b, a.begin(), std::plus()); };
  const auto maximum = [](Numbers &a, const Numbers &b) {
    std::ranges::transform(a, b, a.begin(), [](auto x, auto y) { return std::max(x, y); });
  };
  sum(visits, other.visits);
  sum(failures, other.failures);
  sum(removed, other.removed);
  maximum(largest, other.largest);
  maximum(taken, other.taken);
  raw += other.raw;
  left += other.left;
  points.insert(points.end(), other.points.begin(), other.points.end());
  if (other.failed && (!failed || other.failurePoint() < failurePoint())) {
    failed = true;
    point = other.point;
    depth = other.depth;
  }
}

namespace {

Counts runPass(const EnumerationPlan &plan, const Pass &pass, int workers) {
  std::vector<Counts> counts(workers, Counts(plan));
  std::atomic<std::int64_t> tickets = 0;
  {
    std::vector<tla::Thread> threads;
    try {
      for (int worker = 1; worker < workers; ++worker)
        threads.emplace_back([&, worker] { goThrough(plan, pass, false, tickets, counts[worker]); });
    } catch (const std::system_error &) { // those that there are draw all tickets
    }
    goThrough(plan, pass, true, tickets, counts[0]);
  }
  Counts total(plan);
  for (const Counts &each : counts)
    total.add(each);
  return total;
}

/// A test is made at every point that the tests before it in its loop let pass.
Numbers testsMade(const EnumerationPlan &plan, const Counts &counts) {
  Numbers made(plan.tests.size());
  for (std::size_t index = 0; index < plan.tests.size(); ++index) {
    const int level = plan.tests[index].level;
    const bool isFirst = index == 0 || plan.tests[index - 1].level != level;
    if (isFirst)
      made[index] = level == beforeLoops ? 1 : counts.visits[level];
    else
      made[index] = made[index - 1] - counts.failures[index - 1];
  }
  return made;
}

std::vector<FunnelRow> makeFunnel(const EnumerationPlan &plan, const Counts &counts) {
  std::vector<int> order(plan.space.constraints.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int constraint) { return plan.constraintLevels[constraint]; });
  const Numbers made = testsMade(plan, counts);
  std::vector<FunnelRow> rows;
  double left = counts.raw;
  for (const int constraint : order) {
    FunnelRow row{constraint, {}, 0, counts.removed[constraint], left -= counts.removed[constraint]};
    for (std::size_t index = 0; index < plan.tests.size(); ++index)
      if (plan.tests[index].constraint == constraint) {
        row.levels.push_back(plan.tests[index].level);
        row.tests += made[index];
      }
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace

std::variant<Enumeration, Diagnostic> enumerate(const EnumerationPlan &plan, const EnumerationOptions &options) {
  Enumeration result;
  Pass pass{Numbers(plan.loops.size(), unknownLast)};
  const auto isOpenEnded = [&](std::size_t level) { return plan.iterator(level).isOpenEnded(); };
  bool anyOpenEnded = false;
  for (std::size_t level = 0; level < plan.loops.size(); ++level)
    anyOpenEnded |= isOpenEnded(level);
  if (anyOpenEnded) {
    const Counts found = runPass(plan, pass, options.workers);
    if (found.failed)
      return explainFailure(plan, found.point, found.depth);
    pass.last = found.left ? found.largest : found.taken;
    result.visited = std::accumulate(found.visits.begin(), found.visits.end(), std::int64_t(0));
  }
  pass.counts = true;
  pass.collects = options.collectPoints;
  Counts counts = runPass(plan, pass, options.workers);
  if (counts.failed)
    return explainFailure(plan, counts.point, counts.depth);
  result.raw = counts.raw;
  result.left = counts.left;
  result.visited += std::accumulate(counts.visits.begin(), counts.visits.end(), std::int64_t(0));
  result.funnel = makeFunnel(plan, counts);
  result.last = pass.last;
  result.visits = counts.visits;
  result.points = std::move(counts.points);
  std::ranges::sort(result.points);
  return result;
}

Diagnostic explainEmpty(const EnumerationPlan &plan, const Enumeration &enumeration) {
  const auto last = std::ranges::find_if(enumeration.funnel.rbegin(), enumeration.funnel.rend(),
                                         [](const FunnelRow &row) { return row.removed > 0; });
  if (last != enumeration.funnel.rend()) {
    const Constraint &constraint = plan.space.constraints[last->constraint];
    std::ostringstream message;
    message << "no candidate is left: '" << constraint.name << "' removes the last ";
    last->removed == 1 ? message << "point" : message << last->removed << " points";
    return {constraint.place(), message.str(), {}};
  }
  const auto empty = std::ranges::find(enumeration.visits, 0);
  const std::size_t level = std::min<std::size_t>(empty - enumeration.visits.begin(), plan.loops.size() - 1);
  const Symbol &iterator = plan.iterator(level);
  return {iterator.place(), "the space has no points: '" + iterator.name + "' has no values", {}};
}

} // namespace hetc::tuning
