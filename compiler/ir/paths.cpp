#include "compiler/ir/paths.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace hetc::ir {

namespace {

using Decisions = std::vector<std::pair<ExprRef, bool>>; ///< conditions, and which side is taken

std::optional<bool> decided(const Expr &condition, const Decisions &decisions) {
  for (const auto &[known, holds] : decisions)
    if (equal(*known, condition))
      return holds;
  return std::nullopt;
}

/// Decides a condition, too, from another one's side: parts of a conjunction that holds, of a disjunction that does
/// not, and from x == y whether x != y.
std::optional<bool> implied(const Expr &condition, const ExprRef &known, bool holds) {
  if (equal(*known, condition))
    return holds;
  const auto negated = [](ExprKind kind) { return kind == ExprKind::Eq ? ExprKind::Ne : ExprKind::Eq; };
  if (known->kind == ExprKind::Not)
    return implied(condition, known->operands[0], !holds);
  if (known->kind == (holds ? ExprKind::And : ExprKind::Or))
    for (const ExprRef &part : known->operands)
      if (const std::optional<bool> side = implied(condition, part, holds))
        return side;
  const bool compares = known->kind == ExprKind::Eq || known->kind == ExprKind::Ne;
  if (compares && condition.kind == negated(known->kind) && equal(*known->operands[0], *condition.operands[0]) &&
      equal(*known->operands[1], *condition.operands[1]))
    return !holds;
  return std::nullopt;
}

/// Where the way decides how tiles are dealt to copies of nodes, that is no question any more.
void decideHomes(const Decisions &way, std::vector<Matrix> &matrices) {
  for (Matrix &matrix : matrices)
    for (const auto &[known, holds] : way)
      if (const ExprRef byRows = matrix.byRows(); byRows && byRows->kind != ExprKind::Int)
        if (const std::optional<bool> side = implied(*byRows, known, holds))
          std::get<InCopies>(matrix.mapping).byRows = *side ? makeInt(1) : nullptr;
}

/// Whether an expression has a value wherever it stands: no division by what may be zero. What stands in a loop or
/// behind another condition is computed before the program's first task here.
bool alwaysHasValue(const Expr &expr) {
  if (expr.kind == ExprKind::Div || expr.kind == ExprKind::Rem) {
    const Expr &divisor = *expr.operands[1];
    if (divisor.kind != ExprKind::Int || divisor.value == 0)
      return false;
  }
  return std::ranges::all_of(expr.operands, [](const ExprRef &operand) { return alwaysHasValue(*operand); });
}

std::size_t countTasks(const Block &block) {
  std::size_t count = 0;
  forEachTask(block, [&](const Task &) { ++count; });
  return count;
}

/// The loop variables of the program: a condition that names one is no matter of its arguments.
void collectVariables(const Block &block, std::set<std::string> &variables) {
  for (const Statement &statement : block)
    if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement)) {
      variables.insert((*loop)->variable);
      collectVariables((*loop)->body, variables);
    } else if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement)) {
      collectVariables((*branch)->then, variables);
      collectVariables((*branch)->otherwise, variables);
    }
}

class Forks {
public:
  explicit Forks(const Program &program) : body_(program.body) { collectVariables(body_, loopVariables_); }

  /// All ways through the program, as decisions; more than `most` are not looked for.
  std::vector<Decisions> ways(std::size_t most) {
    most_ = most;
    follow({});
    return std::move(ways_);
  }

private:
  void follow(const Decisions &decisions) {
    if (ways_.size() > most_)
      return;
    const ExprRef condition = open(body_, decisions);
    if (!condition)
      return ways_.push_back(decisions);
    for (const bool holds : {true, false}) {
      Decisions further = decisions;
      further.emplace_back(condition, holds);
      follow(further);
    }
  }

  /// The first fork on this way that is not decided. Null: there is none.
  ExprRef open(const Block &block, const Decisions &decisions) const {
    for (const Statement &statement : block) {
      ExprRef found;
      if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
        found = open((*loop)->body, decisions);
      else if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
        found = open(**branch, decisions);
      if (found)
        return found;
    }
    return nullptr;
  }

  ExprRef open(const If &branch, const Decisions &decisions) const {
    const std::optional<bool> side = decided(*branch.condition, decisions);
    if (side)
      return open(*side ? branch.then : branch.otherwise, decisions);
    if (isFork(branch))
      return branch.condition;
    const ExprRef found = open(branch.then, decisions);
    return found ? found : open(branch.otherwise, decisions);
  }

  bool isFork(const If &branch) const {
    return countTasks(branch.then) > 0 && countTasks(branch.otherwise) > 0 && alwaysHasValue(*branch.condition) &&
           std::ranges::none_of(variables(*branch.condition),
                                [&](const std::string &name) { return loopVariables_.contains(name); });
  }

  const Block &body_;
  std::set<std::string> loopVariables_;
  std::size_t most_ = 0;
  std::vector<Decisions> ways_;
};

/// A copy of the statements on the way. Conditions stay around the sides that they decided: they are known to hold
/// there.
Block copyOf(const Block &block, const Decisions &way) {
  Block result;
  for (const Statement &statement : block)
    if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement)) {
      auto copy = std::make_unique<Loop>(Loop{(*loop)->variable, (*loop)->init, (*loop)->condition, (*loop)->next,
                                              copyOf((*loop)->body, way), (*loop)->location});
      result.push_back(std::move(copy));
    } else if (const auto *found = std::get_if<std::unique_ptr<If>>(&statement)) {
      const If &branch = **found;
      auto copy = std::make_unique<If>(If{branch.condition, {}, {}, branch.location});
      const std::optional<bool> side = decided(*branch.condition, way);
      if (side.value_or(true))
        copy->then = copyOf(branch.then, way);
      if (!side)
        copy->otherwise = copyOf(branch.otherwise, way);
      else if (!*side) {
        copy->condition = makeUnary(ExprKind::Not, branch.condition);
        copy->then = copyOf(branch.otherwise, way);
      }
      result.push_back(std::move(copy));
    } else {
      auto copy = std::make_unique<Task>(*std::get<std::unique_ptr<Task>>(statement));
      copy->origin = copy->origin.value_or(copy->id);
      result.push_back(std::move(copy));
    }
  return result;
}

ExprRef conditionOf(const Decisions &way) {
  ExprRef result;
  for (const auto &[condition, holds] : way) {
    const ExprRef each = holds ? condition : makeUnary(ExprKind::Not, condition);
    result = result ? makeBinary(ExprKind::And, result, each) : each;
  }
  return result;
}

} // namespace

std::vector<Path> pathsOf(const Program &program, std::size_t most) {
  std::vector<Decisions> ways = Forks(program).ways(most);
  if (ways.size() > most)
    ways = {{}};
  std::vector<Path> paths;
  for (const Decisions &way : ways) {
    Path &path = paths.emplace_back();
    path.condition = conditionOf(way);
    static_cast<Declarations &>(path.program) = program;
    path.program.body = copyOf(program.body, way);
    decideHomes(way, path.program.matrices);
  }
  return paths;
}

} // namespace hetc::ir
