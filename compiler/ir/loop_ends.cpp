#include "compiler/ir/loop_ends.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <optional>

namespace hetc::ir {

namespace {

bool isVariable(const ExprRef &expr, const std::string &name) {
  return expr->kind == ExprKind::Var && expr->text == name;
}

//
// Where an expression goes as a variable goes up
//

/// Rising and falling are without end.
enum class Trend { Constant, Rising, Falling, Unknown };

Trend reversed(Trend trend) {
  return trend == Trend::Rising ? Trend::Falling : trend == Trend::Falling ? Trend::Rising : trend;
}

Trend sum(Trend a, Trend b) {
  if (a == Trend::Constant || b == Trend::Constant)
    return a == Trend::Constant ? b : a;
  return a == b ? a : Trend::Unknown;
}

Trend trendOf(const Expr &expr, const std::string &variable) {
  const auto operand = [&](std::size_t i) { return trendOf(*expr.operands[i], variable); };
  if (!hasVariable(expr, variable))
    return Trend::Constant;
  switch (expr.kind) {
  case ExprKind::Var:
    return Trend::Rising;
  case ExprKind::Neg:
    return reversed(operand(0));
  case ExprKind::Add:
    return sum(operand(0), operand(1));
  case ExprKind::Sub:
    return sum(operand(0), reversed(operand(1)));
  case ExprKind::Mul:
    for (const int factor : {0, 1})
      if (const auto value = evaluate(*expr.operands[factor], {}); value && *value != 0)
        return *value > 0 ? operand(1 - factor) : reversed(operand(1 - factor));
    return Trend::Unknown;
  case ExprKind::Div:
    if (const auto value = evaluate(*expr.operands[1], {}); value && *value != 0)
      return *value > 0 ? operand(0) : reversed(operand(0));
    return Trend::Unknown;
  default:
    return Trend::Unknown;
  }
}

/// left - right, of a comparison.
Trend difference(const Expr &comparison, const std::string &variable) {
  return sum(trendOf(*comparison.operands[0], variable), reversed(trendOf(*comparison.operands[1], variable)));
}

/// The trend of a comparison's left side over its right with which it fails in the end; nothing for == and !=.
std::optional<Trend> failing(ExprKind comparison) {
  switch (comparison) {
  case ExprKind::Lt:
  case ExprKind::Le:
    return Trend::Rising;
  case ExprKind::Gt:
  case ExprKind::Ge:
    return Trend::Falling;
  default:
    return std::nullopt;
  }
}

/// Whether the condition fails in the end as the variable goes on, up or down.
bool fails(const Expr &condition, const std::string &variable, bool up) {
  const auto operand = [&](std::size_t i) { return fails(*condition.operands[i], variable, up); };
  if (condition.kind == ExprKind::And)
    return operand(0) || operand(1);
  if (condition.kind == ExprKind::Or)
    return operand(0) && operand(1);
  if (condition.kind == ExprKind::Eq)
    return isVariable(condition.operands[0], variable) && !hasVariable(*condition.operands[1], variable);
  const auto wanted = failing(condition.kind);
  if (!wanted)
    return false;
  const Trend trend = difference(condition, variable);
  return (up ? trend : reversed(trend)) == *wanted;
}

/// Whether the condition, once it holds, holds for good as the variable goes on.
bool stays(const Expr &condition, const std::string &variable, bool up) {
  const auto operand = [&](std::size_t i) { return stays(*condition.operands[i], variable, up); };
  if (!hasVariable(condition, variable))
    return true;
  if (condition.kind == ExprKind::And || condition.kind == ExprKind::Or)
    return operand(0) && operand(1);
  const auto wanted = failing(condition.kind);
  const Trend trend = wanted ? difference(condition, variable) : Trend::Unknown;
  return trend == Trend::Constant || (wanted && trend != Trend::Unknown && (up ? trend : reversed(trend)) != *wanted);
}

//
// Lower bounds of values
//

class LowerBounds {
public:
  explicit LowerBounds(const Program &program) {
    for (const Scalar &scalar : program.scalars)
      if (!scalar.candidates.empty()) // one that only changes the speed
        known_[scalar.name] = 1;
  }

  std::optional<std::int64_t> of(const Expr &expr) const;
  bool isAtLeast(const Expr &expr, std::int64_t bound) const {
    const auto least = of(expr);
    return least && *least >= bound;
  }

