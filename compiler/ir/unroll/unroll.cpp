#include "compiler/ir/unroll.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/unroll/bound_sizes.hpp"
#include "compiler/ir/unroll/compiled_expr.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {
/// Leaves the walk because the visitor has seen enough.
struct Enough {};

class Unroller {
public:
  using Ends = std::map<const Loop *, LoopEnd>;
  /// `tasks`: those that are visited; null: all.
  Unroller(const Program &program, const Ends &ends, const Sizes &sizes, std::size_t limit,
           const std::set<unsigned> *tasks = nullptr)
      : program_(program), ends_(ends), tasksWanted_(tasks), limit_(limit),
        maxIterations_(8 * std::min<std::size_t>(limit, 1'000'000'000'000) + 1'000'000),
        sizes_(bindMatrices(program, sizes)), constants_(sizes_.names), dimensions_(sizes_.dimensions) {}

  const Environment &constants() const { return constants_; }

  std::vector<TaskInstance> run() {
    visit([&](TaskInstance &&instance) { instances_.push_back(std::move(instance)); });
    return std::move(instances_);
  }

  void visit(const std::function<void(TaskInstance &&)> &visit) {
    visit_ = visit;
    for (const Function &function : program_.functions)
      functions_[function.name] = compile(function);
    const std::vector<Step> steps = compile(program_.body);
    runBlock(steps);
  }

private:
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
    const Call *call = nullptr;
    std::size_t slot = 0;
    CompiledExpr init, condition, next;
    std::vector<Step> body, otherwise;
    std::vector<Access> accesses;
    std::vector<CompiledExpr> arguments;
    const Location &location() const {
      return loop ? loop->location : branch ? branch->location : call ? call->location : task->location;
    }
  };
  /// A function with its steps; its parameters have the first slots.
  struct Compiled {
    const Function *source = nullptr;
    std::vector<Step> steps;
  };

  std::vector<Step> compile(const Block &block) {
    std::vector<Step> steps;
    for (const Statement &statement : block)
      if (isWanted(statement))
        steps.push_back(std::visit([this](const auto &child) { return compile(*child); }, statement));
    return steps;
  }

  bool isWanted(const Block &block) const {
    return std::ranges::any_of(block, [this](const Statement &statement) { return isWanted(statement); });
  }
  bool isWanted(const Statement &statement) const {
    if (!tasksWanted_)
      return true;
    if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
      return isWanted((*loop)->body);
    if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
      return isWanted((*branch)->then) || isWanted((*branch)->otherwise);
    if (std::holds_alternative<std::unique_ptr<Call>>(statement))
      return true; // whose tasks are the function's
    return tasksWanted_->contains(std::get<std::unique_ptr<Task>>(statement)->id);
  }

  CompiledExpr compile(const ExprRef &expr) const { return {*expr, constants_, slots_}; }

  Step compile(const Loop &loop) {
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

  Step compile(const If &branch) {
    Step step;
    step.branch = &branch;
    step.condition = compile(branch.condition);
    step.body = compile(branch.then);
    step.otherwise = compile(branch.otherwise);
    return step;
  }

  Step compile(const Call &call) {
    Step step;
    step.call = &call;
    for (const ExprRef &argument : call.arguments)
      step.arguments.push_back(compile(argument));
    return step;
  }

  Compiled compile(const Function &function) {
    for (const std::string &name : function.parameters)
      slots_.emplace(name, slots_.size());
    Compiled compiled{&function, compile(function.body)};
    slots_.clear();
    return compiled;
  }

  Step compile(const Task &task) {
    Step step;
    step.task = &task;
    for (std::size_t index = 0; index < task.arguments.size(); ++index)
      if (const auto *tile = std::get_if<TileAccess>(&task.arguments[index])) {
        const auto matrix = static_cast<std::size_t>(program_.findMatrix(tile->matrix) - program_.matrices.data());
        const auto optional = [this](const ExprRef &expr) { return expr ? compile(expr) : CompiledExpr(); };
        const auto columns = [&](const ExprRef &expr) { return isOfSlice(*tile) ? CompiledExpr() : optional(expr); };
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

  std::int64_t value(const CompiledExpr &expr, const Location &location) const {
    try {
      return expr(values_);
    } catch (const EvaluationError &error) {
      throw Stop{{error.what() + circumstances(), location}};
    }
  }

  /// " for k = 0, i = 3": the loops around the current point; in a function its parameters, too.
  std::string circumstances() const {
    std::string result;
    for (std::size_t index = 0; index < values_.size(); ++index)
      result += (index ? ", " : " for ") + variables_[index] + " = " + std::to_string(values_[index]);
    return result;
  }

  void runBlock(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (step.loop)
        runLoop(step);
      else if (step.branch)
        runBlock(value(step.condition, step.location()) ? step.body : step.otherwise);
      else if (step.call)
        runCall(step);
      else
        runTask(step);
    }
  }

  /// The loops around the call are not those around the callee's tasks.
  void runCall(const Step &step) {
    const Compiled &callee = functions_.at(step.call->function);
    std::vector<std::int64_t> values;
    for (const CompiledExpr &argument : step.arguments)
      values.push_back(value(argument, step.location()));
    constexpr std::ptrdiff_t mostBytes = 4 << 20; // of this thread's stack, which grows down
    const auto *const here = static_cast<const char *>(__builtin_frame_address(0));
    firstFrame_ = calls_ == 0 ? here : firstFrame_;
    if (calls_ == mostCalls || firstFrame_ - here > mostBytes)
      throw Stop{{"more than " + std::to_string(calls_) + " calls of '" + callee.source->algorithm +
                      "' are inside one another",
                  step.location()}};
    ++calls_;
    if (++iterations_ > maxIterations_)
      throw Stop{{"the calls of '" + callee.source->algorithm + "' do not end", step.location()}};
    std::vector<std::string> variables = callee.source->parameters;
    values.swap(values_);
    variables.swap(variables_);
    runBlock(callee.steps);
    values.swap(values_);
    variables.swap(variables_);
    --calls_;
  }

  void runLoop(const Step &step) {
    const std::int64_t first = value(step.init, step.location());
    values_.push_back(first);
    variables_.push_back(step.loop->variable);
    const std::string endless = "loop '" + step.loop->variable + "' does not end";
    int direction = ends_.at(step.loop).direction;
    while (value(step.condition, step.location())) {
      runBlock(step.body);
      const std::int64_t next = value(step.next, step.location()), last = values_[step.slot];
      direction = direction ? direction : next > last ? 1 : -1;
      if (direction > 0 ? next <= last : next >= last)
        throw Stop{{endless + ": its step '" + printStep(*step.loop) + "' takes it from " + std::to_string(last) +
                        " to " + std::to_string(next),
                    step.location()}};
      if (++iterations_ > maxIterations_)
        throw Stop{{endless, step.location()}};
      values_[step.slot] = next;
    }
    variables_.pop_back();
    values_.pop_back();
  }

  void runTask(const Step &step) {
    if (tasks_++ == limit_)
      throw Stop{{"more than " + std::to_string(limit_) + " tasks", step.location()}};
    TaskInstance instance;
    instance.task = step.task;
    instance.indices = values_;
    instance.uses.reserve(step.accesses.size());
    for (const Access &access : step.accesses)
      addUses(access, instance);
    visit_(std::move(instance));
  }

  void addUses(const Access &access, TaskInstance &instance) const {
    const TileAccess &source = *access.source;
    const Location &location = source.location == Location() ? instance.task->location : source.location;
    const std::int64_t row = value(access.row, location), column = value(access.column, location);
    const std::int64_t end = source.rowEnd ? value(access.rowEnd, location) : row + 1;
    const std::int64_t columnEnd = source.columnEnd ? value(access.columnEnd, location) : column + 1;
    const std::int64_t step = source.rowStep ? value(access.rowStep, location) : 1;
    if (step < 1)
      throw Stop{{"the step of a panel is " + std::to_string(step) + circumstances(), location}};
    for (std::int64_t i = row; i < end; i += step)
      for (std::int64_t j = column; j < columnEnd; ++j) {
        for (const Range &range : access.inside)
          checkInside(access.matrix, i, j, range, location);
        checkInside(access.matrix, i, j, location);
        instance.uses.push_back({{access.matrix, i, j, source.touched()}, source.access, access.argument});
      }
    const Dimensions &size = dimensions_[access.matrix];
    if (source.rows.first)
      checkStrip("rows", {access.firstRow, access.rowCount}, std::min(size.mb, size.m - row * size.mb), location);
    if (source.cols.first && !isOfSlice(source))
      checkStrip("columns", {access.firstColumn, access.columnCount}, columnsOfTile(access.matrix, column), location);
  }

  /// Views of a slice by columns are a split rule's, in numbers that only the run knows.
  bool isOfSlice(const TileAccess &access) const {
    return program_.findMatrix(access.matrix)->isSliced() && !access.columnEnd;
  }

  std::int64_t columnsOfTile(std::size_t matrix, std::int64_t column) const {
    const Dimensions &size = dimensions_[matrix];
    const std::int64_t tile = program_.matrices[matrix].isSliced() ? column / program_.slices : column;
    return std::min(size.nb, size.n - tile * size.nb);
  }

  void checkStrip(const std::string &what, const std::pair<const CompiledExpr &, const CompiledExpr &> &strip,
                  std::int64_t size, const Location &location) const {
    const std::int64_t first = value(strip.first, location), count = value(strip.second, location);
    if (first < 0 || count < 0 || first > size - count)
      throw Stop{{std::to_string(count) + " " + what + " from " + std::to_string(first) + " on are outside the " +
                      std::to_string(size) + " of the tile" + circumstances(),
                  location}};
  }

  void checkInside(std::size_t index, std::int64_t i, std::int64_t j, const Range &range,
                   const Location &location) const {
    const std::int64_t row = value(range.row, location), rowEnd = value(range.rowEnd, location),
                       column = value(range.column, location), columnEnd = value(range.columnEnd, location);
    if (row <= i && i < rowEnd && column <= j && j < columnEnd)
      return;
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    const std::string &name = program_.matrices[index].name;
    throw Stop{{name + "(" + text(i) + ", " + text(j) + ") is outside " + name + ".tiles(" + text(row) + ", " +
                    text(rowEnd) + ", " + text(column) + ", " + text(columnEnd) + ")" + circumstances(),
                location}};
  }

  void checkInside(std::size_t index, std::int64_t i, std::int64_t j, const Location &location) const {
    const Matrix &matrix = program_.matrices[index];
    const Dimensions &size = dimensions_[index];
    const bool inside = i >= 0 && j >= 0 && i < size.mt && j < size.ns;
    const std::int64_t tileColumn = matrix.isSliced() ? j / program_.slices : j;
    const bool stored = matrix.kind == MatrixKind::Lower   ? i >= tileColumn
                        : matrix.kind == MatrixKind::Upper ? i <= tileColumn
                                                           : true;
    if (inside && stored)
      return;
    const std::string tile = matrix.name + "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
    const std::string grid = std::to_string(size.mt) + " x " + std::to_string(size.ns) +
                             (matrix.isSliced() ? " slices of " : " tiles of ") + matrix.name;
    const std::string triangle = matrix.kind == MatrixKind::Lower ? "lower" : "upper";
    throw Stop{{tile + " is outside the " + (inside ? triangle + " triangle of the " : "") + grid + circumstances(),
                location}};
  }

  const Program &program_;
  const Ends &ends_;
  const std::set<unsigned> *tasksWanted_;
  std::size_t limit_, maxIterations_, iterations_ = 0, tasks_ = 0;
  std::map<std::string, Compiled> functions_;
  int calls_ = 0;                    ///< calls of functions that are being run, one inside the other
  const char *firstFrame_ = nullptr; ///< a place in the frame of the first of them
  std::function<void(TaskInstance &&)> visit_;
  const BoundSizes sizes_;
  const Environment &constants_;
  const std::vector<Dimensions> &dimensions_;
  std::map<std::string, std::size_t> slots_; ///< slots of the loops around the statement being compiled
  std::vector<std::int64_t> values_; ///< values of the variables of the loops around the statement being run, by slot
  std::vector<std::string> variables_;
  std::vector<TaskInstance> instances_;
};
} // namespace

