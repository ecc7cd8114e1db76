#include "compiler/dependence/loops.hpp"

#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace hetc::dependence {

using ir::ExprKind;

namespace {
bool mentions(const ir::Expr &expr, const std::string &name) {
  const auto names = ir::variables(expr);
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void failLoop(const ir::Loop &loop, const ir::Expr &expr, const std::string &reason) {
  throw NonAffine{loop.location, ir::print(expr), reason};
}

/// `next` minus the variable.
long constantStep(AffineTranslator &translator, const ir::Loop &loop) {
  const isl::pw_aff step = translator.value(*loop.next).sub(translator.parameter(loop.variable)).coalesce();
  const std::string what = "the step of loop '" + loop.variable + "' is ";
  const isl::set universe = translator.universe();
  for (const isl::val &value : {step.min_val(), step.max_val()})
    if (!value.is_int() || !step.eq_set(universe.pw_aff_on_domain(value)).is_equal(universe))
      failLoop(loop, *loop.next, what + "not a constant");
  if (step.min_val().is_zero())
    failLoop(loop, *loop.next, what + "zero");
  return step.min_val().num_si();
}

/// Whether the condition, once false, stays false as the variable moves on: v < e when counting up, v > e when counting
/// down, for e without v, and conjunctions of such and of conditions without v.
bool failsForGood(const ir::Expr &condition, const std::string &variable, bool up) {
  if (condition.kind == ExprKind::And)
    return failsForGood(*condition.operands[0], variable, up) && failsForGood(*condition.operands[1], variable, up);
  if (!mentions(condition, variable))
    return true;
  const bool isLess = condition.kind == ExprKind::Lt || condition.kind == ExprKind::Le;
  const bool isGreater = condition.kind == ExprKind::Gt || condition.kind == ExprKind::Ge;
  if (!isLess && !isGreater)
    return false;
  const bool variableIsLeft = condition.operands[0]->kind == ExprKind::Var;
  const ir::Expr &bound = *condition.operands[variableIsLeft];
  return !mentions(bound, variable) && condition.operands[!variableIsLeft]->kind == ExprKind::Var &&
         (isLess == variableIsLeft) == up;
}

/// { : no iteration up to this one failed }, where `reached` are the values the variable can take and `failed` those
/// among them with a false condition.
isl::set beforeFirstFailure(const isl::set &reached, const isl::set &failed, const std::string &variable, bool up) {
  const isl::ctx ctx = reached.ctx();
  const isl::multi_id tuple(isl::space::unit(ctx).add_unnamed_tuple(1), isl::id_list(isl::id(ctx, variable)));
  const isl::set failures = failed.unbind_params(tuple); // { [v] }
  const isl::map onwards(ctx, up ? "{ [v] -> [w] : w >= v }" : "{ [v] -> [w] : w <= v }");
  return reached.subtract(failures.apply(onwards).bind(tuple)).coalesce();
}

bool isBounded(const isl::set &set, const std::string &variable, bool up) {
  const isl::ctx ctx = set.ctx();
  const isl::multi_id tuple(isl::space::unit(ctx).add_unnamed_tuple(1), isl::id_list(isl::id(ctx, variable)));
  const isl::set values = set.unbind_params(tuple); // { [v] }
  auto test = up ? isl_set_dim_has_upper_bound : isl_set_dim_has_lower_bound;
  return values.is_empty() || test(values.get(), isl_dim_set, 0) == isl_bool_true;
}

bool containsUnequal(const ir::Expr &expr) {
  return expr.kind == ExprKind::Ne || std::any_of(expr.operands.begin(), expr.operands.end(),
                                                  [](const ir::ExprRef &operand) { return containsUnequal(*operand); });
}

/// constantStep(), or nothing.
std::optional<long> findConstantStep(AffineTranslator &translator, const ir::Loop &loop) {
  try {
    return constantStep(translator, loop);
  } catch (const NonAffine &) {
    return std::nullopt;
  }
}

/// 1 or -1, towards where the condition bounds the variable.
long coveringStep(AffineTranslator &translator, const ir::Loop &loop, const isl::pw_aff &init, const isl::set &outer) {
  const isl::set above = translator.parameter(loop.variable).ge_set(init);
  const isl::set holds = translator.condition(*loop.condition).intersect(outer);
  return isBounded(holds.intersect(above), loop.variable, true) ? 1 : -1;
}

/// Whether the variable moves on in this direction from each of the values.
bool movesOn(AffineTranslator &translator, const ir::Loop &loop, const isl::set &values, bool up) {
  try {
    const isl::pw_aff variable = translator.parameter(loop.variable), next = translator.value(*loop.next);
    return values.is_subset(up ? next.gt_set(variable) : next.lt_set(variable));
  } catch (const NonAffine &) {
    return false;
  }
}
} // namespace

Iterations iterations(AffineTranslator &translator, const ir::Loop &loop, const isl::set &outer, Steps steps) {
  translator.setLocation(loop.location);
  const isl::pw_aff init = translator.value(*loop.init); // outside the variable's scope
  if (ir::asksTiles(*loop.condition))
    failLoop(loop, *loop.condition, "where loop '" + loop.variable + "' ends is not known before the run");
  translator.enter(loop.variable);
  const std::optional<long> constant =
      steps == Steps::Covered ? findConstantStep(translator, loop) : constantStep(translator, loop);
  const long step = constant ? *constant : coveringStep(translator, loop, init, outer);
  const bool up = step > 0;
  if (std::labs(step) != 1 && containsUnequal(*loop.condition))
    failLoop(loop, *loop.condition, "loop '" + loop.variable + "' tests '!=' with a step other than 1 or -1");

  const isl::pw_aff variable = translator.parameter(loop.variable);
  isl::set reached = (up ? variable.ge_set(init) : variable.le_set(init)).intersect(outer);
  if (std::labs(step) != 1)
    reached = reached.intersect(variable.sub(init).mod(std::labs(step)).eq_set(translator.constant(0)));

  const isl::set holds = translator.condition(*loop.condition);
  isl::set result = reached.intersect(holds);
  if (!failsForGood(*loop.condition, loop.variable, up))
    result = beforeFirstFailure(reached, reached.subtract(holds), loop.variable, up);
  if (!isBounded(result, loop.variable, up))
    failLoop(loop, *loop.condition, "loop '" + loop.variable + "' is not known to end");
  // A value where the condition fails ends the loop only if the variable takes it.
  const bool complete =
      constant || (reached.intersect(holds).is_subset(result) && movesOn(translator, loop, result, up));
  return {result, up ? 1 : -1, complete};
}

} // namespace hetc::dependence
