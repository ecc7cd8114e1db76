#include "compiler/frontend/converter.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/until.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <utility>

namespace hetc::frontend {

using ir::ExprKind;

static constexpr const char *breakForm = "a loop ends early by 'if (tla::value(r) < tolerance) break;' directly in the "
                                         "body of an outermost loop, where r is "
                                         "a matrix or workspace that its tasks write";

void Converter::convertStatement(const clang::Stmt &statement, ir::Block &block) {
  if (statements_ == ir::maxNesting) {
    error(statement.getBeginLoc(), "statements are nested more than " + std::to_string(ir::maxNesting) + " deep");
    return;
  }
  ++statements_;
  convertKnown(statement, block);
  --statements_;
}

void Converter::convertKnown(const clang::Stmt &statement, ir::Block &block) {
  if (llvm::isa<clang::CompoundStmt>(statement))
    return convertCompound(statement, block);
  if (llvm::isa<clang::ForStmt>(statement))
    return convertLoop(statement, block);
  if (llvm::isa<clang::IfStmt>(statement))
    return convertIf(statement, block);
  if (llvm::isa<clang::DeclStmt>(statement))
    return convertDeclaration(statement);
  if (llvm::isa<clang::NullStmt>(statement))
    return;
  if (llvm::isa<clang::BreakStmt>(statement)) {
    error(statement.getBeginLoc(), breakForm);
    return;
  }
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(&statement)) {
    const clang::Expr &inner = strip(*expr);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&inner); call && call->getDirectCallee())
      return convertCall(*call, block);
    error(statement.getBeginLoc(),
          "a task program consists of loops, conditions and calls; values cannot be changed here")
        << statement.getSourceRange();
    return;
  }
  error(statement.getBeginLoc(),
        "this statement is outside the language of task programs: use for, if, const ints and calls")
      << statement.getSourceRange();
}

void Converter::convertCompound(const clang::Stmt &statement, ir::Block &block) {
  const std::size_t visible = names_.size();
  for (const clang::Stmt *child : llvm::cast<clang::CompoundStmt>(statement).body())
    convertStatement(*child, block);
  names_.resize(visible);
}

void Converter::convertLoop(const clang::Stmt &statement, ir::Block &block) {
  const auto &loop = llvm::cast<clang::ForStmt>(statement);
  const auto *init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const auto *variable = init && init->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl()) : nullptr;
  if (!variable || !variable->getInit() || elementType(variable->getType()) != ir::ElementType::I || !loop.getCond() ||
      !loop.getInc()) {
    error(loop.getForLoc(), "a loop of a task program has the form for (int i = first; condition; step)");
    return;
  }
  auto result = std::make_unique<ir::Loop>();
  result->location = locate(loop.getForLoc());
  result->init = convertExpr(*variable->getInit());
  result->variable = uniqueName(variable->getNameAsString());
  const std::size_t visible = names_.size();
  bind(*variable, {"", ir::makeVar(result->variable)});
  result->next = loopNext(*loop.getInc(), *variable, result->variable);
  const std::vector<const clang::CallExpr *> swaps = swapsIn(*loop.getBody());
  const std::optional<Rotation> rotation = enterRotation(swaps, *result);
  result->condition = convertExpr(*loop.getCond());
  ++loopDepth_;
  loops_.push_back(result->variable);
  const bool isWhole = result->init && result->condition && result->next;
  convertGuarded(isWhole ? ir::substitute(result->condition, {{result->variable, result->init}}) : ir::makeInt(1),
                 *loop.getBody(), result->body);
  --loopDepth_;
  loops_.pop_back();
  names_.resize(visible);
  const bool isUntil = program_.until && program_.until->loop == result->variable;
  if (isUntil && isWhole && !ir::iterationsOf(*result))
    error(loop.getForLoc(),
          "a loop that ends early counts by a constant, i < end, ++i or the like, to an end that does "
          "not change");
  if (rotation && isUntil)
    leaveEarly(*rotation, swaps);
  else if (rotation && result->condition)
    leaveRotation(*rotation, *result, loop.getForLoc());
  if (result->init && result->condition && result->next)
    block.push_back(std::move(result));
}

