#include "compiler/specialize/generate.hpp"

#include <isl/ast.h>
#include <isl/ast_build.h>

#include <cassert>
#include <cctype>
#include <utility>

namespace hetc::specialize {

using ir::ExprKind;
using ir::ExprRef;

namespace {

isl::ast_expr argument(const isl::ast_expr &expr, int position) {
  return isl::manage(isl_ast_expr_get_op_arg(expr.get(), position));
}

std::string nameOf(const isl::ast_expr &expr) { return isl::manage(isl_ast_expr_id_get_id(expr.get())).name(); }

/// e - 1; for e = f - 1, f - 2.
ExprRef minusOne(const ExprRef &expr) {
  const bool isDifference = expr->kind == ExprKind::Sub && expr->operands[1]->kind == ExprKind::Int;
  return isDifference ? ir::makeBinary(ExprKind::Sub, expr->operands[0], ir::makeInt(expr->operands[1]->value + 1))
                      : ir::makeBinary(ExprKind::Sub, expr, ir::makeInt(1));
}

ExprKind kindOf(isl_ast_expr_op_type type) {
  switch (type) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return ExprKind::And;
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return ExprKind::Or;
  case isl_ast_expr_op_max:
    return ExprKind::Max;
  case isl_ast_expr_op_min:
    return ExprKind::Min;
  case isl_ast_expr_op_minus:
    return ExprKind::Neg;
  case isl_ast_expr_op_add:
    return ExprKind::Add;
  case isl_ast_expr_op_sub:
    return ExprKind::Sub;
  case isl_ast_expr_op_mul:
    return ExprKind::Mul;
  case isl_ast_expr_op_div: // exact
  case isl_ast_expr_op_pdiv_q:
    return ExprKind::Div;
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // compared with 0 only
    return ExprKind::Rem;
  case isl_ast_expr_op_cond:
  case isl_ast_expr_op_select:
    return ExprKind::Select;
  case isl_ast_expr_op_eq:
    return ExprKind::Eq;
  case isl_ast_expr_op_le:
    return ExprKind::Le;
  case isl_ast_expr_op_lt:
    return ExprKind::Lt;
  case isl_ast_expr_op_ge:
    return ExprKind::Ge;
  case isl_ast_expr_op_gt:
    return ExprKind::Gt;
  default:
    throw Unnamed("isl makes loops with an operation that hetc does not know");
  }
}

/// Iterators are called by the level of their loop, as no parameter is: 0, 1, ...
class NestConverter {
public:
  NestConverter(std::map<std::string, ExprRef> parameters, const std::vector<NestVariable> &variables)
      : names_(std::move(parameters)), variables_(variables) {
    for (std::size_t level = 0; level < variables.size(); ++level)
      names_[std::to_string(level)] = ir::makeVar(variables[level].name);
  }

  std::vector<Nest> convert(const isl::ast_node &tree) {
    Nest nest;
    nest.levels.resize(variables_.size());
    descend(tree, std::move(nest), 0);
    return std::move(nests_);
  }

private:
  /// `nest`: what is around the node; `next`: the level behind its last loop.
  void descend(const isl::ast_node &node, Nest nest, std::size_t next) {
    switch (isl_ast_node_get_type(node.get())) {
    case isl_ast_node_if:
      return descendIf(node, std::move(nest), next);
    case isl_ast_node_for:
      if (!isOwnIterator(node))
        bindIterator(node);
      else
        next = addLoop(node, nest);
      return descend(isl::manage(isl_ast_node_for_get_body(node.get())), std::move(nest), next);
    case isl_ast_node_block: {
      const isl::ast_node_list children = isl::manage(isl_ast_node_block_get_children(node.get()));
      for (unsigned i = 0; i < children.size(); ++i)
        descend(children.at(static_cast<int>(i)), nest, next);
      return;
    }
    default:
      addCoordinates(isl::manage(isl_ast_node_user_get_expr(node.get())), nest);
      nests_.push_back(std::move(nest));
    }
  }

  void descendIf(const isl::ast_node &node, Nest nest, std::size_t next) {
    const ExprRef condition = convert(isl::manage(isl_ast_node_if_get_cond(node.get())));
    if (isl_ast_node_if_has_else_node(node.get()))
      descend(isl::manage(isl_ast_node_if_get_else_node(node.get())),
              under(ir::makeUnary(ExprKind::Not, condition), nest, next), next);
    descend(isl::manage(isl_ast_node_if_get_then_node(node.get())), under(condition, std::move(nest), next), next);
  }

  /// The condition goes to the next level, whether isl makes a loop for it or not.
  static Nest under(const ExprRef &condition, Nest nest, std::size_t next) {
    ExprRef &place = next < nest.levels.size() ? nest.levels[next].condition : nest.condition;
    place = conjunction(place, condition);
    return nest;
  }

  static std::string iteratorOf(const isl::ast_node &node) {
    return nameOf(isl::manage(isl_ast_node_for_get_iterator(node.get())));
  }
  static bool isOwnIterator(const isl::ast_node &node) { return std::isdigit(iteratorOf(node)[0]); }

  /// isl gives a name to a coordinate that takes a choice: a loop of one iteration, whose variable is its value.
  void bindIterator(const isl::ast_node &node) {
    if (!isl_ast_node_for_is_degenerate(node.get()))
      throw Unnamed("isl does not see that the loops determine what is sent where");
    names_[iteratorOf(node)] = convert(isl::manage(isl_ast_node_for_get_init(node.get())));
  }

