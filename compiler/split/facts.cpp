#include "compiler/split/facts.hpp"

#include "compiler/ir/simplify.hpp"

#include <algorithm>

namespace hetc::split {

using ir::ExprKind;
using ir::ExprRef;

void Facts::add(const ExprRef &given, bool holds) {
  const ExprRef condition = ir::simplify(given);
  if (condition->kind == (holds ? ExprKind::And : ExprKind::Or)) {
    add(condition->operands[0], holds);
    return add(condition->operands[1], holds);
  }
  if (condition->kind == ExprKind::Not)
    return add(condition->operands[0], !holds);
  // Without isKnown() what follows from two facts in turn would be added for ever.
  if (condition->kind == ExprKind::Int || isKnown(condition, holds))
    return;
  // What was known of several conditions together may now say something of one.
  std::vector<std::pair<ExprRef, bool>> open;
  for (const auto &fact : known_)
    if (fact.first->kind == ExprKind::And || fact.first->kind == ExprKind::Or)
      open.push_back(fact);
  known_.emplace_back(condition, holds);
  for (const auto &[several, hold] : open)
    if (const ExprRef rest = apply(several); rest->kind != ExprKind::Int && rest->kind != several->kind)
      add(rest, hold);
}

bool Facts::isKnown(const ExprRef &condition, bool holds) const {
  return std::ranges::any_of(known_,
                             [&](const auto &fact) { return fact.second == holds && equal(*fact.first, *condition); });
}

ExprRef Facts::apply(const ExprRef &given) const {
  const ExprRef expr = ir::simplify(given);
  for (const auto &[condition, holds] : known_) {
    if (ir::equal(*condition, *expr) && condition->kind != ExprKind::And && condition->kind != ExprKind::Or)
      return ir::makeInt(holds);
    const bool negated = (condition->kind == ExprKind::Eq && expr->kind == ExprKind::Ne) ||
                         (condition->kind == ExprKind::Ne && expr->kind == ExprKind::Eq);
    if (negated && ir::equal(*condition->operands[0], *expr->operands[0]) &&
        ir::equal(*condition->operands[1], *expr->operands[1]))
      return ir::makeInt(!holds);
    // op == NoTrans says what op == Trans is.
    const bool isValue = condition->kind == ExprKind::Eq && holds && condition->operands[1]->kind == ExprKind::Enum;
    if (isValue && (expr->kind == ExprKind::Eq || expr->kind == ExprKind::Ne) &&
        ir::equal(*condition->operands[0], *expr->operands[0]))
      return ir::simplify(ir::makeBinary(expr->kind, condition->operands[1], expr->operands[1]));
  }
  if (expr->operands.empty())
    return expr;
  auto result = std::make_shared<ir::Expr>(*expr);
  for (ExprRef &operand : result->operands)
    operand = apply(operand);
  return ir::simplify(result->operands == expr->operands ? expr : result);
}

} // namespace hetc::split
