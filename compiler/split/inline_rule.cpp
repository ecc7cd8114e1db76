#include "compiler/split/inline_rule.hpp"

#include "compiler/ir/conditional_writes.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/simplify.hpp"
#include "compiler/ir/spelling.hpp"

#include <algorithm>

namespace hetc::split {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

ExprRef firstSlice(const ir::Program &program, const ExprRef &tileColumn) {
  return ir::simplify(ir::makeBinary(ExprKind::Mul, ir::makeInt(program.slices), tileColumn));
}

ExprRef sliceCount(const ir::Program &program, const std::string &matrix, const ExprRef &tileColumn) {
  const ExprRef all = ir::makeExtent(matrix, Extent::Ns);
  const ExprRef left = ir::makeBinary(ExprKind::Sub, all, firstSlice(program, tileColumn));
  return ir::simplify(ir::makeBinary(ExprKind::Min, ir::makeInt(program.slices), left));
}

ir::TileAccess gathered(const ir::Program &program, ir::TileAccess tile, ir::Access access) {
  const ExprRef first = firstSlice(program, tile.column);
  const ExprRef end = ir::makeBinary(ExprKind::Add, first, ir::makeInt(program.slices));
  tile.column = first;
  tile.columnEnd = ir::simplify(ir::makeBinary(ExprKind::Min, end, ir::makeExtent(tile.matrix, Extent::Ns)));
  tile.access = access == ir::Access::Write && tile.isPartial() ? ir::Access::ReadWrite : access;
  return tile;
}

RuleInliner::RuleInliner(ir::Program &program, const ir::Program &rule, const ir::Task &task, const Facts &facts,
                         std::set<std::string> &names)
    : program_(program), rule_(rule), task_(task), facts_(facts), names_(names) {
  for (std::size_t i = 0; i < task.arguments.size(); ++i) {
    const std::string &parameter = rule.parameterOrder[i];
    if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i])) {
      tiles_[parameter] = tile;
      values_[parameter + ".isWhole()"] = ir::makeInt(tile->region == ir::Region::Full);
      values_[parameter + ".isOverwritten()"] = ir::makeInt(tile->access == ir::Access::Write);
    } else
      values_[parameter] = std::get<ExprRef>(task.arguments[i]);
  }
  for (const ir::Scalar &scalar : rule.scalars)
    if (const auto type = ir::castType(scalar.type, rule.type); type && type != ir::ElementType::I)
      numbers_[scalar.name] = ir::castName(*type, program.type);
}