ir::ExprRef Converter::loopNext(const clang::Expr &outer, const clang::VarDecl &variable, const std::string &name) {
  const clang::Expr &increment = strip(outer);
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&increment);
  const auto *target = unary ? llvm::dyn_cast<clang::DeclRefExpr>(&strip(*unary->getSubExpr())) : nullptr;
  if (target && target->getDecl() == &variable && unary->isIncrementDecrementOp())
    return ir::makeBinary(unary->isIncrementOp() ? ExprKind::Add : ExprKind::Sub, ir::makeVar(name), ir::makeInt(1));
  return assignedNext(increment, variable, name);
}

/// i += c, i *= 2, i = f(i).
ir::ExprRef Converter::assignedNext(const clang::Expr &increment, const clang::VarDecl &variable,
                                    const std::string &name) {
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&increment);
  const auto *target = binary ? llvm::dyn_cast<clang::DeclRefExpr>(&strip(*binary->getLHS())) : nullptr;
  static const std::map<clang::BinaryOperatorKind, ExprKind> compound = {{clang::BO_AddAssign, ExprKind::Add},
                                                                         {clang::BO_SubAssign, ExprKind::Sub},
                                                                         {clang::BO_MulAssign, ExprKind::Mul},
                                                                         {clang::BO_DivAssign, ExprKind::Div}};
  if (target && target->getDecl() == &variable) {
    const auto found = compound.find(binary->getOpcode());
    if (found != compound.end() || binary->getOpcode() == clang::BO_Assign) {
      const ir::ExprRef value = convertExpr(*binary->getRHS());
      if (!value || found == compound.end())
        return value;
      const std::int64_t still = found->second == ExprKind::Add || found->second == ExprKind::Sub ? 0 : 1;
      if (value->kind == ExprKind::Int && value->value == still) {
        error(increment.getBeginLoc(),
              "this step does not change '" + variable.getNameAsString() + "', so the loop never ends");
        return nullptr;
      }
      return ir::makeBinary(found->second, ir::makeVar(name), value);
    }
  }
  error(increment.getBeginLoc(), "the step of a loop changes its own variable: ++" + variable.getNameAsString() + ", " +
                                     variable.getNameAsString() + " += c, or the like");
  return nullptr;
}

/// if (...) break; or nothing.
static bool isBreak(const clang::IfStmt &branch) {
  const clang::Stmt *then = branch.getThen();
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(then))
    then = compound->size() == 1 ? compound->body_front() : nullptr;
  return then && llvm::isa<clang::BreakStmt>(*then) && !branch.getElse();
}

/// The call of tla::value on the left of a comparison; null: there is none.
static const clang::CallExpr *valueOf(const clang::CXXOperatorCallExpr &comparison) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&strip(*comparison.getArg(0)));
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getQualifiedNameAsString() == "tla::value" ? call : nullptr;
}

