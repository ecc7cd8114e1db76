#include "runtime/core/run/staging.hpp"

#include <utility>

namespace tla::runtime {

StagedArguments::StagedArguments(const Stages &stages, const Arguments &arguments)
    : matrices_(arguments.matrices, arguments.matrices + stages.matrices), call_(arguments) {
  for (int number = 0; number < stages.held; ++number) {
    held_.emplace_back(stages.makeHeld({matrices_.data(), arguments.scalars}, number));
    if (stages.matrices > 0) // as those that a program makes in a PeriodScope
      held_.back()->setPeriod(matrices_[0]->period());
    matrices_.push_back(&*held_.back());
  }
}

StageSequence::StageSequence(const Stages &stages, StagedArguments &arguments)
    : stages_(stages), arguments_(arguments), iterations_(stages.iterations(arguments.of({}))) {}

bool StageSequence::next() {
  switch (stage_.part) {
  case -1:
    stage_.part = Stage::Before;
    return true;
  case Stage::First:
    if (isDone_)
      break;
    stage_.part = Stage::Second;
    ++stage_.ended;
    return true;
  case Stage::Before:
  case Stage::Second:
    if (beginIteration())
      return true;
    break;
  default:
    return false;
  }
  stage_.part = Stage::After;
  return true;
}

bool StageSequence::beginIteration() {
  if (stage_.begun >= iterations_)
    return false;
  stage_.part = Stage::First;
  stage_.at = stages_.variable(arguments_.of(stage_), stage_.begun);
  ++stage_.begun;
  return true;
}

void generateStages(Generator &tasks, const Arguments &arguments, const Stages &stages,
                    void (*generate)(Generator &, const Arguments &)) {
  if (arguments.stage)
    return generate(tasks, arguments);
  StagedArguments staged(stages, arguments);
  for (const StorageRef &held : staged.held())
    tasks.keep(held);
  StageSequence sequence(stages, staged);
  while (!tasks.stopped() && sequence.next())
    generate(tasks, staged.of(sequence.stage()));
}

long countStages(const Arguments &arguments, const Stages &stages, long (*count)(const Arguments &)) {
  if (arguments.stage)
    return count(arguments);
  StagedArguments staged(stages, arguments);
  long sum = 0;
  for (StageSequence sequence(stages, staged); sequence.next();)
    sum += count(staged.of(sequence.stage()));
  return sum;
}

void forEachStage(const Algorithm &algorithm, const Arguments &arguments,
                  const std::function<bool(const Arguments &)> &visit, int iterations) {
  if (!algorithm.stages || arguments.stage) {
    visit(arguments);
    return;
  }
  StagedArguments staged(*algorithm.stages, arguments);
  for (StageSequence sequence(*algorithm.stages, staged); sequence.next();) {
    if (sequence.stage().part == Stage::First && sequence.stage().begun == iterations)
      sequence.done();
    if (!visit(staged.of(sequence.stage())))
      return;
  }
}

} // namespace tla::runtime
