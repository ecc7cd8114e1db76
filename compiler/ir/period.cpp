#include "compiler/ir/period.hpp"

#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/simplify.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {

bool asks(const ExprRef &expr) {
  return expr &&
         ((expr->kind == ExprKind::Extent && isPeriod(expr->extent)) || std::ranges::any_of(expr->operands, asks));
}

/// The levels of a tree over the nodes of a row, or of a column.
constexpr std::size_t mostUnrolled = 32; // as many as a distance has bits

unsigned largestId(const Program &program) {
  unsigned largest = 0;
  forEachTask(program.body, [&](const Task &task) { largest = std::max(largest, task.id); });
  return largest;
}

/// Copies a program, with each of its expressions changed.
class Binder {
public:
  /// Tasks beyond the program's own are numbered from `nextId` on.
  Binder(std::int64_t p, std::int64_t q, unsigned nextId) : p_(makeInt(p)), q_(makeInt(q)), nextId_(nextId) {}

  /// Whether something was there to be replaced.
  bool found() const { return found_; }

  Matrix bind(Matrix matrix) {
    for (ExprRef *expr : {&matrix.rows, &matrix.cols, &matrix.tileRows, &matrix.tileCols})
      *expr = computed(*expr);
    for (ExprRef &argument : matrix.generatorArguments)
      argument = replaced(argument);
    return matrix;
  }

  Block bind(const Block &block) {
    Block result;
    for (const Statement &statement : block)
      std::visit([&](const auto &child) { add(*child, result); }, statement);
    return result;
  }

private:
  /// Null stays null.
  ExprRef replaced(const ExprRef &expr) { return withNumbers(expr ? substitute(expr, variables_) : expr); }
  ExprRef withNumbers(const ExprRef &expr) {
    if (!asks(expr))
      return expr;
    found_ = true;
    if (expr->kind == ExprKind::Extent && isPeriod(expr->extent))
      return expr->extent == Extent::P ? p_ : q_;
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprRef &operand : copy->operands)
      operand = withNumbers(operand);
    return copy;
  }
  ExprRef computed(const ExprRef &expr) {
    const ExprRef result = replaced(expr);
    return result == expr ? expr : simplify(result);
  }

  void add(const Loop &loop, Block &out) {
    const ExprRef init = computed(loop.init);
    if (const auto values = valuesOf(loop, init)) {
      for (const std::int64_t value : *values) {
        variables_[loop.variable] = makeInt(value);
        Block body = bind(loop.body);
        copies_ += !body.empty();
        std::ranges::move(body, std::back_inserter(out));
      }
      variables_.erase(loop.variable);
      return;
    }
    auto copy = std::make_unique<Loop>();
    copy->variable = copies_ ? loop.variable + "__" + std::to_string(copies_) : loop.variable;
    if (copies_)
      variables_[loop.variable] = makeVar(copy->variable);
    copy->init = init;
    copy->condition = computed(loop.condition);
    copy->next = computed(loop.next);
    copy->body = bind(loop.body);
    copy->location = loop.location;
    variables_.erase(loop.variable);
    out.push_back(std::move(copy));
  }

  /// The values of the variable, one after the other, in a loop whose steps are not equal and that numbers decide: as
  /// in a tree over the p rows of nodes. Nothing for other loops, which stay loops.
  std::optional<std::vector<std::int64_t>> valuesOf(const Loop &loop, const ExprRef &init) {
    const ExprRef condition = computed(loop.condition), next = computed(loop.next);
    std::optional<std::int64_t> value = evaluate(*init, {});
    if (stepSize(loop).size || !value)
      return std::nullopt;
    std::vector<std::int64_t> values;
    Environment environment;
    for (;;) {
      environment.variables[loop.variable] = *value;
      const auto goesOn = evaluate(*condition, environment);
      if (!goesOn || values.size() > mostUnrolled)
        return std::nullopt;
      if (!*goesOn)
        return values;
      values.push_back(*value);
      value = evaluate(*next, environment);
      if (!value)
        return std::nullopt;
    }
  }

  void add(const If &branch, Block &out) {
    const ExprRef condition = computed(branch.condition);
    if (const auto value = evaluate(*condition, {})) { // also of arguments that calls inside the program fix
      std::ranges::move(bind(*value ? branch.then : branch.otherwise), std::back_inserter(out));
      return;
    }
    auto copy = std::make_unique<If>();
    copy->condition = condition;
    copy->then = bind(branch.then);
    copy->otherwise = bind(branch.otherwise);
    copy->location = branch.location;
    out.push_back(std::move(copy));
  }

  void add(const Task &task, Block &out) {
    auto copy = std::make_unique<Task>(task);
    for (Argument &argument : copy->arguments)
      if (auto *tile = std::get_if<TileAccess>(&argument))
        bind(*tile);
      else
        argument = replaced(std::get<ExprRef>(argument));
    for (TileAccess &tile : copy->releases)
      bind(tile);
    copy->priority = computed(task.priority);
    copy->origin = task.origin.value_or(task.id);
    copy->variables = variables_;
    if (copies_)
      copy->id = nextId_++;
    out.push_back(std::move(copy));
  }

  void add(const Call &call, Block &out) {
    auto copy = std::make_unique<Call>(call);
    for (ExprRef &argument : copy->arguments)
      argument = computed(argument);
    out.push_back(std::move(copy));
  }

  void bind(TileAccess &tile) {
    forEachExpr(tile, [this](ExprRef &expr) { expr = computed(expr); });
    if (tile.rowStep && tile.rowStep->kind == ExprKind::Int && tile.rowStep->value == 1)
      tile.rowStep = nullptr;
  }

  const ExprRef p_, q_;
  unsigned nextId_;
  std::map<std::string, ExprRef> variables_; ///< values of those variables of the loops around that are replaced here
  unsigned copies_ = 0;                      ///< bodies of unrolled loops that are complete: names must be new
  bool found_ = false;
};

} // namespace

Program bindPeriod(const Program &program, std::int64_t p, std::int64_t q) {
  Binder binder(p, q, largestId(program) + 1);
  Program result;
  static_cast<Declarations &>(result) = program;
  for (Matrix &matrix : result.matrices)
    matrix = binder.bind(std::move(matrix));
  result.body = binder.bind(program.body);
  return result;
}

bool asksPeriod(const Program &program) {
  Binder binder(1, 1, 0);
  for (const Matrix &matrix : program.matrices)
    binder.bind(Matrix(matrix));
  binder.bind(program.body);
  for (const Function &function : program.functions)
    binder.bind(function.body);
  return binder.found();
}

} // namespace hetc::ir
