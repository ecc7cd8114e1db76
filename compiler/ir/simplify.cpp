#include "compiler/ir/simplify.hpp"

#include "compiler/ir/expr_properties.hpp"

namespace hetc::ir {

namespace {

bool isInt(const ExprRef &expr, std::int64_t value) { return expr->kind == ExprKind::Int && expr->value == value; }

/// T(1) of 1: as branches of one expression both are T(1).
bool isCastOf(const ExprRef &cast, const ExprRef &number) {
  return cast->kind == ExprKind::Cast && number->kind == ExprKind::Int && equal(*cast->operands[0], *number);
}

/// `constant` && other, or || with `decides` = 1.
ExprRef simplifyLogic(std::int64_t constant, const ExprRef &other, bool decides) {
  if ((constant != 0) == decides)
    return makeInt(decides);
  return isCondition(other->kind) ? other : nullptr;
}

/// One operation on operands that are simple; null: nothing to do.
ExprRef simplifyOperator(const Expr &expr) {
  const ExprRef &a = expr.operands[0], b = expr.operands.size() > 1 ? expr.operands[1] : nullptr;
  switch (expr.kind) {
  case ExprKind::Add:
    return isInt(a, 0) ? b : isInt(b, 0) ? a : nullptr;
  case ExprKind::Sub:
    if (b->kind == ExprKind::Int && a->kind == ExprKind::Add && a->operands[1]->kind == ExprKind::Int)
      return simplify(makeBinary(ExprKind::Add, a->operands[0], makeInt(a->operands[1]->value - b->value)));
    return isInt(b, 0) ? a : nullptr;
  case ExprKind::Mul:
    return isInt(a, 1) ? b : isInt(b, 1) ? a : nullptr;
  case ExprKind::Div:
    return isInt(b, 1) ? a : nullptr;
  case ExprKind::Min:
  case ExprKind::Max:
    return equal(*a, *b) ? a : nullptr;
  case ExprKind::And:
  case ExprKind::Or: {
    const bool decides = expr.kind == ExprKind::Or;
    if (a->kind == ExprKind::Int)
      return simplifyLogic(a->value, b, decides);
    return b->kind == ExprKind::Int ? simplifyLogic(b->value, a, decides) : nullptr;
  }
  case ExprKind::Not:
    return a->kind == ExprKind::Not && isCondition(a->operands[0]->kind) ? a->operands[0] : nullptr;
  case ExprKind::Eq: // of a truth: itself, or its negation
    if (isCondition(a->kind) && b->kind == ExprKind::Int && (b->value == 0 || b->value == 1))
      return b->value ? a : simplify(makeUnary(ExprKind::Not, a));
    return isCondition(b->kind) && a->kind == ExprKind::Int ? simplify(makeBinary(ExprKind::Eq, b, a)) : nullptr;
  case ExprKind::Select:
    if (a->kind == ExprKind::Int)
      return expr.operands[a->value ? 1 : 2];
    if (isCastOf(expr.operands[2], expr.operands[1]))
      return expr.operands[2];
    return equal(*expr.operands[1], *expr.operands[2]) ? expr.operands[1] : nullptr;
  default:
    return nullptr;
  }
}

} // namespace

ExprRef simplify(const ExprRef &expr) {
  if (!expr || expr->operands.empty())
    return expr;
  auto result = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : result->operands)
    operand = simplify(operand);
  if (expr->kind == ExprKind::Extent)
    return expr->extent == Extent::SliceBegin && isInt(result->operands[0], 0) ? makeInt(0) : result;
  if (expr->kind != ExprKind::Select)
    if (const auto value = evaluate(*result, {}))
      return makeInt(*value);
  if (ExprRef simple = simplifyOperator(*result))
    return simple;
  return result->operands == expr->operands ? expr : result;
}

} // namespace hetc::ir
