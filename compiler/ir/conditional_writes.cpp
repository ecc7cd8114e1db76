#include "compiler/ir/conditional_writes.hpp"

#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/simplify.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::ir {

namespace {

/// The value of a constant that is a small integer in every type: 0, T(1), -1.0.
std::optional<std::int64_t> smallInteger(const Expr &expr) {
  constexpr std::int64_t exactInFloat = 1 << 24;
  if (expr.kind == ExprKind::Real) {
    char *end = nullptr;
    const double value = std::strtod(expr.text.c_str(), &end);
    const bool isSmall = value >= -exactInFloat && value <= exactInFloat;
    return *end == 0 && isSmall && value == static_cast<double>(static_cast<std::int64_t>(value))
               ? std::optional(static_cast<std::int64_t>(value))
               : std::nullopt;
  }
  if (expr.kind == ExprKind::Cast) // to a type of numbers, each of which has it
    return castType(expr.text, ElementType::D) ? smallInteger(*expr.operands[0]) : std::nullopt;
  if (expr.kind == ExprKind::Neg) {
    const auto value = smallInteger(*expr.operands[0]);
    return value ? std::optional(-*value) : std::nullopt;
  }
  const auto value = evaluate(expr, {});
  return value && *value >= -exactInFloat && *value <= exactInFloat ? value : std::nullopt;
}

/// Integers, sizes and options, of which programs may have conditions.
bool isInteger(const Declarations &program, const Expr &expr) {
  if (expr.kind == ExprKind::Real || expr.kind == ExprKind::Cast)
    return false;
  if (expr.kind == ExprKind::Var)
    if (const Scalar *scalar = program.findScalar(expr.text); scalar && castType(scalar->type, program.type))
      return scalar->type == castName(ElementType::I, program.type);
  return std::ranges::all_of(expr.operands, [&](const ExprRef &operand) { return isInteger(program, *operand); });
}

/// The choice that decides a number: c ? T(a) : T(b) of T(c ? a : b); null: there is none.
ExprRef choiceIn(const ExprRef &number) {
  if (number->kind == ExprKind::Select)
    return number;
  const bool isAround = number->kind == ExprKind::Cast || number->kind == ExprKind::Neg;
  const ExprRef choice = isAround ? choiceIn(number->operands[0]) : nullptr;
  if (!choice)
    return nullptr;
  const auto around = [&](const ExprRef &value) {
    return number->kind == ExprKind::Cast ? makeCast(number->text, value) : makeUnary(ExprKind::Neg, value);
  };
  return makeSelect(choice->operands[0], around(choice->operands[1]), around(choice->operands[2]));
}

/// Conditions as ones of integers.
class Decider {
public:
  /// Decides conditions; a part of one that depends on a number's value becomes `otherwise`, which may be null.
  Decider(const Declarations &program, ExprRef otherwise) : program_(program), otherwise_(std::move(otherwise)) {}

  /// A condition on integers that equals this one, constant where constants decide it. Undecided parts become
  /// `otherwise`; where that is null the result is null.
  ExprRef decide(const ExprRef &condition) const {
    switch (condition->kind) {
    case ExprKind::Int:
      return makeInt(condition->value != 0);
    case ExprKind::Not: {
      const ExprRef operand = Decider(program_, nullptr).decide(condition->operands[0]);
      return operand ? simplify(makeUnary(ExprKind::Not, operand)) : otherwise_;
    }
    case ExprKind::And:
    case ExprKind::Or: {
      const ExprRef left = decide(condition->operands[0]), right = decide(condition->operands[1]);
      return left && right ? simplify(makeBinary(condition->kind, left, right)) : nullptr;
    }
    default:
      return isComparison(condition->kind) ? compare(condition->kind, condition->operands[0], condition->operands[1])
                                           : otherwise_;
    }
  }

private:
  ExprRef compare(ExprKind kind, const ExprRef &left, const ExprRef &right) const {
    const auto a = smallInteger(*left), b = smallInteger(*right);
    if (a && b)
      return makeInt(*evaluate(*makeBinary(kind, makeInt(*a), makeInt(*b)), {}));
    const ExprRef comparison = makeBinary(kind, left, right);
    if (isInteger(program_, *comparison))
      return simplify(comparison);
    if (const ExprRef choice = choiceIn(left))
      return choose(choice->operands[0], compare(kind, choice->operands[1], right),
                    compare(kind, choice->operands[2], right));
    if (const ExprRef choice = choiceIn(right))
      return choose(choice->operands[0], compare(kind, left, choice->operands[1]),
                    compare(kind, left, choice->operands[2]));
    return otherwise_;
  }

