// countTasks: how many tasks the program has, from its loops, whose innermost ones are counted and not run. It shares
// nothing with the loops of nodes, whose tasks must add up to it.
#include "compiler/codegen/append.hpp"

#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/simplify.hpp"

#include <algorithm>
#include <cstdlib>

namespace hetc::codegen {

namespace {

using ir::ExprKind;
using ir::ExprRef;

ExprRef asLong(const ExprRef &expr) { return ir::makeCast("long", expr); }

/// The constant that is added in each iteration, 0 if it is anything else.
std::int64_t stepOf(const ir::Loop &loop) {
  const ir::Expr &next = *loop.next;
  const bool adds = next.kind == ExprKind::Add, subtracts = next.kind == ExprKind::Sub;
  if ((!adds && !subtracts) || next.operands[0]->kind != ExprKind::Var || next.operands[0]->text != loop.variable ||
      next.operands[1]->kind != ExprKind::Int)
    return 0;
  return adds ? next.operands[1]->value : -next.operands[1]->value;
}

/// The number of iterations of a loop by constant steps: for n numbers from the first to the last, n > 0 ? (n - 1) /
/// step + 1 : 0; null for any other loop.
ExprRef iterationsOf(const ir::Loop &loop) {
  const ir::Expr &condition = *loop.condition;
  const std::int64_t step = stepOf(loop);
  const bool up = condition.kind == ExprKind::Lt || condition.kind == ExprKind::Le,
             down = condition.kind == ExprKind::Gt || condition.kind == ExprKind::Ge;
  if ((!up && !down) || (up ? step <= 0 : step >= 0) || condition.operands[0]->kind != ExprKind::Var ||
      condition.operands[0]->text != loop.variable || ir::hasVariable(*condition.operands[1], loop.variable))
    return nullptr;
  // In whole numbers from first to last, both taken.
  const bool strict = condition.kind == ExprKind::Lt || condition.kind == ExprKind::Gt;
  const ExprRef first = asLong(loop.init), end = asLong(condition.operands[1]);
  const ExprRef numbers = ir::simplify(ir::makeBinary(
      ExprKind::Add, up ? ir::makeBinary(ExprKind::Sub, end, first) : ir::makeBinary(ExprKind::Sub, first, end),
      ir::makeInt(strict ? 0 : 1)));
  const ExprRef others = ir::makeBinary(ExprKind::Sub, numbers, ir::makeInt(1));
  const ExprRef count =
      std::abs(step) == 1
          ? numbers
          : ir::makeBinary(ExprKind::Add, ir::makeBinary(ExprKind::Div, others, ir::makeInt(std::abs(step))),
                           ir::makeInt(1));
  return ir::makeSelect(ir::makeBinary(ExprKind::Gt, numbers, ir::makeInt(0)), count, ir::makeInt(0));
}

/// The tasks of a block, where that is one expression over what is known around it: no loop inside has to be run. Null:
/// one has.
ExprRef tasksOf(const ir::Block &block);

ExprRef tasksOf(const ir::Statement &statement) {
  if (std::holds_alternative<std::unique_ptr<ir::Task>>(statement))
    return ir::makeInt(1);
  if (std::holds_alternative<std::unique_ptr<ir::Call>>(statement))
    return nullptr;
  if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
    const ExprRef then = tasksOf((*branch)->then), otherwise = tasksOf((*branch)->otherwise);
    return then && otherwise ? ir::makeSelect((*branch)->condition, then, otherwise) : nullptr;
  }
  const ir::Loop &loop = *std::get<std::unique_ptr<ir::Loop>>(statement);
  const ExprRef body = tasksOf(loop.body), iterations = iterationsOf(loop);
  if (!body || !iterations || ir::hasVariable(*body, loop.variable))
    return nullptr;
  return ir::makeBinary(ExprKind::Mul, iterations, body);
}

ExprRef tasksOf(const ir::Block &block) {
  ExprRef sum = ir::makeInt(0);
  for (const ir::Statement &statement : block) {
    const ExprRef one = tasksOf(statement);
    if (!one)
      return nullptr;
    sum = ir::makeBinary(ExprKind::Add, sum, one);
  }
  return ir::simplify(sum);
}

class CountEmitter {
public:
  CountEmitter(std::ostream &out, const ir::Program &program)
      : out_(out), program_(program), integers_(program), ends_(ir::loopEnds(program)) {}

  void emit() {
    out_ << "\n" << optimization(program_) << "long countTasks([[maybe_unused]] const rt::Arguments &arguments) {\n";
    declareHandles(out_, program_);
    out_ << "  long tasks = 0;\n";
    declareFunctions(out_, program_);
    for (const ir::Function &function : program_.functions) {
      beginFunction(out_, program_, function);
      emitBlock(function.body, 2);
      endFunction(out_);
    }
    emitBlock(program_.body, 1);
    out_ << "  return tasks;\n}\n";
  }

private:
  void emitBlock(const ir::Block &block, int depth) {
    for (const ir::Statement &statement : block) {
      if (const ExprRef count = tasksOf(statement))
        indent(depth) << "tasks += " << integers_.value(ir::simplify(count)) << ";\n";
      else
        std::visit([&](const auto &child) { emitStatement(*child, depth); }, statement);
    }
  }

  void emitStatement(const ir::Loop &loop, int depth) {
    indent(depth) << loopHead(program_, integers_, loop, ends_.at(&loop)) << " {\n";
    emitBlock(loop.body, depth + 1);
    indent(depth) << "}\n";
  }
  void emitStatement(const ir::If &branch, int depth) {
    indent(depth) << "if (" << integers_.value(branch.condition) << ") {\n";
    emitBlock(branch.then, depth + 1);
    indent(depth) << "} else {\n";
    emitBlock(branch.otherwise, depth + 1);
    indent(depth) << "}\n";
  }
  void emitStatement(const ir::Task &, int) {} // has a count
  void emitStatement(const ir::Call &call, int depth) { indent(depth) << callText(program_, integers_, call) << ";\n"; }

  std::ostream &indent(int depth) { return out_ << std::string(2 * depth, ' '); }

  std::ostream &out_;
  const ir::Program &program_;
  const Integers integers_;
  const std::map<const ir::Loop *, ir::LoopEnd> ends_;
};

} // namespace

void emitCountTasks(std::ostream &out, const ir::Program &program) { CountEmitter(out, program).emit(); }

} // namespace hetc::codegen