void Converter::convertBreak(const clang::IfStmt &branch, std::size_t position) {
  static const std::map<clang::OverloadedOperatorKind, ExprKind> comparisons = {
      {clang::OO_Less, ExprKind::Lt},       {clang::OO_LessEqual, ExprKind::Le},
      {clang::OO_Greater, ExprKind::Gt},    {clang::OO_GreaterEqual, ExprKind::Ge},
      {clang::OO_EqualEqual, ExprKind::Eq}, {clang::OO_ExclaimEqual, ExprKind::Ne}};
  if (function_) {
    error(branch.getIfLoc(), "an element ends no loop of an algorithm that calls itself");
    return;
  }
  const auto *comparison = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&strip(*branch.getCond()));
  const auto kind = comparison ? comparisons.find(comparison->getOperator()) : comparisons.end();
  const clang::CallExpr *value = kind == comparisons.end() ? nullptr : valueOf(*comparison);
  if (!value || loops_.size() != 1 || guards_.size() != 1) {
    error(branch.getIfLoc(), breakForm);
    return;
  }
  if (program_.until) {
    error(branch.getIfLoc(), "a program ends one loop early, once: there is another such break before");
    return;
  }
  const std::optional<NamedMatrix> matrix = namedMatrix(*value->getArg(0));
  const ir::ExprRef bound = convertArgument(*comparison->getArg(1));
  if (!matrix || !bound)
    return;
  if (open_) {
    open_ = nullptr;
    error(branch.getIfLoc(),
          "which matrix this asks is decided by a loop or a swap: give the value a matrix of its own");
    return;
  }
  if (matrix->isTransposed) {
    error(branch.getIfLoc(), "a value is that of a matrix, not of its transpose");
    return;
  }
  if (matrix->window) {
    error(branch.getIfLoc(), "a value is that of a matrix, not of some of its tiles");
    return;
  }
  if (!ir::isDecidedByArguments(program_, *bound)) {
    error(branch.getIfLoc(), "what the value is compared with consists of constants and scalar parameters");
    return;
  }
  breakAt_ = branch.getIfLoc();
  program_.until =
      ir::Until{loops_.back(), position, matrix->name, kind->second, bound, nextTask_++, locate(branch.getIfLoc())};
  for (const char *name : {ir::stagePart, ir::stageAt, ir::stageBegun, ir::stageEnded}) {
    ir::Scalar scalar{name, "int", nullptr, {}, {}};
    scalar.ofStage = true;
    program_.scalars.push_back(std::move(scalar));
  }
}

void Converter::convertIf(const clang::Stmt &statement, ir::Block &block) {
  const auto &branch = llvm::cast<clang::IfStmt>(statement);
  if (isBreak(branch))
    return convertBreak(branch, block.size());
  if (branch.isConstexpr()) {
    if (const auto taken = branch.getNondiscardedCase(context_); taken && *taken)
      convertStatement(**taken, block);
    return;
  }
  if (branch.getInit() || branch.getConditionVariable()) {
    error(branch.getIfLoc(), "a condition of a task program declares no variable");
    return;
  }
  auto result = std::make_unique<ir::If>();
  result->location = locate(branch.getIfLoc());
  result->condition = convertExpr(*branch.getCond());
  // What a call of an algorithm gives is often a constant: the branch that is never taken is converted, for its errors,
  // and left out with the numbers of its tasks.
  const ir::ExprRef holds = result->condition ? result->condition : ir::makeInt(1);
  const auto value = ir::evaluate(*holds, {});
  const bool isKnown = result->condition && value, isTaken = value.value_or(0) != 0;
  const unsigned first = nextTask_;
  convertGuarded(holds, *branch.getThen(), result->then);
  if (isKnown && !isTaken)
    nextTask_ = first;
  const unsigned behindThen = nextTask_;
  if (branch.getElse())
    convertGuarded(ir::makeUnary(ExprKind::Not, holds), *branch.getElse(), result->otherwise);
  if (isKnown && isTaken)
    nextTask_ = behindThen;
  if (isKnown)
    std::ranges::move(isTaken ? result->then : result->otherwise, std::back_inserter(block));
  else if (result->condition)
    block.push_back(std::move(result));
}

/// Converts the statements inside an if or a loop, which are reached only where `guard` holds.
void Converter::convertGuarded(const ir::ExprRef &guard, const clang::Stmt &statement, ir::Block &block) {
  guards_.push_back(guard);
  ++controlDepth_;
  convertStatement(statement, block);
  --controlDepth_;
  guards_.pop_back();
}

void Converter::convertDeclaration(const clang::Stmt &statement) {
  for (const clang::Decl *decl : llvm::cast<clang::DeclStmt>(statement).decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
      convertVariable(*variable);
    else if (!llvm::isa<clang::TypedefNameDecl, clang::UsingDecl, clang::UsingDirectiveDecl, clang::StaticAssertDecl,
                        clang::UsingEnumDecl>(decl))
      error(decl->getBeginLoc(), "this declaration is outside the language of task programs");
  }
}

