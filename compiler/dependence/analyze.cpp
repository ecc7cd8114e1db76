#include "compiler/dependence/confirm.hpp"
#include "compiler/dependence/recursion.hpp"
#include "compiler/dependence/relations.hpp"

#include <algorithm>

namespace hetc::dependence {

namespace {

/// Moves violations that cannot happen for real sizes to `unproved`.
void separate(const ir::Program &program, Analysis &analysis) {
  for (std::vector<Violation> *violations : {&analysis.outOfBounds, &analysis.uninitialized}) {
    const auto real = std::stable_partition(violations->begin(), violations->end(), [&](const Violation &violation) {
      return isConfirmed(program, violation);
    });
    analysis.unproved.insert(analysis.unproved.end(), real, violations->end());
    violations->erase(real, violations->end());
  }
}

/// Priorities help but nothing depends on them: a program too hard to give them goes without.
Priorities priorities(const Model &model, AnalysisLimits limits) {
  limits.maxOperations = limits.maxOperations / 3 + 1; // zero would mean no limit
  limits.maxTime /= 3;
  const Guard guard(model.ctx.get(), limits);
  try {
    return computePriorities(model);
  } catch (const isl::exception &) {
    return {};
  }
}

/// Finds the bounds violations and priorities of a program that is not affine, by an affine program that covers it:
/// nothing where that is not affine either, or is too hard.
void analyzeCover(const ir::Program &program, const AnalysisLimits &limits, const Questions &questions,
                  std::chrono::nanoseconds begin, NonAffine &result) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), limits, begin);
  try {
    const Model cover = buildModel(program, ctx, Steps::Covered);
    if (cover.complete)
      result.unproved = findBoundsViolations(cover);
    if (questions.priorities)
      result.priorities = computePriorities(cover);
  } catch (const NonAffine &) {
  } catch (const isl::exception &) {
  }
}
} // namespace

std::variant<Analysis, NonAffine, LimitExceeded> analyze(const ir::Program &program, const AnalysisLimits &limits,
                                                         const Questions &questions) {
  if (!program.functions.empty())
    return NonAffine{program.functions.front().location, program.functions.front().algorithm, whyNotAnalyzed(program)};
  const std::chrono::nanoseconds begin = processorTime();
  const ContextOwner ctx = makeContext();
  Analysis analysis;
  std::optional<Model> model;
  {
    const Guard guard(ctx.get(), limits);
    try {
      model = buildModel(program, ctx);
      analysis.outOfBounds = findBoundsViolations(*model);
      separate(program, analysis);
    } catch (NonAffine &reason) {
      analyzeCover(program, limits, questions, begin, reason);
      return std::move(reason);
    } catch (const isl::exception &error) {
      return LimitExceeded{guard.explain(error)};
    }
  }
  {
    const Guard guard(ctx.get(), limits, begin);
    try {
      auto relations = std::make_shared<Relations>(computeDependences(std::move(*model), questions.dependences));
      analysis.uninitialized = findUninitializedReads(*relations);
      for (Violation &violation : findReadsAfterRelease(relations->model))
        analysis.uninitialized.push_back(std::move(violation));
      separate(program, analysis);
      analysis.relations = std::move(relations);
    } catch (const isl::exception &error) {
      analysis.incomplete = LimitExceeded{guard.explain(error)};
      return analysis;
    }
  }
  if (questions.priorities)
    analysis.priorities = priorities(analysis.relations->model, limits);
  return analysis;
}

void derivePriorities(ir::Program &program, const Priorities &priorities) {
  ir::forEachTask(program.body, [&](ir::Task &task) {
    const auto found = priorities.find(task.id);
    const bool isAuthors = task.priority && !task.derivedPriority;
    if (isAuthors || found == priorities.end())
      return;
    task.priority = found->second;
    task.derivedPriority = true;
  });
}

} // namespace hetc::dependence
