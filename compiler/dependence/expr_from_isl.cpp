#include "compiler/dependence/expr_from_isl.hpp"

#include "compiler/ir/sum.hpp"

#include <isl/aff.h>
#include <isl/constraint.h>

#include <algorithm>
#include <cassert>

namespace hetc::dependence {

using ir::ExprKind;
using ir::ExprRef;

namespace {

/// Coefficients of parameters and dimensions, as IR names; nothing when one has none.
template <typename Coefficient>
std::optional<ir::Sum> toSum(const StatementModel &statement, const std::vector<Parameter> &parameters,
                             const isl::space &space, Coefficient &&coefficient, const isl::val &constant) {
  if (!constant.is_int())
    return std::nullopt;
  ir::Sum sum;
  sum.constant = constant.num_si();
  const isl_size count = isl_space_dim(space.get(), isl_dim_param);
  for (int p = 0; p < count; ++p) {
    const isl::val factor = coefficient(isl_dim_param, p);
    if (factor.is_zero())
      continue;
    const std::string name = isl_space_get_dim_name(space.get(), isl_dim_param, p);
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter &known) { return known.name == name; });
    assert(parameter != parameters.end() && "the model lists all parameters");
    const bool isNumber = parameter->kind != Parameter::Kind::Enum && parameter->kind != Parameter::Kind::Truth;
    if (!factor.is_int() || !parameter->expr || !isNumber)
      return std::nullopt;
    sum.add(parameter->expr, factor.num_si());
  }
  for (std::size_t d = 0; d < statement.loops.size(); ++d) {
    const isl::val factor = coefficient(isl_dim_set, static_cast<int>(d));
    if (!factor.is_int())
      return std::nullopt;
    sum.add(ir::makeVar(statement.loops[d]->variable), factor.num_si());
  }
  return sum;
}

std::optional<ExprRef> toCondition(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                   isl_constraint *constraint) {
  auto coefficient = [&](isl_dim_type type, int position) {
    return isl::manage(isl_constraint_get_coefficient_val(constraint, type, position));
  };
  const isl::space space = isl::manage(isl_constraint_get_space(constraint));
  const auto sum =
      toSum(statement, parameters, space, coefficient, isl::manage(isl_constraint_get_constant_val(constraint)));
  if (!sum)
    return std::nullopt;
  return ir::toComparison(*sum, isl_constraint_is_equality(constraint) == isl_bool_true);
}

std::optional<ExprRef> toCondition(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                   const isl::basic_set &set) {
  if (set.involves_locals())
    return std::nullopt;
  std::vector<ExprRef> terms;
  isl_constraint_list *list = isl_basic_set_get_constraint_list(set.get());
  const isl_size count = isl_constraint_list_n_constraint(list);
  bool isKnown = count >= 0;
  for (int c = 0; isKnown && c < count; ++c) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(list, c);
    const auto term = toCondition(statement, parameters, constraint);
    isl_constraint_free(constraint);
    isKnown = term.has_value();
    if (isKnown)
      terms.push_back(*term);
  }
  isl_constraint_list_free(list);
  if (!isKnown)
    return std::nullopt;
  return terms.empty() ? ir::makeInt(1) : ir::chain(nullptr, ExprKind::And, terms);
}
} // namespace

std::optional<ExprRef> toCondition(const StatementModel &statement, const std::vector<Parameter> &parameters,
                                   const isl::set &condition) {
  std::vector<ExprRef> cases;
  bool isKnown = true;
  condition.foreach_basic_set([&](const isl::basic_set &set) {
    const auto one = toCondition(statement, parameters, set);
    isKnown = isKnown && one;
    if (isKnown)
      cases.push_back(*one);
  });
  if (!isKnown)
    return std::nullopt;
  return cases.empty() ? ir::makeInt(0) : ir::chain(nullptr, ExprKind::Or, cases);
}

std::optional<ExprRef> toExpr(const StatementModel &statement, const std::vector<Parameter> &parameters,
                              const isl::aff &value) {
  if (isl_aff_dim(value.get(), isl_dim_div) != 0) {
    // A division that the value does not use is of no concern.
    for (int d = 0; d < isl_aff_dim(value.get(), isl_dim_div); ++d)
      if (!isl::manage(isl_aff_get_coefficient_val(value.get(), isl_dim_div, d)).is_zero())
        return std::nullopt;
  }
  auto coefficient = [&](isl_dim_type type, int position) { // an expression's dimensions are its domain's
    const isl_dim_type own = type == isl_dim_set ? isl_dim_in : type;
    return isl::manage(isl_aff_get_coefficient_val(value.get(), own, position));
  };
  const isl::space space = isl::manage(isl_aff_get_domain_space(value.get()));
  const auto sum = toSum(statement, parameters, space, coefficient, value.constant_val());
  return sum ? std::optional(ir::toExpr(*sum)) : std::nullopt;
}

namespace {
/// Comparisons and cases that a condition takes as text.
int effort(const isl::set &condition) {
  int result = 0;
  condition.foreach_basic_set([&](const isl::basic_set &set) { result += 1 + isl_basic_set_n_constraint(set.get()); });
  return result;
}
constexpr int maxEffort = 6;
} // namespace

std::optional<ExprRef> toExpr(const StatementModel &statement, const std::vector<Parameter> &parameters,
                              std::vector<Piece> pieces, isl::set domain) {
  auto conditionOf = [&](const Piece &piece) { return piece.domain.gist(domain).coalesce(); };
  std::stable_sort(pieces.begin(), pieces.end(),
                   [&](const Piece &a, const Piece &b) { return effort(conditionOf(a)) < effort(conditionOf(b)); });
  std::vector<std::pair<ExprRef, ExprRef>> cases; // condition, value; the last needs no condition
  for (const Piece &piece : pieces) {
    const auto value = toExpr(statement, parameters, piece.value);
    if (!value)
      return std::nullopt;
    if (&piece == &pieces.back()) {
      cases.emplace_back(nullptr, *value);
      break;
    }
    const isl::set condition = conditionOf(piece);
    const auto test = toCondition(statement, parameters, condition);
    if (!test || effort(condition) > maxEffort)
      return std::nullopt;
    cases.emplace_back(*test, *value);
    domain = domain.subtract(piece.domain);
  }
  if (cases.empty())
    return std::nullopt;
  ExprRef result = cases.back().second;
  for (auto each = cases.rbegin() + 1; each != cases.rend(); ++each)
    result = ir::makeSelect(each->first, each->second, result);
  return result;
}

} // namespace hetc::dependence
