#include "compiler/specialize/form_writer.hpp"

#include "compiler/specialize/nest.hpp"

#include <algorithm>
#include <utility>

namespace hetc::specialize {

using ir::ExprKind;
using ir::ExprRef;

bool FormWriter::isNonNegative(const Form &form) const {
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (form.parameters[p] < 0 || (form.parameters[p] > 0 && intervals_[p].least.value_or(-1) < 0))
      return false;
  for (std::size_t d = 0; d < form.dimensions.size(); ++d)
    if (form.dimensions[d] != 0 && form.dimensions[d] * signs_[d] <= 0)
      return false;
  for (std::size_t e = 0; e < form.divisions.size(); ++e)
    if (form.divisions[e] < 0 || (form.divisions[e] > 0 && !isNonNegative(divisions_[e].numerator)))
      return false;
  return form.constant >= 0;
}

ir::Sum FormWriter::sum(const Form &form) {
  ir::Sum result;
  result.constant = form.constant;
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (form.parameters[p] != 0 && !parameters_[p])
      hasNoText_ = true;
    else
      result.add(parameters_[p], form.parameters[p]);
  for (std::size_t d = 0; d < form.dimensions.size(); ++d)
    result.add(ir::makeVar(variables_[d]), form.dimensions[d]);
  for (std::size_t e = 0; e < form.divisions.size(); ++e)
    if (form.divisions[e] != 0)
      result.add(quotient(divisions_[e].numerator, divisions_[e].denominator), form.divisions[e]);
  return result;
}

ExprRef FormWriter::isZero(const Form &form) {
  const ir::Sum one = sum(form); // name == 1 rather than 1 == name
  return ir::toComparison(one.negative.empty() ? sum(-1 * form) : one, /*isEquality=*/true);
}

ExprRef FormWriter::isZero(const Remainder &remainder) {
  const ExprRef rest = ir::makeBinary(ExprKind::Rem, value(remainder.form), ir::makeInt(remainder.modulus));
  return ir::makeBinary(ExprKind::Eq, rest, ir::makeInt(0));
}

ExprRef FormWriter::quotient(const Form &form, std::int64_t divisor) {
  if (divisor == 1)
    return value(form);
  const ExprRef by = ir::makeInt(divisor);
  return isNonNegative(form) ? ir::makeBinary(ExprKind::Div, value(form), by) : floorDivision(value(form), by);
}

/// Equal mod modulus, with terms that are not negative where that is known.
Form FormWriter::reduced(Form form, std::int64_t modulus) const {
  const auto reduce = [modulus](std::int64_t &factor) { factor = (factor % modulus + modulus) % modulus; };
  std::ranges::for_each(form.parameters, reduce);
  std::ranges::for_each(form.divisions, reduce);
  for (std::size_t d = 0; d < form.dimensions.size(); ++d) {
    reduce(form.dimensions[d]);
    if (signs_[d] < 0 && form.dimensions[d] > 0)
      form.dimensions[d] -= modulus;
  }
  reduce(form.constant);
  return form;
}

/// 0 <= form < limit.
bool FormWriter::isBelow(const Form &form, std::int64_t limit) const {
  if (!isNonNegative(form))
    return false;
  Form others = form;
  std::int64_t greatest = std::exchange(others.constant, 0);
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (const std::int64_t factor = form.parameters[p]; factor > 0 && intervals_[p].greatest) {
      greatest += factor * *intervals_[p].greatest;
      others.parameters[p] = 0;
    }
  return others == 0 * others && greatest < limit;
}

ExprRef FormWriter::ceiling(const Form &form, std::int64_t divisor, const Stride &stride) {
  if (divisor > 1) {
    hasNoText_ |= stride.modulus > 1;
    Form up = form;
    up.constant += divisor - 1;
    return quotient(up, divisor);
  }
  if (stride.modulus == 1)
    return value(form);
  const Form distance = reduced(stride.residue - form, stride.modulus);
  Form constant = 0 * distance;
  constant.constant = distance.constant;
  if (distance == constant)
    return value(form - -1 * constant);
  const ExprRef by = ir::makeInt(stride.modulus);
  ExprRef rest = value(distance);
  if (!isBelow(distance, stride.modulus))
    rest = ir::makeBinary(ExprKind::Rem, rest, by);
  if (!isNonNegative(distance))
    rest = ir::makeBinary(ExprKind::Rem, ir::makeBinary(ExprKind::Add, rest, by), by);
  ir::Sum result = sum(form);
  result.add(rest, 1);
  return ir::toExpr(result);
}

} // namespace hetc::specialize
