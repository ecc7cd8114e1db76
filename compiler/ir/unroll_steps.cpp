#include "compiler/ir/unroll_steps.hpp"

#include <algorithm>

namespace hetc::ir {

bool StepCompiler::isOfSlice(const Program &program, const TileAccess &access) {
  return program.findMatrix(access.matrix)->isSliced() && !access.columnEnd;
}

std::vector<StepCompiler::Step> StepCompiler::compile(const Block &block) {
  std::vector<Step> steps;
  for (const Statement &statement : block)
    if (isWanted(statement))
      steps.push_back(std::visit([this](const auto &child) { return compile(*child); }, statement));
  return steps;
}

bool StepCompiler::isWanted(const Block &block) const {
  return std::ranges::any_of(block, [this](const Statement &statement) { return isWanted(statement); });
}
bool StepCompiler::isWanted(const Statement &statement) const {
  if (!tasksWanted_)
    return true;
  if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
    return isWanted((*loop)->body);
  if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
    return isWanted((*branch)->then) || isWanted((*branch)->otherwise);
  return tasksWanted_->contains(std::get<std::unique_ptr<Task>>(statement)->id);
}

CompiledExpr StepCompiler::compile(const ExprRef &expr) const { return {*expr, constants_, slots_}; }

StepCompiler::Step StepCompiler::compile(const Loop &loop) {
  Step step;
  step.loop = &loop;
  step.init = compile(loop.init);
  step.slot = slots_.size();
  slots_[loop.variable] = step.slot;
  step.condition = compile(loop.condition);
  step.next = compile(loop.next);
  step.body = compile(loop.body);
  slots_.erase(loop.variable);
  return step;
}

StepCompiler::Step StepCompiler::compile(const If &branch) {
  Step step;
  step.branch = &branch;
  step.condition = compile(branch.condition);
  step.body = compile(branch.then);
  step.otherwise = compile(branch.otherwise);
  return step;
}

StepCompiler::Step StepCompiler::compile(const Task &task) {
  Step step;
  step.task = &task;
  for (std::size_t index = 0; index < task.arguments.size(); ++index)
    if (const auto *tile = std::get_if<TileAccess>(&task.arguments[index])) {
      const auto matrix = static_cast<std::size_t>(program_.findMatrix(tile->matrix) - program_.matrices.data());
      const auto optional = [this](const ExprRef &expr) { return expr ? compile(expr) : CompiledExpr(); };
      const auto columns = [&](const ExprRef &expr) {
        return isOfSlice(program_, *tile) ? CompiledExpr() : optional(expr);
      };
      step.accesses.push_back({tile,
                               matrix,
                               index,
                               compile(tile->row),
                               optional(tile->rowEnd),
                               optional(tile->rowStep),
                               compile(tile->column),
                               optional(tile->columnEnd),
                               optional(tile->rows.first),
                               optional(tile->rows.count),
                               columns(tile->cols.first),
                               columns(tile->cols.count),
                               {}});
      for (const TileRange &range : tile->inside)
        step.accesses.back().inside.push_back(
            {compile(range.row), compile(range.rowEnd), compile(range.column), compile(range.columnEnd)});
    }
  return step;
}

} // namespace hetc::ir
