#include "compiler/maps/nests.hpp"

#include "compiler/maps/updates.hpp"

#include <algorithm>
#include <vector>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;

namespace {

bool isVariable(const ExprRef &expr, const ir::Loop &loop) {
  return expr->kind == ExprKind::Var && expr->text == loop.variable;
}

bool isInt(const ExprRef &expr, std::int64_t value) { return expr->kind == ExprKind::Int && expr->value == value; }

/// The one loop of a block, whatever stands beside it; null: there is none, or several.
const ir::Loop *onlyLoop(const ir::Block &block) {
  const ir::Loop *found = nullptr;
  for (const ir::Statement &statement : block)
    if (const ir::Loop *loop = asLoop(statement)) {
      if (found)
        return nullptr;
      found = loop;
    }
  return found;
}

bool isBranchWithLoop(const ir::Statement &statement);

bool hasLoop(const ir::Block &block) {
  return std::ranges::any_of(
      block, [](const ir::Statement &statement) { return asLoop(statement) || isBranchWithLoop(statement); });
}

bool isBranchWithLoop(const ir::Statement &statement) {
  const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement);
  return branch && (hasLoop((*branch)->then) || hasLoop((*branch)->otherwise));
}

std::string quoted(const std::string &name) { return "'" + name + "'"; }

std::string tileText(const ProductNest &nest) {
  return nest.matrix + "(" + nest.row->variable + ", " + (nest.column ? nest.column->variable : "0") + ")";
}

bool isOfTile(const ir::Task &task, const ProductNest &nest) {
  return std::ranges::all_of(task.arguments, [&](const ir::Argument &argument) {
    const auto *tile = std::get_if<ir::TileAccess>(&argument);
    if (!tile)
      return true;
    const bool isIt = tile->matrix == nest.matrix && !tile->isRun() && isVariable(tile->row, *nest.row) &&
                      (nest.column ? isVariable(tile->column, *nest.column) : isInt(tile->column, 0));
    return isIt || (tile->matrix != nest.matrix && tile->access == ir::Access::Read);
  });
}

/// Whether the condition holds, or does not, in step 0 only.
bool impliesFirst(const ir::Expr &condition, const ir::Loop &step, bool holds) {
  const auto compares = [&](ExprKind kind, std::int64_t value) {
    return condition.kind == kind && isVariable(condition.operands[0], step) && isInt(condition.operands[1], value);
  };
  switch (condition.kind) {
  case ExprKind::Not:
    return impliesFirst(*condition.operands[0], step, !holds);
  case ExprKind::And:
    return holds && std::ranges::any_of(condition.operands,
                                        [&](const ExprRef &operand) { return impliesFirst(*operand, step, true); });
  default:
    return holds ? compares(ExprKind::Eq, 0) || compares(ExprKind::Lt, 1) || compares(ExprKind::Le, 0)
                 : compares(ExprKind::Ne, 0) || compares(ExprKind::Gt, 0) || compares(ExprKind::Ge, 1);
  }
}

} // namespace

ExprRef endOf(const ir::Program &program, const ir::Loop &loop) {
  const ir::Expr &condition = *loop.condition, &next = *loop.next;
  const bool counts = isInt(loop.init, 0) && condition.kind == ExprKind::Lt &&
                      isVariable(condition.operands[0], loop) && next.kind == ExprKind::Add &&
                      isVariable(next.operands[0], loop) && isInt(next.operands[1], 1);
  return counts && ir::isDecidedByArguments(program, *condition.operands[1]) ? condition.operands[1] : nullptr;
}

const ir::Loop *asLoop(const ir::Statement &statement) {
  const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement);
  return loop ? loop->get() : nullptr;
}

std::optional<ProductNest> NestFinder::find(const ir::Loop &outermost) {
  const ir::Task *update = firstUpdate(outermost.body);
  if (!update)
    return std::nullopt;
  const std::string what = quoted(shortName(update->kernel)) + " in line " + lineOf(*update);
  ProductNest nest;
  nest.matrix = mainTile(*update).matrix;
  if (!placeLoops(outermost, mainTile(*update), nest))
    return fail(what + " is not in loops over the rows of tiles of " + quoted(nest.matrix) +
                ", its columns and steps, "
                "each from 0 up to a number that the arguments decide");
  const ir::Matrix &matrix = *program_.findMatrix(nest.matrix);
  if (!program_.isParameter(matrix) || matrix.kind != ir::MatrixKind::General || matrix.isSliced())
    return fail(what + " updates " + quoted(nest.matrix) + ", which is no general matrix of the caller's");
  nest.update = firstUpdate(*nest.body);
  if (!nest.update)
    return fail(what + " stands beside the loop of steps, in which nothing is added");
  if (!checkTasks(outermost.body, nest) || !checkFirst(*nest.body, nest))
    return std::nullopt;
  return nest;
}