  /// The level behind it.
  std::size_t addLoop(const isl::ast_node &node, Nest &nest) {
    const std::size_t index = std::stoul(iteratorOf(node));
    NestLevel &level = nest.levels[index];
    level.first = level.last = convert(isl::manage(isl_ast_node_for_get_init(node.get())));
    if (!isl_ast_node_for_is_degenerate(node.get())) {
      const isl::ast_expr end = isl::manage(isl_ast_node_for_get_cond(node.get()));
      level.last = convert(argument(end, 1));
      if (isl_ast_expr_get_op_type(end.get()) == isl_ast_expr_op_lt)
        level.last = minusOne(level.last);
      const isl::ast_expr step = isl::manage(isl_ast_node_for_get_inc(node.get()));
      level.step = isl::manage(isl_ast_expr_get_val(step.get())).num_si();
    }
    return index + 1;
  }

  void addCoordinates(const isl::ast_expr &call, Nest &nest) {
    for (int i = 1; i < isl_ast_expr_get_op_n_arg(call.get()); ++i)
      nest.coordinates.push_back(convert(argument(call, i)));
    for (std::size_t level = variables_.size(); level-- > 0;)
      if (NestLevel &own = nest.levels[level]; !own.first) // one value, which isl has put in everywhere
        own.first = own.last = signedBy(variables_[level].direction, withoutInner(nest, level));
  }

  /// The coordinate of a loop that takes one value. Where inner loops take one value, too, isl may write it with
  /// theirs.
  ExprRef withoutInner(const Nest &nest, std::size_t level) const {
    ExprRef value = nest.coordinates[level];
    for (std::size_t inner = variables_.size(); --inner > level;)
      value = ir::substitute(value, {{variables_[inner].name, nest.levels[inner].first}});
    return value;
  }

  static ExprRef signedBy(int direction, const ExprRef &expr) {
    if (direction > 0)
      return expr;
    return expr->kind == ExprKind::Neg ? expr->operands[0] : ir::makeUnary(ExprKind::Neg, expr);
  }

  ExprRef convert(const isl::ast_expr &expr) {
    switch (isl_ast_expr_get_type(expr.get())) {
    case isl_ast_expr_int:
      return ir::makeInt(isl::manage(isl_ast_expr_get_val(expr.get())).num_si());
    case isl_ast_expr_id:
      return convertName(nameOf(expr));
    default:
      return convertOperation(expr);
    }
  }

  ExprRef convertName(const std::string &name) {
    const auto found = names_.find(name);
    assert(found != names_.end() && "isl names only parameters and iterators");
    if (!found->second)
      throw Unnamed("what runs depends on a size that has no name in the program");
    return found->second;
  }

  ExprRef convertOperation(const isl::ast_expr &expr) {
    std::vector<ExprRef> operands;
    for (int i = 0; i < isl_ast_expr_get_op_n_arg(expr.get()); ++i)
      operands.push_back(convert(argument(expr, i)));
    const isl_ast_expr_op_type type = isl_ast_expr_get_op_type(expr.get());
    if (type == isl_ast_expr_op_fdiv_q)
      return floorDivision(operands[0], operands[1]);
    const ExprKind kind = kindOf(type);
    if (kind == ExprKind::Neg)
      return ir::makeUnary(kind, operands[0]);
    if (kind == ExprKind::Select)
      return ir::makeSelect(operands[0], operands[1], operands[2]);
    ExprRef result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) // min and max have many
      result = ir::makeBinary(kind, result, operands[i]);
    return result;
  }

  std::map<std::string, ExprRef> names_; ///< names of parameters and iterators
  const std::vector<NestVariable> &variables_;
  std::vector<Nest> nests_;
};

/// { X0[k, i, ...] -> [k, i] }, with the signs of the variables.
isl::map scheduleOf(const isl::set &instances, const std::vector<NestVariable> &variables) {
  const auto levels = static_cast<unsigned>(variables.size());
  isl_map *schedule = isl_map_add_dims(isl_map_from_domain(instances.copy()), isl_dim_out, levels);
  for (unsigned level = 0; level < levels; ++level)
    schedule = variables[level].direction > 0 ? isl_map_equate(schedule, isl_dim_in, level, isl_dim_out, level)
                                              : isl_map_oppose(schedule, isl_dim_in, level, isl_dim_out, level);
  return isl::manage(schedule);
}

} // namespace

std::vector<Nest> generate(const isl::set &instances, const std::vector<NestVariable> &variables,
                           const std::map<std::string, ExprRef> &parameters, const isl::set &context) {
  isl_ctx *ctx = isl_set_get_ctx(context.get());
  isl_id_list *iterators = isl_id_list_alloc(ctx, static_cast<int>(variables.size()));
  for (std::size_t level = 0; level < variables.size(); ++level)
    iterators = isl_id_list_add(iterators, isl_id_alloc(ctx, std::to_string(level).c_str(), nullptr));
  isl_ast_build *build = isl_ast_build_set_iterators(isl_ast_build_from_context(context.copy()), iterators);
  return NestConverter(parameters, variables)
      .convert(isl::manage(build).node_from_schedule_map(scheduleOf(instances, variables)));
}

} // namespace hetc::specialize
