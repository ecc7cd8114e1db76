#include "compiler/specialize/nest.hpp"

#include "compiler/specialize/generate.hpp"
#include "compiler/specialize/scan.hpp"

namespace hetc::specialize {

using ir::ExprKind;
using ir::ExprRef;

ExprRef conjunction(const ExprRef &a, const ExprRef &b) {
  return a && b ? ir::makeBinary(ExprKind::And, a, b) : a ? a : b;
}

ExprRef floorDivision(const ExprRef &a, const ExprRef &b) {
  const ExprRef up = ir::makeBinary(ExprKind::Sub, ir::makeBinary(ExprKind::Sub, b, ir::makeInt(1)), a); // b - 1 - a
  const ExprRef negative = ir::makeUnary(ExprKind::Neg, ir::makeBinary(ExprKind::Div, up, b));
  return ir::makeSelect(ir::makeBinary(ExprKind::Lt, a, ir::makeInt(0)), negative, ir::makeBinary(ExprKind::Div, a, b));
}

namespace {
/// isl 0.25 cannot coalesce some sets with divisions, and says so by an internal error: they stay as they are.
isl::set coalesced(const isl::set &set) {
  try {
    return set.coalesce();
  } catch (const isl::exception_internal &) {
    return set;
  }
}

/// The same set, its divisions written anew, by projecting the quotients out: (j + 2 y) mod 4 = 0 for
/// (1 - j) mod 4 = 1 + 2 y, which isl makes where it joins sets and then loses, see definesDivisions().
isl::set withOwnDivisions(const isl::set &set) {
  isl::set result = isl::manage(isl_set_empty(isl_set_get_space(set.get())));
  set.foreach_basic_set([&](const isl::basic_set &piece) {
    const isl::set lifted(isl::manage(isl_basic_set_lift(piece.copy())));
    result = result.unite(lifted.is_wrapping() ? lifted.unwrap().domain() : lifted);
  });
  return result;
}

} // namespace

std::vector<isl::set> pieces(const isl::set &set) {
  std::vector<isl::set> result;
  coalesced(isl::manage(isl_set_make_disjoint(coalesced(set).release())))
      .foreach_basic_set([&](const isl::basic_set &piece) { result.push_back(isl::set(piece)); });
  return result;
}

std::vector<Nest> makeNests(const isl::set &instances, const std::vector<NestVariable> &variables,
                            const std::map<std::string, ExprRef> &parameters, const isl::set &context) {
  const isl::set own = definesDivisions(instances) ? instances : withOwnDivisions(instances);
  // Parameters in one order everywhere: isl 0.25 takes one for another in a guard with divisions otherwise.
  const isl::set aligned = isl::manage(isl_set_align_params(own.copy(), isl_set_get_space(context.get())));
  if (auto nest = scan(aligned, variables, parameters, context))
    return {std::move(*nest)};
  return generate(aligned, variables, parameters, context);
}

} // namespace hetc::specialize