void Converter::convertVariable(const clang::VarDecl &variable) {
  if (!variable.hasLocalStorage() && !variable.isUsableInConstantExpressions(context_)) {
    error(variable.getLocation(),
          "variable '" + variable.getNameAsString() + "' is static: it would keep its first value; leave out 'static'");
    return;
  }
  if (const auto type = matrixType(variable.getType()))
    return convertMatrixVariable(variable, *type);
  if (!isLocalType(variable.getType()) || !variable.getInit()) {
    error(variable.getLocation(),
          "variable '" + variable.getNameAsString() +
              "' must be a const int, bool, option or number with a value, or a tla::Workspace");
    return;
  }
  if (!variable.getType().isConstQualified()) {
    error(variable.getLocation(),
          "variable '" + variable.getNameAsString() + "' must be const: only loops change values")
        << clang::FixItHint::CreateInsertion(variable.getBeginLoc(), "const ");
  }
  if (const ir::ExprRef value = convertExpr(*variable.getInit()))
    bind(variable, {"", value});
}

/// Types whose arithmetic is that of the IR.
bool Converter::isLocalType(clang::QualType type) {
  const bool wide = type->isSignedIntegerType() && context_.getIntWidth(type) >= context_.getIntWidth(context_.IntTy);
  return wide || type->isBooleanType() || !tlaEnumName(type).empty() || !castName(type).empty();
}

void Converter::convertWorkspace(const clang::VarDecl &variable, const MatrixType &type) {
  const auto *construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(
      variable.getInit() ? variable.getInit()->IgnoreParens()->IgnoreImplicit() : nullptr);
  const auto element = elementType(type.element);
  const unsigned sizes = construct ? construct->getNumArgs() : 0;
  if ((sizes != 3 && sizes != 4) || !element) {
    error(variable.getLocation(),
          "a workspace is declared as tla::Workspace<T> W(tile rows, tile columns, m, n) with tiles of m x n elements, "
          "or W(m, n, nb) cut as a matrix; elements are float, double, std::complex of either, or int");
    return;
  }
  if (function_) {
    error(variable.getLocation(), "workspace '" + variable.getNameAsString() + "' is declared where '" +
                                      function_->getNameAsString() +
                                      "' calls itself: each call would have its own; pass it one, and parts of that");
    return;
  }
  if (loopDepth_ > 0) {
    error(variable.getLocation(), "workspace '" + variable.getNameAsString() +
                                      "' is declared inside a loop: each iteration would "
                                      "have its own; declare it before the loops");
    return;
  }
  ir::Matrix matrix;
  matrix.kind = ir::MatrixKind::Workspace;
  matrix.type = *element;
  matrix.location = locate(variable.getLocation());
  matrix.rows = convertExpr(*construct->getArg(0));
  matrix.cols = convertExpr(*construct->getArg(1));
  matrix.tileRows = convertExpr(*construct->getArg(2));
  matrix.tileCols = sizes == 4 ? convertExpr(*construct->getArg(3)) : nullptr;
  for (const ir::ExprRef &size : {matrix.rows, matrix.cols, matrix.tileRows, matrix.tileCols})
    if (size && ir::asksTiles(*size)) {
      error(variable.getLocation(),
            "the size of workspace '" + variable.getNameAsString() +
                "' depends on which tiles a matrix has: make it of sizes and scalar parameters");
      return;
    }
  matrix.name = uniqueName(variable.getNameAsString());
  std::optional<Binding> binding;
  if (matrix.rows && matrix.cols && matrix.tileRows && (matrix.tileCols || sizes == 3))
    binding = makeScratch(matrix);
  for (const ir::ExprRef &size : {matrix.rows, matrix.cols, matrix.tileRows, matrix.tileCols})
    for (const std::string &name : size ? ir::variables(*size) : std::vector<std::string>())
      if (const ir::Scalar *scalar = program_.findScalar(name); !scalar || scalar->ofStage) {
        error(variable.getLocation(), "the size of workspace '" + variable.getNameAsString() + "' depends on " +
                                          (scalar ? "how often a loop goes on" : "the loop variable '" + name + "'") +
                                          "; declare it before the loops");
        return;
      }
  bind(variable, binding.value_or(Binding{matrix.name, nullptr}));
  matrix.madeIn = loops_;
  program_.matrices.push_back(std::move(matrix));
}

} // namespace hetc::frontend
