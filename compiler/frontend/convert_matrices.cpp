// What names of matrices stand for. All are handles: a copy names the same tiles, c ? A : B one of two matrices,
// decided by control, LowerMatrix(A) the triangle of A, and swap(A, B) changes what two names stand for.
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

bool isTriangle(clang::QualType type) {
  const auto matrix = matrixType(type);
  return matrix && (matrix->kind == ir::MatrixKind::Lower || matrix->kind == ir::MatrixKind::Upper);
}

/// The matrix that is copied, or of which a triangle is taken: the only argument of its constructor.
const clang::Expr *copiedFrom(const clang::Expr &expr) {
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(&expr);
  return construct && construct->getNumArgs() == 1 && matrixType(construct->getType()) &&
                 matrixType(construct->getArg(0)->getType())
             ? construct->getArg(0)
             : nullptr;
}

/// The extent of the transpose that equals this one of the matrix.
Extent transposed(Extent extent) {
  static const std::map<Extent, Extent> others = {
      {Extent::M, Extent::N},   {Extent::N, Extent::M},   {Extent::Mt, Extent::Nt}, {Extent::Nt, Extent::Mt},
      {Extent::Mb, Extent::Nb}, {Extent::Nb, Extent::Mb}, {Extent::P, Extent::Q},   {Extent::Q, Extent::P}};
  return others.at(extent);
}

const clang::VarDecl *variableOf(const clang::Expr &expr) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&strip(expr));
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// All variables in an expression.
void addVariables(const clang::Stmt &expr, std::set<const clang::VarDecl *> &variables) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      variables.insert(variable);
  for (const clang::Stmt *child : expr.children())
    if (child)
      addVariables(*child, variables);
}

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

bool isConjTrans(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->getQualifiedNameAsString() == "tla::conjTrans" && call.getNumArgs() == 1;
}

bool isSwap(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const std::string name = callee ? callee->getQualifiedNameAsString() : "";
  return (name == "std::swap" || name == "tla::swap") && call.getNumArgs() == 2 &&
         matrixType(call.getArg(0)->getType()) && matrixType(call.getArg(1)->getType());
}

/// The matrix that an expression stands for, among those that hetc knows.
std::optional<Converter::Binding> Converter::matrixOf(const clang::Expr &outer) {
  const clang::Expr &expr = *outer.IgnoreParens()->IgnoreImplicit();
  if (const clang::Expr *original = copiedFrom(expr)) {
    const auto matrix = matrixOf(*original);
    if (matrix && isTriangle(expr.getType()) && !isTriangle(original->getType()))
      requireSquare(*matrix, expr.getBeginLoc());
    return matrix;
  }
  if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&expr); cast && matrixType(cast->getType()))
    return matrixOf(*cast->getSubExpr());
  if (const auto *select = llvm::dyn_cast<clang::ConditionalOperator>(&expr); select && matrixType(select->getType()))
    return chosenMatrix(*select);
  if (const clang::CXXMemberCallExpr *call = asTiles(expr))
    return tilesOf(*call);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&expr); call && isConjTrans(*call)) {
    auto matrix = matrixOf(*call->getArg(0));
    if (matrix)
      matrix->isTransposed = !matrix->isTransposed;
    return matrix;
  }
  if (&expr != &outer)
    return matrixOf(expr);
  const auto found = bindings_.find(variableOf(expr));
  return found == bindings_.end() || !found->second.isMatrix() ? std::nullopt : std::optional(found->second);
}

std::optional<Converter::Binding> Converter::chosenMatrix(const clang::ConditionalOperator &select) {
  const ExprRef condition = convertExpr(*select.getCond());
  const auto then = matrixOf(*select.getTrueExpr()), otherwise = matrixOf(*select.getFalseExpr());
  return condition && then && otherwise ? std::optional(choose(condition, *then, *otherwise)) : std::nullopt;
}

Converter::Binding Converter::choose(const ExprRef &condition, const Binding &then, const Binding &otherwise) {
  if (const auto known = ir::evaluate(*condition, {}))
    return *known ? then : otherwise;
  if (!then.choice && !otherwise.choice && then.matrix == otherwise.matrix &&
      then.isTransposed == otherwise.isTransposed && then.window == otherwise.window)
    return then;
  return {"", nullptr, std::make_shared<const Choice>(Choice{condition, then, otherwise})};
}

/// In the case in which a task is being converted. A choice that this case leaves open becomes cases, too.
Converter::NamedMatrix Converter::decide(const Binding &binding) {
  const Binding *one = &binding;
  bool isTransposed = binding.isTransposed;
  while (const Choice *choice = one->choice.get()) {
    const auto known =
        std::ranges::find_if(decided_, [&](const auto &each) { return ir::equal(*each.first, *choice->condition); });
    if (known == decided_.end() && !open_)
      open_ = choice->condition;
    one = known == decided_.end() || known->second ? &choice->then : &choice->otherwise;
    isTransposed = isTransposed != one->isTransposed;
  }
  return {one->matrix, isTransposed, one->window};
}

std::optional<Converter::NamedMatrix> Converter::namedMatrix(const clang::Expr &expr) {
  const auto matrix = matrixOf(expr);
  return matrix ? std::optional(decide(*matrix)) : std::nullopt;
}

/// A size of the matrix; where it may be one of two, of both alike if that can be seen.
ExprRef Converter::extentOf(const Binding &binding, Extent asked) {
  const Extent extent = binding.isTransposed ? transposed(asked) : asked;
  if (!binding.choice)
    return storedExtentOf(binding, extent);
  const auto [known, isNew] = chosenSizes_.try_emplace({binding.choice, extent}, nullptr);
  return isNew ? known->second = chosenSize(*binding.choice, extent) : known->second;
}