  /// Notes the bounds that follow from a condition that holds.
  void learn(const Expr &condition);
  void learn(const std::string &variable, std::optional<std::int64_t> bound) {
    if (bound && (!known_.contains(variable) || known_[variable] < *bound))
      known_[variable] = *bound;
  }

private:
  std::map<std::string, std::int64_t> known_;
};

std::optional<std::int64_t> LowerBounds::of(const Expr &expr) const {
  if (const auto value = evaluate(expr, {}))
    return value;
  std::vector<std::optional<std::int64_t>> least;
  for (const ExprRef &operand : expr.operands)
    least.push_back(of(*operand));
  constexpr std::int64_t large = 1 << 30; // what lies beyond is not needed, and does not overflow
  const auto bounded = [&](std::int64_t value) { return std::min(value, large); };
  const bool isPair = least.size() == 2, both = isPair && least[0] && least[1];
  switch (expr.kind) {
  case ExprKind::Var: {
    const auto found = known_.find(expr.text);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  case ExprKind::Extent:
    if (argumentCount(expr.extent) > 0)
      return std::nullopt;
    return expr.extent == Extent::Mb || expr.extent == Extent::Nb || isPeriod(expr.extent);
  case ExprKind::Add:
    return both ? std::optional(bounded(*least[0] + *least[1])) : std::nullopt;
  case ExprKind::Sub:
    if (const auto value = evaluate(*expr.operands[1], {}); value && least[0] && *value<large && * value> - large)
      return *least[0] - *value;
    return std::nullopt;
  case ExprKind::Mul:
    return both && *least[0] >= 0 && *least[1] >= 0 ? std::optional(bounded(bounded(*least[0]) * bounded(*least[1])))
                                                    : std::nullopt;
  case ExprKind::Div:
    if (const auto value = evaluate(*expr.operands[1], {}); value && *value > 0 && least[0] && *least[0] >= 0)
      return *least[0] / *value;
    return std::nullopt;
  case ExprKind::Min:
    return both ? std::optional(std::min(*least[0], *least[1])) : std::nullopt;
  case ExprKind::Max:
    return both ? std::max(least[0], least[1]) : isPair && least[0] ? least[0] : least[1];
  case ExprKind::Select:
    return least[1] && least[2] ? std::optional(std::min(*least[1], *least[2])) : std::nullopt;
  default:
    return std::nullopt;
  }
}

void LowerBounds::learn(const Expr &condition) {
  if (condition.kind == ExprKind::And)
    for (const ExprRef &operand : condition.operands)
      learn(*operand);
  const bool isLess = condition.kind == ExprKind::Lt || condition.kind == ExprKind::Le;
  if (!isLess && condition.kind != ExprKind::Gt && condition.kind != ExprKind::Ge)
    return;
  const Expr &larger = *condition.operands[isLess ? 1 : 0], &smaller = *condition.operands[isLess ? 0 : 1];
  const bool strict = condition.kind == ExprKind::Lt || condition.kind == ExprKind::Gt;
  const auto least = of(smaller);
  if (larger.kind == ExprKind::Var && least)
    learn(larger.text, *least + strict);
}

//
// Steps
//

/// 1 or -1: each step goes up, goes down; 0: not known.
int provedDirection(const Loop &loop, const LowerBounds &bounds) {
  if (const auto [size, adds] = stepSize(loop); size) {
    if (const auto value = evaluate(*size, {}))
      return *value == 0 ? 0 : (*value > 0) == adds ? 1 : -1;
    return bounds.isAtLeast(*size, 1) ? (adds ? 1 : -1) : 0;
  }
  const Expr &next = *loop.next;
  const bool isProduct = next.kind == ExprKind::Mul, isQuotient = next.kind == ExprKind::Div;
  if (!isProduct && !isQuotient)
    return 0;
  const bool isLeft = isVariable(next.operands[0], loop.variable);
  if (!isLeft && !(isProduct && isVariable(next.operands[1], loop.variable)))
    return 0;
  const bool grows = bounds.isAtLeast(*next.operands[isLeft], 2) && bounds.isAtLeast(*makeVar(loop.variable), 1);
  return grows ? isProduct ? 1 : -1 : 0;
}

/// The only way in which the condition ends the loop.
int endingDirection(const Loop &loop) {
  const bool up = fails(*loop.condition, loop.variable, true), down = fails(*loop.condition, loop.variable, false);
  return up == down ? 0 : up ? 1 : -1;
}

std::string whyNever(const Loop &loop, int direction) {
  const StepSize step = stepSize(loop);
  if (step.size && evaluate(*step.size, {}) == 0)
    return "its step does not change '" + loop.variable + "'";
  if (direction == 0 || !stays(*loop.condition, loop.variable, direction > 0))
    return "";
  const std::string condition = "'" + print(*loop.condition) + "'";
  if (!hasVariable(*loop.condition, loop.variable))
    return "its condition " + condition + " does not depend on '" + loop.variable + "'";
  const bool up = direction > 0;
  return std::string("its step '") + printStep(loop) + "' goes " + (up ? "up" : "down") + ", where its condition " +
         condition + " stays true; step the other way, or bound '" + loop.variable + "' from " +
         (up ? "above" : "below");
}

LoopEnd findEnd(const Loop &loop, const LowerBounds &bounds) {
  LoopEnd end;
  const int proved = provedDirection(loop, bounds);
  end.direction = proved ? proved : endingDirection(loop);
  end.proved = proved && fails(*loop.condition, loop.variable, proved > 0);
  end.never = whyNever(loop, proved);
  return end;
}

/// Walks the program with what is known at each place.
class Walk {
public:
  explicit Walk(const Program &program) : program_(program) {
    visit(program.body, LowerBounds(program));
    isInFunction_ = true;
    for (const Function &function : program.functions)
      visit(function.body, LowerBounds(program));
  }

  std::map<const Loop *, LoopEnd> ends;
  std::vector<StepCondition> conditions;
  std::vector<PanelStep> panelSteps;

private:
  void visit(const Block &block, const LowerBounds &bounds) {
    for (const Statement &statement : block)
      if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
        visit(**loop, bounds);
      else if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
        visit(**branch, bounds);
      else if (const auto *task = std::get_if<std::unique_ptr<Task>>(&statement))
        visit(**task, bounds);
  }

  void visit(const Task &task, const LowerBounds &bounds) {
    for (const Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<TileAccess>(&argument);
          tile && tile->rowStep && !bounds.isAtLeast(*tile->rowStep, 1))
        panelSteps.push_back({tile->rowStep, tile->location});
  }

  void visit(const If &branch, const LowerBounds &bounds) {
    LowerBounds inside = bounds;
    inside.learn(*branch.condition);
    visitUnder(branch.condition, branch.then, inside);
    visitUnder(makeUnary(ExprKind::Not, branch.condition), branch.otherwise, bounds);
  }

  void visitUnder(const ExprRef &condition, const Block &block, const LowerBounds &bounds) {
    const bool isDead = evaluate(*condition, {}) == 0;
    dead_ += isDead;
    guards_.push_back({condition, false});
    visit(block, bounds);
    guards_.pop_back();
    dead_ -= isDead;
  }

  void visit(const Loop &loop, const LowerBounds &bounds) {
    LowerBounds inside = bounds;
    if (endingDirection(loop) > 0) // steps that go down are refused, or seen when the loop runs
      inside.learn(loop.variable, bounds.of(*loop.init));
    inside.learn(*loop.condition);
    LoopEnd end = findEnd(loop, inside);
    const ExprRef entered = substitute(loop.condition, {{loop.variable, loop.init}});
    const bool isDead = evaluate(*entered, {}) == 0;
    dead_ += isDead;
    end.proved = end.proved || isDead;
    if (dead_)
      end.never.clear();
    ends[&loop] = end;
    guards_.push_back({entered, true});
    if (!end.proved && end.never.empty() && !dead_)
      addCondition(loop, end);
    visit(loop.body, inside);
    guards_.pop_back();
    dead_ -= isDead;
  }

  /// The first step goes on; where arguments alone decide that, and whether the loop is reached.
  void addCondition(const Loop &loop, const LoopEnd &end) {
    const auto [size, adds] = stepSize(loop);
    if (isInFunction_ || end.direction == 0 || (size && evaluate(*size, {}))) // nobody knows who calls it
      return;
    const bool up = end.direction > 0;
    const ExprRef holds = size ? makeBinary(up == adds ? ExprKind::Gt : ExprKind::Lt, size, makeInt(0))
                               : makeBinary(up ? ExprKind::Gt : ExprKind::Lt,
                                            substitute(loop.next, {{loop.variable, loop.init}}), loop.init);
    ExprRef reached = makeInt(1);
    for (const auto &[condition, mayBeOmitted] : guards_) {
      if (isDecided(*condition))
        reached = reached->kind == ExprKind::Int ? condition : makeBinary(ExprKind::And, reached, condition);
      else if (!mayBeOmitted)
        return;
    }
    if (isDecided(*holds))
      conditions.push_back({&loop, holds, reached});
  }

  bool isDecided(const Expr &expr) const { return isDecidedByArguments(program_, expr); }

  /// A condition for the place to be reached. That of a loop may be left out: as well its later iterations may reach
  /// it.
  struct Guard {
    ExprRef condition;
    bool mayBeOmitted;
  };

  const Program &program_;
  std::vector<Guard> guards_;
  bool isInFunction_ = false;
  int dead_ = 0; ///< branches around that are never taken
};

} // namespace

StepSize stepSize(const Loop &loop) {
  const Expr &next = *loop.next;
  const bool adds = next.kind == ExprKind::Add, takes = next.kind == ExprKind::Sub;
  if (!adds && !takes)
    return {};
  for (const int variable : {0, 1})
    if (isVariable(next.operands[variable], loop.variable) && !(takes && variable == 1) &&
        !hasVariable(*next.operands[1 - variable], loop.variable))
      return {next.operands[1 - variable], adds};
  return {};
}

std::string printStep(const Loop &loop) {
  const auto [size, adds] = stepSize(loop);
  if (!size)
    return loop.variable + " = " + print(*loop.next);
  const bool one = size->kind == ExprKind::Int && size->value == 1;
  const std::string op = adds ? "+" : "-";
  return one ? op + op + loop.variable : loop.variable + " " + op + "= " + print(*size);
}

std::map<const Loop *, LoopEnd> loopEnds(const Program &program) { return Walk(program).ends; }
std::vector<StepCondition> stepConditions(const Program &program) { return Walk(program).conditions; }
std::vector<PanelStep> openPanelSteps(const Program &program) { return Walk(program).panelSteps; }

} // namespace hetc::ir