ir::Block RuleInliner::block(const ir::Block &block) {
  ir::Block result;
  for (const ir::Statement &statement : block) {
    if (const auto *inner = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
      result.push_back(loop(**inner));
    else if (const auto *inner = std::get_if<std::unique_ptr<ir::If>>(&statement))
      branch(**inner, result);
    else
      addTask(*std::get<std::unique_ptr<ir::Task>>(statement), result);
  }
  return result;
}

std::unique_ptr<ir::Loop> RuleInliner::loop(const ir::Loop &loop) {
  auto result = std::make_unique<ir::Loop>();
  result->variable = uniqueName(loop.variable);
  result->init = expr(loop.init);
  values_[loop.variable] = ir::makeVar(result->variable);
  result->condition = expr(loop.condition);
  result->next = expr(loop.next);
  result->location = task_.location;
  result->body = block(loop.body);
  values_.erase(loop.variable);
  return result;
}

/// Converts an if, or only the branch that is taken where the condition is decided.
void RuleInliner::branch(const ir::If &branch, ir::Block &out) {
  const ExprRef condition = expr(branch.condition);
  const auto add = [&](ir::Block block) { std::ranges::move(block, std::back_inserter(out)); };
  if (condition->kind == ExprKind::Int)
    return add(block(condition->value ? branch.then : branch.otherwise));
  auto result = std::make_unique<ir::If>();
  result->condition = condition;
  result->location = task_.location;
  result->then = block(branch.then);
  result->otherwise = block(branch.otherwise);
  out.push_back(std::move(result));
}

void RuleInliner::addTask(const ir::Task &task, ir::Block &out) {
  declare(task.kernel);
  auto result = std::make_unique<ir::Task>();
  result->kernel = task.kernel;
  result->location = task_.location;
  result->calls = task_.calls;
  for (const ir::Argument &argument : task.arguments)
    if (const auto *tile = std::get_if<ir::TileAccess>(&argument))
      result->arguments.emplace_back(access(*tile));
    else
      result->arguments.emplace_back(expr(std::get<ExprRef>(argument)));
  result->priority = task.priority ? expr(task.priority) : task_.priority;
  result->derivedPriority = !task.priority && task_.derivedPriority;
  result->device = task.device != ir::Device::Any ? task.device : task_.device;
  result->bound = task.bound || task.kernel != task_.kernel ? task.bound : task_.bound;
  result->mainOutput = mainOutput(task, *result);
  unsigned number = 0; // all tasks are numbered in the end
  ir::appendCall(program_, out, *program_.findKernel(task.kernel), std::move(result), number);
}

ir::TileAccess RuleInliner::access(const ir::TileAccess &access) const {
  ir::TileAccess result = *tiles_.at(access.matrix);
  result.access = access.access;
  if (!rule_.findMatrix(access.matrix)->isSliced())
    return result;
  result.within = {expr(access.within.first), expr(access.within.count)};
  result.cols = {expr(access.cols.first), expr(access.cols.count)}; // the author's tile has none (Splitter::whyNot)
  if (access.columnEnd)
    return gathered(program_, std::move(result), access.access);
  result.region = ir::Region::Full;
  result.column = ir::simplify(ir::makeBinary(ExprKind::Add, firstSlice(program_, result.column), expr(access.column)));
  if (result.isView() && result.access == ir::Access::Write)
    result.access = ir::Access::ReadWrite;
  return result;
}

/// The main output of a task: the tile where the author's task runs, if it writes that, else the first one that it
/// writes.
std::size_t RuleInliner::mainOutput(const ir::Task &ofRule, const ir::Task &made) const {
  const std::string &wanted = rule_.parameterOrder[task_.mainOutput];
  for (std::size_t i = 0; i < ofRule.arguments.size(); ++i)
    if (const auto *tile = std::get_if<ir::TileAccess>(&ofRule.arguments[i]);
        tile && tile->matrix == wanted && tile->access != ir::Access::Read)
      return i;
  return ir::defaultMainOutput(made);
}

void RuleInliner::declare(const std::string &kernel) {
  if (!program_.findKernel(kernel))
    program_.kernels.push_back(*rule_.findKernel(kernel));
}

std::string RuleInliner::uniqueName(const std::string &base) {
  std::string name = base;
  for (unsigned suffix = 1; !names_.insert(name).second; ++suffix)
    name = base + "_" + std::to_string(suffix);
  return name;
}

/// The rule is one for `rule_.type`, which may be another type than the program's.
std::string RuleInliner::castHere(const std::string &type) const {
  const auto element = ir::castType(type, rule_.type);
  return element ? ir::castName(*element, program_.type) : type;
}

/// Whether the author's value has a type without help: 1 has not the type of alpha.
bool RuleInliner::hasType(const ir::Expr &expr, const std::string &type) const {
  if (expr.kind == ExprKind::Cast)
    return expr.text == type;
  if (expr.kind == ExprKind::Var) {
    const ir::Scalar *scalar = program_.findScalar(expr.text);
    return scalar && scalar->type == type;
  }
  return std::ranges::any_of(expr.operands, [&](const ExprRef &operand) { return hasType(*operand, type); });
}

static bool computes(ExprKind kind) {
  switch (kind) {
  case ExprKind::Neg:
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Div:
    return true;
  default:
    return ir::isComparison(kind);
  }
}

/// A kernel's scalars have the kernel's types; the task has them as the author wrote them, and where that is 1 for a
/// real number, alpha / 2 is to be no division of integers. `typed`: the rule computes with the value.
ExprRef RuleInliner::substituted(const ExprRef &expr, bool typed) const {
  if (expr->kind == ExprKind::Var) {
    const ExprRef &value = values_.at(expr->text);
    const auto number = typed ? numbers_.find(expr->text) : numbers_.end();
    return number == numbers_.end() || hasType(*value, number->second) ? value : ir::makeCast(number->second, value);
  }
  if (expr->kind == ExprKind::Extent)
    return extent(*expr);
  auto result = std::make_shared<ir::Expr>(*expr);
  if (expr->kind == ExprKind::Cast)
    result->text = castHere(expr->text);
  const bool isSelect = expr->kind == ExprKind::Select;
  for (std::size_t i = 0; i < result->operands.size(); ++i)
    result->operands[i] = substituted(result->operands[i], isSelect ? typed && i > 0 : computes(expr->kind));
  return result;
}

/// Rows of the author's view, or of the tile, which may be at the lower edge.
static ExprRef rowCount(const ir::TileAccess &tile) {
  if (tile.rows.count)
    return tile.rows.count;
  const ExprRef height = ir::makeExtent(tile.matrix, Extent::Mb);
  const ExprRef left = ir::makeBinary(ExprKind::Sub, ir::makeExtent(tile.matrix, Extent::M),
                                      ir::makeBinary(ExprKind::Mul, tile.row, height));
  return ir::makeBinary(ExprKind::Min, height, left);
}

/// The value of slices(), sliceBegin(d), sliceCols(d) or m() of a tile of the rule.
ExprRef RuleInliner::extent(const ir::Expr &expr) const {
  const ir::TileAccess &tile = *tiles_.at(expr.text);
  if (expr.extent == Extent::Ns)
    return sliceCount(program_, tile.matrix, tile.column);
  if (expr.extent == Extent::M)
    return rowCount(tile);
  ExprRef slice = substituted(expr.operands[0]);
  if (expr.extent == Extent::SliceCols)
    slice = ir::makeBinary(ExprKind::Add, firstSlice(program_, tile.column), slice);
  return ir::makeExtent(tile.matrix, expr.extent, slice);
}

} // namespace hetc::split
