#include "compiler/frontend/only_read.hpp"

#include "compiler/frontend/types.hpp"

#include <clang/AST/ExprCXX.h>

#include <optional>
#include <set>
#include <string>

namespace hetc::frontend {

namespace {

/// Looks for uses of the parameter that are not surely reads.
class Uses {
public:
  explicit Uses(const clang::ParmVarDecl &parameter) : parameter_(parameter) {}

  void visit(const clang::Stmt &statement) {
    if (visitAssignment(statement))
      return;
    if (isUse(statement)) // nothing around it has said that it is a read
      written_ = unclear_ = true;
    else if (const clang::Expr *object = read(statement)) {
      used_ = true;
      visitArguments(*object);
      return;
    }
    visitChildren(statement);
  }
  bool onlyReads() const { return used_ && !written_; }
  bool onlyChanges() const { return changed_ && !assigned_ && !unclear_; }

private:
  static const clang::Expr &plain(const clang::Expr &expr) { return *expr.IgnoreParenImpCasts()->IgnoreImplicit(); }

  bool isUse(const clang::Stmt &statement) const {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
    return reference && reference->getDecl() == &parameter_;
  }

  static bool isOperator(const clang::Expr &expr) {
    const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
    return call && call->getOperator() == clang::OO_Call && call->getNumArgs() > 0;
  }

  /// The parameter itself, a tile of it if it is a panel, or a part of that.
  bool isTile(const clang::Expr &outer) const {
    const clang::Expr &expr = plain(outer);
    if (isUse(expr))
      return true;
    if (isOperator(expr) && tileType(expr.getType())) // P(r)
      return isTile(*llvm::cast<clang::CallExpr>(expr).getArg(0));
    const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
    return call && tileType(call->getType()) && isTile(*call->getImplicitObjectArgument());
  }

  /// A(i, j), or the address of the first element.
  bool isElement(const clang::Expr &outer) const {
    const clang::Expr &expr = plain(outer);
    if (isOperator(expr) && !tileType(expr.getType()))
      return isTile(*llvm::cast<clang::CallExpr>(expr).getArg(0));
    return isCallOf(expr, {"data"});
  }

  bool isCallOf(const clang::Expr &expr, const std::set<std::string> &members) const {
    const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
    return call && call->getMethodDecl() && members.contains(call->getMethodDecl()->getNameAsString()) &&
           isTile(*call->getImplicitObjectArgument());
  }

  static bool isConstant(clang::QualType type) {
    const clang::QualType plain = type.getNonReferenceType();
    return plain->isPointerType() ? plain->getPointeeType().isConstQualified() : plain.isConstQualified();
  }

  /// Visits A(i, j) = x, A(i, j) += x, of numbers or of classes.
  bool visitAssignment(const clang::Stmt &statement) {
    const clang::Expr *left = nullptr, *right = nullptr;
    bool changes = false;
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement); binary && binary->isAssignmentOp()) {
      left = binary->getLHS();
      right = binary->getRHS();
      changes = binary->isCompoundAssignmentOp();
    } else if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&statement);
               call && call->isAssignmentOp() && call->getNumArgs() == 2) {
      left = call->getArg(0);
      right = call->getArg(1);
      changes = call->getOperator() != clang::OO_Equal;
    }
    if (!left || !isElement(*left) || isCallOf(plain(*left), {"data"}))
      return false;
    (changes ? changed_ : assigned_) = written_ = true;
    visitArguments(plain(*left));
    visit(*right);
    return true;
  }

  /// The operand that a statement reads, where it is a read: the tile, or the element.
  const clang::Expr *read(const clang::Stmt &statement) const {
    const auto *expr = llvm::dyn_cast<clang::Expr>(&statement);
    if (!expr)
      return nullptr;
    if (isCallOf(*expr, {"m", "n", "mt", "ld", "region"}))
      return expr;
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expr)) {
      const bool isValue = cast->getCastKind() == clang::CK_LValueToRValue ||
                           (cast->getCastKind() == clang::CK_NoOp && isConstant(cast->getType()));
      return isValue && isElement(*cast->getSubExpr()) ? cast->getSubExpr() : nullptr;
    }
    const auto type = tileType(expr->getType());
    const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    const bool isConstTile = type && type->access == ir::Access::Read;
    return copy && isConstTile && copy->getNumArgs() == 1 && isTile(*copy->getArg(0)) ? copy->getArg(0) : nullptr;
  }

  /// The indices of A(i, j), of P(r), of A.rows(first, count): they may use the parameter, too.
  void visitArguments(const clang::Expr &outer) {
    const clang::Expr &expr = plain(outer);
    if (isUse(expr))
      return;
    const auto &call = llvm::cast<clang::CallExpr>(expr);
    const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    visitArguments(member ? *member->getImplicitObjectArgument() : *call.getArg(0));
    for (unsigned i = member ? 0 : 1; i < call.getNumArgs(); ++i)
      visit(*call.getArg(i));
  }

  void visitChildren(const clang::Stmt &statement) {
    for (const clang::Stmt *child : statement.children())
      if (child)
        visit(*child);
  }

  const clang::ParmVarDecl &parameter_;
  bool used_ = false, written_ = false;
  bool assigned_ = false, changed_ = false, unclear_ = false; ///< elements; in some other way
};

std::optional<Uses> usesIn(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter) {
  const clang::FunctionDecl *definition = nullptr;
  if (!kernel.hasBody(definition) || !definition->getBody())
    return std::nullopt;
  Uses uses(*definition->getParamDecl(parameter.getFunctionScopeIndex()));
  uses.visit(*definition->getBody());
  return uses;
}

} // namespace

bool isOnlyRead(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter) {
  const auto uses = usesIn(kernel, parameter);
  return uses && uses->onlyReads();
}

bool isOnlyChanged(const clang::FunctionDecl &kernel, const clang::ParmVarDecl &parameter) {
  const auto uses = usesIn(kernel, parameter);
  return uses && uses->onlyChanges();
}

} // namespace hetc::frontend
