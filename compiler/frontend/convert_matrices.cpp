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

/// All variables in an expression.
void addVariables(const clang::Stmt &expr, std::set<const clang::VarDecl *> &variables) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      variables.insert(variable);
  for (const clang::Stmt *child : expr.children())
    if (child)
      addVariables(*child, variables);
}

} // namespace

const clang::VarDecl *variableOf(const clang::Expr &expr) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&strip(expr));
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

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

} // namespace hetc::frontend