/// Returns the size of the matrix as it lies in memory, of a binding that is no choice.
ExprRef Converter::storedExtentOf(const Binding &binding, Extent extent) {
  return binding.window ? extentOfPart(binding.matrix, binding.window->range, extent)
                        : makeExtent(binding.matrix, extent);
}

ExprRef Converter::hasOf(const Binding &binding, const ExprRef &row, const ExprRef &column) {
  const ExprRef &i = binding.isTransposed ? column : row, &j = binding.isTransposed ? row : column;
  if (const Choice *const choice = binding.choice.get()) {
    const ExprRef then = hasOf(choice->then, i, j), otherwise = hasOf(choice->otherwise, i, j);
    return then && otherwise ? ir::makeSelect(choice->condition, then, otherwise) : nullptr;
  }
  if (const Window *const window = binding.window.get()) {
    const auto moved = [](const ExprRef &index, const ExprRef &begin) {
      return ir::simplify(ir::makeBinary(ExprKind::Add, begin, index));
    };
    const ExprRef has = hasOf({binding.matrix, nullptr}, moved(i, window->range.row), moved(j, window->range.column));
    return has ? ir::makeBinary(ExprKind::And, isInWindow(*window, i, j), has) : nullptr;
  }
  if (program_.findMatrix(binding.matrix)->kind != ir::MatrixKind::Workspace)
    return ir::makeHas(binding.matrix, i, j);
  const ExprRef rows = makeExtent(binding.matrix, Extent::Mt), columns = makeExtent(binding.matrix, Extent::Nt);
  if (!rows || !columns)
    return nullptr;
  return ir::chain(nullptr, ExprKind::And,
                   {ir::makeBinary(ExprKind::Ge, i, ir::makeInt(0)), ir::makeBinary(ExprKind::Lt, i, rows),
                    ir::makeBinary(ExprKind::Ge, j, ir::makeInt(0)), ir::makeBinary(ExprKind::Lt, j, columns)});
}

ExprRef Converter::chosenSize(const Choice &choice, Extent extent) {
  const ExprRef then = extentOf(choice.then, extent), otherwise = extentOf(choice.otherwise, extent);
  if (!then || !otherwise)
    return nullptr;
  return isSameSize(then, otherwise) ? then : ir::makeSelect(choice.condition, then, otherwise);
}

/// The size over m, n, k and one tile size, as parameters have it.
ExprRef Converter::sizeSymbols(const ExprRef &size) const {
  if (size->kind == ExprKind::Extent && !ir::isPeriod(size->extent)) {
    const ir::Matrix &matrix = *program_.findMatrix(size->text);
    const bool isWorkspace = matrix.kind == ir::MatrixKind::Workspace;
    const ExprRef tile = isWorkspace ? sizeSymbols(matrix.tileRows) : ir::makeVar(".nb");
    const bool isRows = size->extent == Extent::M || size->extent == Extent::Mt || size->extent == Extent::Mb;
    const ExprRef &of = isRows ? matrix.rows : matrix.cols;
    const ExprRef elements = isWorkspace ? sizeSymbols(of) : of;
    if (size->extent == Extent::Mb || size->extent == Extent::Nb)
      return tile;
    const bool isTiles = size->extent == Extent::Mt || size->extent == Extent::Nt;
    // Rounded up, as no quotient in a program is: a symbol of its own.
    return isTiles ? ir::makeVar("." + ir::print(*elements) + " in tiles of " + ir::print(*tile)) : elements;
  }
  auto copy = std::make_shared<ir::Expr>(*size);
  for (ExprRef &operand : copy->operands)
    operand = sizeSymbols(operand);
  return copy;
}

bool Converter::isSameSize(const ExprRef &size, const ExprRef &other) const {
  return ir::equal(*size, *other) || ir::equal(*sizeSymbols(size), *sizeSymbols(other));
}

/// A triangle is one of a square matrix in square tiles.
void Converter::requireSquare(const Binding &binding, clang::SourceLocation location) {
  for (const auto &[first, second] : {std::pair(Extent::Mb, Extent::Nb), std::pair(Extent::M, Extent::N)}) {
    const ExprRef rows = extentOf(binding, first), cols = extentOf(binding, second);
    if (!rows || !cols || isSameSize(rows, cols))
      continue;
    const ExprRef condition = ir::makeBinary(ExprKind::Eq, ir::simplify(rows), ir::simplify(cols));
    addRequirement(location, "", "a triangle is one of a square matrix in square tiles", condition);
  }
}

void Converter::convertMatrixVariable(const clang::VarDecl &variable, const MatrixType &type) {
  const clang::Expr *init = variable.getInit();
  const bool hadFailed = std::exchange(failed_, false);
  const auto matrix = init ? matrixOf(*init) : std::nullopt;
  const bool isWrong = std::exchange(failed_, failed_ || hadFailed);
  if (matrix) {
    referred_.erase(&variable); // of a call before
    if (variable.getType()->isReferenceType())
      addVariables(*init, referred_);
    return bind(variable, *matrix);
  }
  if (isWrong)
    return;
  if (type.kind == ir::MatrixKind::Workspace)
    return convertWorkspace(variable, type);
  error(variable.getLocation(), "matrices are parameters of the algorithm; for scratch tiles declare a tla::Workspace");
}

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