std::optional<ProductNest> NestFinder::fail(const std::string &reason) {
  if (why_.empty())
    why_ = reason;
  return std::nullopt;
}

const ir::Task *NestFinder::firstUpdate(const ir::Block &block) const {
  const ir::Task *found = nullptr;
  ir::forEachTask(block, [&](const ir::Task &task) {
    if (!found && updates_.contains(task.id))
      found = &task;
  });
  return found;
}

/// Finds out which loop runs over rows, which over columns and which over steps.
bool NestFinder::placeLoops(const ir::Loop &outermost, const ir::TileAccess &tile, ProductNest &nest) const {
  std::vector<const ir::Loop *> loops = {&outermost};
  while (const ir::Loop *inner = onlyLoop(loops.back()->body))
    loops.push_back(inner);
  const bool hasColumns = !isInt(tile.column, 0);
  if (loops.size() != (hasColumns ? 3u : 2u))
    return false;
  for (const ir::Loop *loop : loops) {
    if (!endOf(program_, *loop))
      return false;
    if (isVariable(tile.row, *loop))
      nest.row = loop;
    else if (isVariable(tile.column, *loop))
      nest.column = loop;
    else
      nest.step = loop;
  }
  if (!nest.row || !nest.step || (hasColumns && !nest.column))
    return false;
  nest.body = &loops.back()->body;
  const bool isInnermost = loops.back() == nest.step;
  if (isInnermost)
    nest.around = &loops[loops.size() - 2]->body;
  for (const ir::Loop *loop : loops)
    if (loop != loops.back() && &loop->body != nest.around && loop->body.size() != 1)
      return false;
  std::erase(loops, nest.step);
  nest.outer = loops[0];
  nest.inner = hasColumns ? loops[1] : nullptr;
  return !hasLoop(*nest.body) && (!nest.around || std::ranges::none_of(*nest.around, isBranchWithLoop));
}

/// All tasks write C(i, j), and read nothing else of C.
bool NestFinder::checkTasks(const ir::Block &block, const ProductNest &nest) {
  bool right = true;
  ir::forEachTask(block, [&](const ir::Task &task) {
    if (!right || (isOfTile(task, nest) && task.releases.empty()))
      return;
    right = false;
    if (!task.releases.empty())
      return (void)fail(quoted(shortName(task.kernel)) + " in line " + lineOf(task) +
                        " releases a tile, which in another order a later task may need");
    fail(quoted(shortName(task.kernel)) + " in line " + lineOf(task) + " does not write " + tileText(nest) +
         " alone, or reads other tiles of " + quoted(nest.matrix));
  });
  return right;
}

/// Inside all loops only the first step may do anything but add.
bool NestFinder::checkFirst(const ir::Block &block, const ProductNest &nest, bool isFirst) {
  return std::ranges::all_of(block, [&](const ir::Statement &statement) {
    if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      const ir::If &either = **branch;
      return checkFirst(either.then, nest, isFirst || impliesFirst(*either.condition, *nest.step, true)) &&
             checkFirst(either.otherwise, nest, isFirst || impliesFirst(*either.condition, *nest.step, false));
    }
    return checkTask(*std::get<std::unique_ptr<ir::Task>>(statement), isFirst);
  });
}

bool NestFinder::checkTask(const ir::Task &task, bool isFirst) {
  const std::string what = quoted(shortName(task.kernel)) + " in line " + lineOf(task);
  if (!updates_.contains(task.id)) {
    if (!isFirst)
      fail(what + " does not add to a whole tile, by the clause sum(...) of '#pragma tla kernel'");
    return isFirst;
  }
  if (triangleOf(program_, task)) {
    fail(what + " adds to a triangle of its tile only, by the clause sum(... in ...)");
    return false;
  }
  return true;
}

} // namespace hetc::maps
