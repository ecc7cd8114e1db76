#include "compiler/ir/unroll.hpp"
#include "compiler/ir/compiled_expr.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/unroll_steps.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {
/// Leaves the walk at any depth; becomes the UnrollError that unroll() returns.
struct Stop {
  UnrollError error;
};

/// Leaves it because the visitor has seen enough.
struct Enough {};

struct Dimensions {
  std::int64_t m = 0, n = 0, mb = 1, nb = 1, mt = 0, nt = 0, ns = 0;
};

std::int64_t tiles(std::int64_t elements, std::int64_t each) { return elements <= 0 ? 0 : (elements - 1) / each + 1; }

class Unroller {
public:
  using Ends = std::map<const Loop *, LoopEnd>;
  /// `tasks`: those that are visited; null: all.
  Unroller(const Program &program, const Ends &ends, const Sizes &sizes, std::size_t limit,
           const std::set<unsigned> *tasks = nullptr)
      : program_(program), ends_(ends), tasksWanted_(tasks), limit_(limit),
        maxIterations_(8 * std::min<std::size_t>(limit, 1'000'000'000'000) + 1'000'000) {
    bindSizes(sizes);
    sliceWidth_ = sizes.sliceWidth;
    p_ = sizes.p;
    q_ = sizes.q;
    if (program.slices > 1 && (sliceWidth_ <= 0 || sizes.nb <= (program.slices - 1) * sliceWidth_))
      throw Stop{{"tiles of " + std::to_string(sizes.nb) + " columns have no room for " +
                      std::to_string(program.slices - 1) + " slices of " + std::to_string(sliceWidth_) +
                      " and one more",
                  {}}};
    dimensions_.resize(program.matrices.size());
    for (const bool workspaces : {false, true}) // a workspace's size may name matrices behind it
      for (std::size_t index = 0; index < program.matrices.size(); ++index)
        if ((program.matrices[index].kind == MatrixKind::Workspace) == workspaces)
          bindMatrix(index, sizes.nb);
    for (const std::string &size : program.sizes) // not visible in the body
      if (!program.findScalar(size))
        constants_.variables.erase(size);
  }

  const Environment &constants() const { return constants_; }

  std::vector<TaskInstance> run() {
    visit([&](TaskInstance &&instance) { instances_.push_back(std::move(instance)); });
    return std::move(instances_);
  }

  void visit(const std::function<void(TaskInstance &&)> &visit) {
    visit_ = visit;
    const std::vector<Step> steps = StepCompiler(program_, constants_, tasksWanted_).compile(program_.body);
    runBlock(steps);
  }

private:
  using Step = StepCompiler::Step;
  using Access = StepCompiler::Access;
  using Range = StepCompiler::Range;

  void bindSizes(const Sizes &sizes) {
    if (sizes.nb <= 0)
      throw Stop{{"the tile size nb must be positive, not " + std::to_string(sizes.nb), {}}};
    constants_.variables = sizes.values;
    for (const auto &[name, value] : program_.sizeDefaults)
      bindDefault(name, value);
    for (const Scalar &scalar : program_.scalars)
      bindDefault(scalar.name, scalar.defaultValue);
  }

  void bindDefault(const std::string &name, const ExprRef &value) {
    if (!value || constants_.variables.contains(name))
      return;
    if (const std::optional<std::int64_t> number = evaluate(*value, constants_))
      constants_.variables[name] = *number;
  }

  void bindMatrix(std::size_t index, std::int64_t nb) {
    const Matrix &matrix = program_.matrices[index];
    const auto size = [&](const ExprRef &expr) { return value(CompiledExpr(*expr, constants_, {}), matrix.location); };
    Dimensions dimensions{size(matrix.rows), size(matrix.cols), nb, nb, 0, 0, 0};
    if (matrix.isCut()) {
      dimensions.mb = dimensions.nb = std::max<std::int64_t>(1, size(matrix.tileRows));
    } else if (matrix.kind == MatrixKind::Workspace) {
      dimensions.mb = std::max<std::int64_t>(1, size(matrix.tileRows));
      dimensions.nb = std::max<std::int64_t>(1, size(matrix.tileCols));
      if (__builtin_mul_overflow(dimensions.m, dimensions.mb, &dimensions.m) ||
          __builtin_mul_overflow(dimensions.n, dimensions.nb, &dimensions.n))
        throw Stop{{"workspace '" + matrix.name + "' is too large", matrix.location}};
    }
    dimensions.mt = tiles(dimensions.m, dimensions.mb);
    dimensions.nt = tiles(dimensions.n, dimensions.nb);
    dimensions.ns = slicesOf(matrix, dimensions);
    const auto bind = [&](Extent extent, std::int64_t value) { constants_.extents[{matrix.name, extent}] = value; };
    bind(Extent::M, dimensions.m);
    bind(Extent::N, dimensions.n);
    bind(Extent::Mb, dimensions.mb);
    bind(Extent::Nb, dimensions.nb);
    bind(Extent::P, p_);
    bind(Extent::Q, q_);
    bind(Extent::Mt, dimensions.mt);
    bind(Extent::Nt, dimensions.nt);
    bind(Extent::Ns, dimensions.ns);
    bind(Extent::Has, static_cast<std::int64_t>(matrix.kind));
    dimensions_[index] = dimensions;
  }

  /// Slice columns; those of whole tiles are the tiles.
  std::int64_t slicesOf(const Matrix &matrix, const Dimensions &size) const {
    if (!matrix.isSliced() || size.nt == 0)
      return size.nt;
    const std::int64_t last = size.n - (size.nt - 1) * size.nb;
    return (size.nt - 1) * program_.slices + std::min<std::int64_t>(program_.slices, tiles(last, sliceWidth_));
  }

  std::int64_t value(const CompiledExpr &expr, const Location &location) const {
    try {
      return expr(values_);
    } catch (const EvaluationError &error) {
      throw Stop{{error.what() + circumstances(), location}};
    }
  }

  /// " for k = 0, i = 3": the loops around the current point.
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
      else
        runTask(step);
    }
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
    if (source.cols.first && !StepCompiler::isOfSlice(program_, source))
      checkStrip("columns", {access.firstColumn, access.columnCount}, columnsOfTile(access.matrix, column), location);
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
  std::function<void(TaskInstance &&)> visit_;
  std::int64_t sliceWidth_ = 1, p_ = 1, q_ = 1;
  Environment constants_;
  std::vector<Dimensions> dimensions_;
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
