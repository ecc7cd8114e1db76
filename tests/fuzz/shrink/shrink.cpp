#include "tests/fuzz/shrink/shrink.hpp"

#include "tests/fuzz/shrink/edits.hpp"

#include "runtime/distribution/distribution.hpp"

#include <algorithm>
#include <fstream>

namespace fuzz {

/// Whether the program is right, also at sizes that the case does not have: a program that hetc must reject is no
/// smaller form of one that it rejects without reason.
bool Shrinker::isRight(const Program &program, const TrialPlan &plan) const {
  try {
    for (const long m : {0, 1, 4, 5, 7})
      for (const long n : {0, 2, 3, 7})
        for (const long shift : {0, 2})
          anyEnd(program, [&](int iterations) {
            interpret(program, {m, n, n + 1, 2, shift, 1}, iterations);
            return false;
          });
    return emptyPanels_ || !interpret(program, plan.cases[0].sizes).emptyPanels;
  } catch (const Invalid &) {
    return false;
  }
}

bool Shrinker::fails(const Program &program, const TrialPlan &plan) {
  if (!isRight(program, plan))
    return false;
  try {
    ++trials_;
    const Trial trial = tryProgram(program, plan, directory_, deadlines_);
    return trial.failure && trial.failure->kind == kind_;
  } catch (const Invalid &) {
    return false;
  }
}

bool Shrinker::accept(Program &program, Program candidate, const TrialPlan &plan) {
  tidy(candidate);
  if (over() || !fails(candidate, plan))
    return false;
  program = std::move(candidate);
  std::ofstream(fileOf(program, directory_) + ".smallest") << print(program);
  return true;
}

bool Shrinker::acceptCase(const Program &program, TrialPlan &plan, const TrialPlan &candidate) {
  if (over() || !fails(program, candidate))
    return false;
  plan = candidate;
  return true;
}

template <typename Edit> bool Shrinker::tryAll(Program &program, const TrialPlan &plan, const Edit &edit) {
  bool better = false;
  for (int number = 0; !over();) {
    Program candidate = program;
    if (!edit(candidate, number))
      break;
    if (accept(program, std::move(candidate), plan))
      better = true;
    else
      ++number;
  }
  return better;
}

/// One thing after the other as it is by default.
bool Shrinker::shrinkCase(const Program &program, TrialPlan &plan) {
  bool better = false;
  const auto attempt = [&](auto change) {
    TrialPlan candidate = plan;
    change(candidate, candidate.cases.empty() ? Case() : candidate.cases[0]);
    better |= acceptCase(program, plan, candidate);
  };
  const auto attemptCase = [&](auto member, auto value) {
    if (plan.cases.empty() || plan.cases[0].*member == value)
      return;
    attempt([&](TrialPlan &candidate, const Case &) { candidate.cases[0].*member = value; });
  };
  const Case usual;
  attemptCase(&Case::fault, usual.fault);
  better |= shrinkFault(program, plan);
  attemptCase(&Case::deviceRows, usual.deviceRows);
  attemptCase(&Case::resident, usual.resident);
  attemptCase(&Case::order, usual.order);
  if (!plan.cases.empty() && plan.cases[0].deviceRows == 1 && !plan.cases[0].resident &&
      plan.cases[0].order.isProgramOrder())
    attemptCase(&Case::devices, usual.devices);
  attemptCase(&Case::delayMicroseconds, usual.delayMicroseconds);
  attemptCase(&Case::threads, usual.threads);
  attemptCase(&Case::window, usual.window);
  attemptCase(&Case::renameBytes, usual.renameBytes);
  attemptCase(&Case::fanOut, usual.fanOut);
  attemptCase(&Case::forwardBytes, usual.forwardBytes);
  if (!plan.march.empty())
    attempt([](TrialPlan &candidate, const Case &) { candidate.march.clear(); });
  if (plan.type != 'd')
    attempt([](TrialPlan &candidate, const Case &) { candidate.type = 'd'; });
  if (!plan.variants[0].distribution.empty() && (plan.cases.empty() || !plan.cases[0].byNodes))
    attempt([](TrialPlan &candidate, const Case &) { candidate.variants[0].distribution.clear(); });
  for (const char *distribution : {"2dbc:1x1", "2dbc:1x2", "2dbc:2x1", "2dbc:2x2"})
    if (!plan.cases.empty() && plan.cases[0].ranks > 1) {
      const int nodes = tla::parseDistribution(distribution).nodes();
      if (nodes < plan.cases[0].ranks || (nodes == plan.cases[0].ranks && plan.cases[0].distribution.size() > 8))
        attempt([&](TrialPlan &candidate, const Case &one) {
          if (one.byNodes)
            candidate.variants[0].distribution = distribution;
          candidate.cases[0].distribution = distribution;
          candidate.cases[0].ranks = nodes;
        });
    }
  for (int slices = 1; slices < plan.variants[0].slices; ++slices)
    attempt([&](TrialPlan &candidate, const Case &) {
      candidate.variants[0].slices = slices;
      if (slices == 1 && !candidate.cases.empty())
        candidate.cases[0].slice.reset();
    });
  return better;
}

/// Leaves out parts of a fault that has several, and shortens its time.
bool Shrinker::shrinkFault(const Program &program, TrialPlan &plan) {
  bool better = false;
  const auto attempt = [&](auto member, auto value) {
    if (plan.cases.empty() || plan.cases[0].fault.*member == value)
      return;
    TrialPlan candidate = plan;
    candidate.cases[0].fault.*member = value;
    better |= acceptCase(program, plan, candidate);
  };
  attempt(&Fault::holdBack, 0);
  attempt(&Fault::slowMicroseconds, 0);
  attempt(&Fault::dies, false);
  attempt(&Fault::frozenMilliseconds, 0);
  attempt(&Fault::rankPermille, 0);
  attempt(&Fault::permille, 0);
  return better;
}

bool Shrinker::shrinkSizes(const Program &program, TrialPlan &plan) {
  bool better = false;
  if (plan.cases.empty())
    return false;
  for (const auto member : {&Sizes::m, &Sizes::n, &Sizes::k, &Sizes::shift, &Sizes::ib})
    for (const long value : {0L, 1L, 2L, 3L, 4L, 6L, 8L, 12L, 16L}) {
      if (value >= plan.cases[0].sizes.*member || (member == &Sizes::ib && value == 0))
        break;
      TrialPlan candidate = plan;
      candidate.cases[0].sizes.*member = value;
      if (acceptCase(program, plan, candidate)) {
        better = true;
        break;
      }
    }
  return better;
}

void Shrinker::shrink(Program &program, TrialPlan &plan, const Failure &failure) {
  kind_ = failure.kind;
  emptyPanels_ = interpret(program, plan.cases[0].sizes).emptyPanels;
  // By the watchdog, after 15 s.
  const bool watched = kind_.find("run") != std::string::npos || plan.cases[0].fault.ends();
  deadlines_ = {60, watched ? 25.0 : 8.0};
  for (bool better = true; better && !over();) {
    better = shrinkCase(program, plan);
    for (const int length : {16, 8, 4, 2, 1})
      better |=
          tryAll(program, plan, [&](Program &candidate, int number) { return removeRun(candidate, length, number); });
    better |= tryAll(program, plan, unwrap);
    better |= tryAll(program, plan, dropClause);
    better |= shrinkSizes(program, plan);
    better |= tryAll(program, plan, simplifyExpression);
  }
  tryProgram(program, plan, directory_, deadlines_); // leaves the smallest one's file
}

} // namespace fuzz