  ExprRef choose(const ExprRef &condition, const ExprRef &then, const ExprRef &otherwise) const {
    if (!then || !otherwise || !isInteger(program_, *condition))
      return otherwise_;
    if (then->kind != ExprKind::Int || otherwise->kind != ExprKind::Int)
      return simplify(makeBinary(ExprKind::Or, makeBinary(ExprKind::And, condition, then),
                                 makeBinary(ExprKind::And, makeUnary(ExprKind::Not, condition), otherwise)));
    return then->value == otherwise->value ? then
           : then->value                   ? condition
                                           : simplify(makeUnary(ExprKind::Not, condition));
  }

  const Declarations &program_;
  const ExprRef otherwise_;
};

/// The condition of a kernel on its scalars, with the call's values in their place.
ExprRef ofCall(const ExprRef &condition, const Kernel &kernel, const Task &task) {
  std::map<std::string, ExprRef> values;
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (const auto *value = std::get_if<ExprRef>(&task.arguments[i]))
      values[kernel.parameters[i].name] = *value;
  return substitute(condition, values);
}

/// The expression where it is known whether a condition holds.
ExprRef assume(const ExprRef &expr, const ExprRef &condition, bool holds) {
  if (condition->kind == ExprKind::Not)
    return assume(expr, condition->operands[0], !holds);
  if (equal(*expr, *condition))
    return makeInt(holds);
  auto result = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : result->operands)
    operand = assume(operand, condition, holds);
  const bool isDecided = expr->kind == ExprKind::Select && result->operands[0]->kind == ExprKind::Int;
  return isDecided ? result->operands[result->operands[0]->value ? 1 : 2] : result;
}

/// One call.
class Appender {
public:
  Appender(const Declarations &program, const Kernel &kernel, unsigned &next)
      : program_(program), kernel_(kernel), next_(next) {}

  /// Appends the call with the accesses of the arguments from the first open one on.
  void append(Block &block, std::unique_ptr<Task> task, std::size_t open) {
    for (; open < task->arguments.size(); ++open) {
      auto *tile = std::get_if<TileAccess>(&task->arguments[open]);
      if (!tile || tile->access != Access::ReadWrite || tile->isPartial())
        continue;
      const ExprRef where = whereOnlyWritten(program_, kernel_, *task, open);
      if (where->kind != ExprKind::Int)
        return appendCases(block, *task, open, where);
      if (where->value)
        tile->access = Access::Write;
    }
    task->id = next_++;
    block.push_back(std::move(task));
  }

private:
  void appendCases(Block &block, const Task &task, std::size_t argument, const ExprRef &where) {
    auto branch = std::make_unique<If>();
    branch->condition = where;
    branch->location = task.location;
    std::unique_ptr<Task> writes = inCase(task, where, true), reads = inCase(task, where, false);
    std::get<TileAccess>(writes->arguments[argument]).access = Access::Write;
    append(branch->then, std::move(writes), argument + 1);
    append(branch->otherwise, std::move(reads), argument + 1);
    block.push_back(std::move(branch));
  }

  const Declarations &program_;
  const Kernel &kernel_;
  unsigned &next_;
};

} // namespace

std::unique_ptr<Task> inCase(const Task &task, const ExprRef &condition, bool holds) {
  auto result = std::make_unique<Task>(task);
  for (Argument &argument : result->arguments)
    if (auto *value = std::get_if<ExprRef>(&argument))
      *value = assume(*value, condition, holds);
  return result;
}

ExprRef whereOnlyWritten(const Declarations &program, const Kernel &kernel, const Task &task, std::size_t argument) {
  const ExprRef &condition = kernel.parameters[argument].writtenIf;
  if (!condition)
    return makeInt(0);
  const ExprRef decided = Decider(program, nullptr).decide(ofCall(condition, kernel, task));
  return decided ? decided : makeInt(0);
}

ExprRef whereAdded(const Declarations &program, const Kernel &kernel, const Task &task, std::size_t argument) {
  const ExprRef &condition = kernel.parameters[argument].addsIf;
  return condition ? Decider(program, makeInt(0)).decide(ofCall(condition, kernel, task)) : makeInt(0);
}

void appendCall(const Declarations &program, Block &block, const Kernel &kernel, std::unique_ptr<Task> task,
                unsigned &next) {
  Appender(program, kernel, next).append(block, std::move(task), 0);
}

} // namespace hetc::ir
