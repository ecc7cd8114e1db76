// The statements of a program with their expressions compiled for one set of sizes: the form in which they are
// unrolled.
#pragma once

#include "compiler/ir/compiled_expr.hpp"
#include "compiler/ir/program.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hetc::ir {

class StepCompiler {
public:
  struct Range { // TileRange
    CompiledExpr row, rowEnd, column, columnEnd;
  };
  struct Access {
    const TileAccess *source;
    std::size_t matrix, argument;
    CompiledExpr row, rowEnd, rowStep, column, columnEnd;
    CompiledExpr firstRow, rowCount, firstColumn, columnCount; ///< bounds of a view
    std::vector<Range> inside;
  };
  /// A statement with its expressions compiled: a loop (init, condition, next), an if (condition) or a task.
  struct Step {
    const Loop *loop = nullptr;
    const If *branch = nullptr;
    const Task *task = nullptr;
    std::size_t slot = 0;
    CompiledExpr init, condition, next;
    std::vector<Step> body, otherwise;
    std::vector<Access> accesses;
    const Location &location() const { return loop ? loop->location : branch ? branch->location : task->location; }
  };

  /// `constants`: the values of sizes and extents. `tasks`: those that become steps, with the loops around them; null:
  /// all. Borrows its arguments.
  StepCompiler(const Program &program, const Environment &constants, const std::set<unsigned> *tasks)
      : program_(program), constants_(constants), tasksWanted_(tasks) {}

  std::vector<Step> compile(const Block &block);

  /// Views of a slice by columns are a split rule's, in numbers that only the run knows.
  static bool isOfSlice(const Program &program, const TileAccess &access);

private:
  bool isWanted(const Block &block) const;
  bool isWanted(const Statement &statement) const;
  CompiledExpr compile(const ExprRef &expr) const;
  Step compile(const Loop &loop);
  Step compile(const If &branch);
  Step compile(const Task &task);

  const Program &program_;
  const Environment &constants_;
  const std::set<unsigned> *tasksWanted_;
  std::map<std::string, std::size_t> slots_; ///< slots of the loops around the statement being compiled
};

inline bool StepCompiler::isOfSlice(const Program &program, const TileAccess &access) {
  return program.findMatrix(access.matrix)->isSliced() && !access.columnEnd;
}

inline std::vector<StepCompiler::Step> StepCompiler::compile(const Block &block) {
  std::vector<Step> steps;
  for (const Statement &statement : block)
    if (isWanted(statement))
      steps.push_back(std::visit([this](const auto &child) { return compile(*child); }, statement));
  return steps;
}

inline bool StepCompiler::isWanted(const Block &block) const {
  return std::ranges::any_of(block, [this](const Statement &statement) { return isWanted(statement); });
}
inline bool StepCompiler::isWanted(const Statement &statement) const {
  if (!tasksWanted_)
    return true;
  if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
    return isWanted((*loop)->body);
  if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
    return isWanted((*branch)->then) || isWanted((*branch)->otherwise);
  return tasksWanted_->contains(std::get<std::unique_ptr<Task>>(statement)->id);
}

inline CompiledExpr StepCompiler::compile(const ExprRef &expr) const { return {*expr, constants_, slots_}; }

inline StepCompiler::Step StepCompiler::compile(const Loop &loop) {
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

inline StepCompiler::Step StepCompiler::compile(const If &branch) {
  Step step;
  step.branch = &branch;
  step.condition = compile(branch.condition);
  step.body = compile(branch.then);
  step.otherwise = compile(branch.otherwise);
  return step;
}

inline StepCompiler::Step StepCompiler::compile(const Task &task) {
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
