// Matrices that a loop swaps, and which of them has which name in each turn.
#include "compiler/frontend/converter.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/simplify.hpp"
#include "compiler/ir/sum.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace hetc::frontend {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

/// The most iterations until swaps in a loop have brought back what was: each matrix is a case of its own.
constexpr unsigned longestRotation = 6;

/// The non-negative remainder of a modulo size.
ExprRef rest(const ExprRef &a, const ExprRef &size) {
  return ir::makeBinary(ExprKind::Rem, ir::makeBinary(ExprKind::Add, ir::makeBinary(ExprKind::Rem, a, size), size),
                        size);
}

/// The quotient a / size, rounded down.
ExprRef quotient(const ExprRef &a, const ExprRef &size) {
  const ExprRef isBelow = ir::makeBinary(ExprKind::Lt, ir::makeBinary(ExprKind::Rem, a, size), ir::makeInt(0));
  return ir::makeBinary(ExprKind::Sub, ir::makeBinary(ExprKind::Div, a, size),
                        ir::makeSelect(isBelow, ir::makeInt(1), ir::makeInt(0)));
}

/// (to - from) / step for from <= to, both int, step >= 1. The difference of two ints may be none; with steps of 1 a
/// loop of so many iterations does not come to its end. `isNatural`: from >= 0.
ExprRef stepsBetween(const ExprRef &from, const ExprRef &to, const ExprRef &step, bool isNatural) {
  const bool isFromZero = from->kind == ExprKind::Int && from->value == 0;
  const ExprRef way = isFromZero ? to : ir::makeBinary(ExprKind::Sub, to, from);
  if (step->value == 1)
    return way;
  if (isNatural)
    return ir::makeBinary(ExprKind::Div, way, step);
  const ExprRef carry =
      ir::makeSelect(ir::makeBinary(ExprKind::Lt, rest(to, step), rest(from, step)), ir::makeInt(1), ir::makeInt(0));
  return ir::makeBinary(ExprKind::Sub, ir::makeBinary(ExprKind::Sub, quotient(to, step), quotient(from, step)), carry);
}

bool isNatural(const ExprRef &value) { return value && value->kind == ExprKind::Int && value->value >= 0; }

/// The value with which a loop's condition compares its variable, where that says how often the loop goes on; null:
/// there is none.
ExprRef limitOf(const ir::Loop &loop) {
  const ir::Expr &condition = *loop.condition;
  const bool adds = ir::stepSize(loop).adds;
  if (condition.kind != (adds ? ExprKind::Lt : ExprKind::Gt) && condition.kind != (adds ? ExprKind::Le : ExprKind::Ge))
    return nullptr;
  const ExprRef &left = condition.operands[0], &right = condition.operands[1];
  const bool isCount = left->kind == ExprKind::Var && left->text == loop.variable &&
                       !std::ranges::count(ir::variables(*right), loop.variable);
  return isCount ? right : nullptr;
}

/// How often the loop has gone on when its variable has this value, which it comes to; what it adds to the variable is
/// a constant. `limit`: limitOf(), or null.
ExprRef turnsUntil(const ir::Loop &loop, const ExprRef &value, const ExprRef &limit) {
  const ir::StepSize step = ir::stepSize(loop);
  return step.adds ? stepsBetween(loop.init, value, step.size, isNatural(loop.init))
                   : stepsBetween(value, loop.init, step.size, isNatural(limit));
}

/// The number of iterations; null: not known. No number that C++ does not come to is computed: first whether there is
/// an iteration at all.
ExprRef turnsOf(const ir::Loop &loop) {
  const ExprRef limit = limitOf(loop);
  if (!limit)
    return nullptr;
  const ir::StepSize step = ir::stepSize(loop);
  const bool isOpen = loop.condition->kind == ExprKind::Lt || loop.condition->kind == ExprKind::Gt;
  const ExprRef &low = step.adds ? loop.init : limit, &high = step.adds ? limit : loop.init;
  if (isOpen && step.size->value == 1 && low->kind == ExprKind::Int && low->value == 0)
    return ir::makeBinary(ExprKind::Max, ir::makeInt(0), high);
  const ExprRef begins = ir::substitute(loop.condition, {{loop.variable, loop.init}});
  if (isOpen && step.size->value == 1)
    return ir::makeSelect(begins, turnsUntil(loop, limit, limit), ir::makeInt(0));
  const ExprRef last =
      isOpen ? ir::makeBinary(step.adds ? ExprKind::Sub : ExprKind::Add, limit, ir::makeInt(1)) : limit;
  return ir::makeSelect(begins, ir::makeBinary(ExprKind::Add, turnsUntil(loop, last, limit), ir::makeInt(1)),
                        ir::makeInt(0));
}

} // namespace

/// Where both names are declared right here, or right around a loop in whose body this stands: then it is known at each
/// place what they mean.
void Converter::convertSwap(const clang::CallExpr &call) {
  const clang::VarDecl *names[] = {variableOf(*call.getArg(0)), variableOf(*call.getArg(1))};
  for (const clang::VarDecl *name : names) {
    if (!name || !bindings_.contains(name) || !bindings_.at(name).isMatrix()) {
      error(call.getBeginLoc(), "swap takes two matrices of this algorithm by their names");
      return;
    }
    if (name->getType()->isReferenceType() || referred_.contains(name)) {
      error(call.getBeginLoc(),
            "'" + name->getNameAsString() +
                "' is a reference, or has one: swap names that are copies, as in tla::Matrix<T> X = A");
      return;
    }
  }
  const unsigned depth = loopSwaps_.contains(&call) ? controlDepth_ - 1 : controlDepth_;
  if (declaredAt_.at(names[0]) != depth || declaredAt_.at(names[1]) != depth) {
    error(
        call.getBeginLoc(),
        "a swap stands directly in the body of a loop, right outside of which both names are declared, or where they "
        "are declared themselves; for other cases choose the matrix by a condition: const auto X = k % 2 == 0 ? A : B");
    return;
  }
  std::swap(bindings_.at(names[0]), bindings_.at(names[1]));
}