std::variant<Environment, UnrollError> bindSizes(const Program &program, const Sizes &sizes) {
  try {
    return Unroller(program, Unroller::Ends(), sizes, 0).constants(); // which runs no loop
  } catch (Stop &stop) {
    return std::move(stop.error);
  }
}

/// Visits until the visitor has seen enough.
static std::optional<UnrollError> visitUntil(const std::function<void()> &walk) {
  try {
    walk();
  } catch (const Enough &) {
  } catch (Stop &stop) {
    return std::move(stop.error);
  }
  return std::nullopt;
}

static void visitInstances(Unroller &unroller, const VisitInstance &visit) {
  unroller.visit([&](TaskInstance &&instance) {
    if (!visit(instance))
      throw Enough();
  });
}

std::optional<UnrollError> forEachInstance(const Program &program, const Sizes &sizes, std::size_t limit,
                                           const VisitInstance &visit) {
  return visitUntil([&] {
    const Unroller::Ends ends = loopEnds(program);
    Unroller unroller(program, ends, sizes, limit);
    visitInstances(unroller, visit);
  });
}

std::optional<UnrollError> TaskSearch::forEachInstance(const Sizes &sizes, std::size_t limit,
                                                       const std::set<unsigned> &tasks, const AcceptSizes &accept,
                                                       const VisitInstance &visit) const {
  return visitUntil([&] {
    Unroller unroller(program_, ends_, sizes, limit, &tasks);
    if (accept(unroller.constants()))
      visitInstances(unroller, visit);
  });
}

std::variant<std::vector<TaskInstance>, UnrollError> unroll(const Program &program, const Sizes &sizes,
                                                            std::size_t limit) {
  try {
    const Unroller::Ends ends = loopEnds(program);
    return Unroller(program, ends, sizes, limit).run();
  } catch (Stop &stop) {
    return std::move(stop.error);
  }
}

} // namespace hetc::ir