/// The swaps directly in the body of a loop that is about to be entered, of names declared right outside of it.
std::vector<const clang::CallExpr *> Converter::swapsIn(const clang::Stmt &body) const {
  std::vector<const clang::CallExpr *> swaps;
  const auto isOutside = [&](const clang::Expr &argument) {
    const clang::VarDecl *name = variableOf(argument);
    const auto binding = bindings_.find(name);
    return name && binding != bindings_.end() && binding->second.isMatrix() && declaredAt_.at(name) == controlDepth_;
  };
  const auto add = [&](const clang::Stmt &statement) {
    const auto *expr = llvm::dyn_cast<clang::Expr>(&statement);
    const auto *call = expr ? llvm::dyn_cast<clang::CallExpr>(&strip(*expr)) : nullptr;
    if (call && isSwap(*call) && isOutside(*call->getArg(0)) && isOutside(*call->getArg(1)))
      swaps.push_back(call);
  };
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(&body))
    for (const clang::Stmt *child : compound->body())
      add(*child);
  else
    add(body);
  return swaps;
}

Converter::Rotation Converter::rotationOf(const std::vector<const clang::CallExpr *> &swaps) const {
  Rotation rotation;
  for (const clang::CallExpr *swap : swaps) {
    const clang::VarDecl *first = variableOf(*swap->getArg(0)), *second = variableOf(*swap->getArg(1));
    for (const clang::VarDecl *name : {first, second}) {
      rotation.now.emplace(name, name);
      rotation.before.emplace(name, bindings_.at(name));
    }
    std::swap(rotation.now.at(first), rotation.now.at(second));
  }
  const auto isBack = [&](unsigned turns) {
    return std::ranges::all_of(rotation.now, [&](const auto &entry) {
      const clang::VarDecl *name = entry.first;
      for (unsigned turn = 0; turn < turns; ++turn)
        name = rotation.now.at(name);
      return name == entry.first;
    });
  };
  while (!isBack(rotation.order))
    ++rotation.order;
  return rotation;
}

/// Binds names to their meaning after so many turns.
void Converter::bindRotated(const Rotation &rotation, const ExprRef &turns) {
  for (const auto &[name, next] : rotation.now) {
    std::vector<const Binding *> after; // so many turns
    const clang::VarDecl *at = name;
    for (unsigned turn = 0; turn < rotation.order; ++turn, at = rotation.now.at(at))
      after.push_back(&rotation.before.at(at));
    Binding meaning = *after.back();
    for (unsigned turn = rotation.order - 1; turn-- > 0;)
      meaning = choose(ir::simplify(ir::makeBinary(
                           ExprKind::Eq,
                           ir::makeBinary(ExprKind::Rem, turns, ir::makeInt(static_cast<std::int64_t>(rotation.order))),
                           ir::makeInt(turn))),
                       *after[turn], meaning);
    bindings_.at(name) = meaning;
  }
}

/// A loop with swaps in its body: inside, names mean what the turns so far have made of them. Nothing: there are none.
std::optional<Converter::Rotation> Converter::enterRotation(const std::vector<const clang::CallExpr *> &swaps,
                                                            const ir::Loop &loop) {
  if (swaps.empty() || !loop.init || !loop.next)
    return std::nullopt;
  const Rotation rotation = rotationOf(swaps);
  const ir::StepSize step = ir::stepSize(loop);
  if (!step.size || step.size->kind != ExprKind::Int || step.size->value <= 0) {
    error(swaps.front()->getBeginLoc(),
          "a loop with a swap in its body goes on by a constant: ++i, i += 2, or the like");
    return std::nullopt;
  }
  if (rotation.order > longestRotation) {
    error(swaps.front()->getBeginLoc(), "the swaps of this loop bring back what was after " +
                                            std::to_string(rotation.order) + " iterations; at most " +
                                            std::to_string(longestRotation) + " are known");
    return std::nullopt;
  }
  loopSwaps_.insert(swaps.begin(), swaps.end());
  bindRotated(rotation, turnsUntil(loop, ir::makeVar(loop.variable), nullptr)); // the condition is not known yet
  return rotation;
}

/// Binds names, behind the loop, to their meaning after all of its turns.
void Converter::leaveRotation(const Rotation &rotation, const ir::Loop &loop, clang::SourceLocation location) {
  if (const ExprRef turns = turnsOf(loop))
    return bindRotated(rotation, turns);
  error(location,
        "a loop with a swap in its body has a condition that says how often it goes on: i < end, or the like, "
        "with an end that does not change");
}

/// Binds names behind a loop that may end early to the meaning that swaps before and behind the break have given them.
void Converter::leaveEarly(const Rotation &rotation, const std::vector<const clang::CallExpr *> &swaps) {
  const auto isBefore = [&](const clang::CallExpr *swap) {
    return context_.getSourceManager().isBeforeInTranslationUnit(swap->getBeginLoc(), breakAt_);
  };
  const auto before = std::ranges::count_if(swaps, isBefore);
  if (before == 0 || before == std::ssize(swaps))
    return bindRotated(rotation, ir::makeVar(before ? ir::stageBegun : ir::stageEnded));
  error(swaps.front()->getBeginLoc(), "the swaps of a loop that ends early all stand before the break, or behind it");
}

} // namespace hetc::frontend
